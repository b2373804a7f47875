"""The head of a dock: tabs with an accent underline and counts, tools at the right."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QTabBar, QWidget

from tripscope_gui.delegates.texts import elided
from tripscope_gui.fonts import SEMIBOLD, ui_font
from tripscope_gui.theme import Theme, set_style_property
from tripscope_gui.tokens import Height, TypeSize
from tripscope_gui.widgets.labels import plain_tooltip

_PAD = 11
_LEAST_WORDS = 18
_LEAST = 240
"""Width in logical pixels that a head asks for; with less its tools are cut."""


class DockTabs(QTabBar):
    """Tabs of one dock; a tab may carry a count in a pill."""

    def __init__(self, theme: Theme, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        theme.changed.connect(self.update)

    def set_count(self, index: int, count: str) -> None:
        """Show a count such as ``6`` or ``10/11`` beside a tab's words; none if empty."""
        if self.tabData(index) == (count or None):
            return
        before = self.tabSizeHint(index)
        self.setTabData(index, count or None)
        self.setAccessibleTabName(index, f"{self.tabText(index)} {count}".strip())
        if self.tabSizeHint(index) != before:
            # the bar asks for sizes anew only when a text changes
            self.setTabText(index, self.tabText(index))
        self.update()

    def tabSizeHint(self, index: int) -> QSize:
        """Words in their selected weight, so that nothing moves, and the count."""
        width = QFontMetricsF(_tab_font(True)).horizontalAdvance(self.tabText(index))
        count = self.tabData(index)
        if count:
            width += _pill_width(count) + 6
        return QSize(int(width) + 2 * _PAD, Height.DOCK_HEAD - 2)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """The tab in front keeps its words, others only the first of them, and all their counts."""
        whole = self.tabSizeHint(index)
        if index == self.currentIndex():
            return whole
        count = self.tabData(index)
        least = 2 * _PAD + _LEAST_WORDS + (int(_pill_width(count)) + 6 if count else 0)
        return QSize(min(least, whole.width()), whole.height())

    def minimumSizeHint(self) -> QSize:
        """So narrow that neighbouring docks never lie over one another."""
        widths = [self.minimumTabSizeHint(index).width() for index in range(self.count())]
        return QSize(sum(widths), Height.DOCK_HEAD - 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Words, pill, underline of the current tab, outline of the focused one."""
        with QPainter(self) as painter:
            for index in range(self.count()):
                self._paint_tab(painter, index)

    def _paint_tab(self, painter: QPainter, index: int) -> None:
        palette = self._theme.palette
        rect = QRectF(self.tabRect(index))
        current = index == self.currentIndex()
        painter.setFont(_tab_font(current))
        painter.setPen(palette.t1 if current else palette.t2)
        count = self.tabData(index)
        room = rect.width() - 2 * _PAD - (_pill_width(count) + 6 if count else 0)
        text = elided(self.tabText(index), painter.font(), room + 1)
        cut = text != self.tabText(index)
        if (self.tabToolTip(index) != "") is not cut:
            self.setTabToolTip(index, plain_tooltip(self.tabText(index)) if cut else "")
        words = rect.adjusted(_PAD, 0, 0, -1)
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        painter.drawText(words, flags, text)
        if current:
            bar = QRectF(rect.left(), rect.bottom() - 2, rect.width(), 2)
            painter.fillRect(bar, palette.accent)
        if current and self.hasFocus() and self.count() > 1:
            painter.setPen(palette.accent)
            painter.drawRect(rect.adjusted(2.5, 2.5, -2.5, -3.5))
        if count:
            width = _pill_width(count)
            pill = QRectF(rect.right() - _PAD - width, rect.center().y() - 7.5, width, 14)
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.line)
            painter.drawRoundedRect(pill, 7, 7)
            painter.setFont(ui_font(TypeSize.COUNT))
            painter.setPen(palette.t1)
            painter.drawText(pill, int(Qt.AlignmentFlag.AlignCenter), count)
            painter.restore()


class DockHead(QFrame):
    """Title bar of a dock: its tabs (one alone is its title) and, at the right, its tools.

    Free ground takes no mouse events, so a dock widget can be dragged by it.
    """

    current_changed = Signal(int)
    """Another tab was chosen."""

    def __init__(self, theme: Theme, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "head")
        self.setProperty("active", False)
        self.setAccessibleName(name)
        self.setFixedHeight(Height.DOCK_HEAD)
        self.tabs = DockTabs(theme, parent=self)
        self.tabs.setAccessibleName(f"{name} tabs")
        self.tabs.currentChanged.connect(self.current_changed)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 6, 0)
        self._line.setSpacing(6)
        self._line.addWidget(self.tabs)
        self._line.addStretch(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_tabs()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit_tabs()
        return super().event(event)

    def _fit_tabs(self) -> None:
        """Tabs are cut last: only where the tools take no more than their least width."""
        line, margins = self._line, self._line.contentsMargins()
        taken = 0
        for at in range(line.count()):
            item = line.itemAt(at)
            if item is not None and item.widget() is not self.tabs and not item.isEmpty():
                taken += item.minimumSize().width() + line.spacing()
        room = self.width() - taken - margins.left() - margins.right()
        least, whole = self.tabs.minimumSizeHint().width(), self.tabs.sizeHint().width()
        self.tabs.setMinimumWidth(max(least, min(whole, room)))

    def minimumSizeHint(self) -> QSize:
        """At most 240 logical pixels wide, whatever the tools at the right would like."""
        whole = super().minimumSizeHint()
        return QSize(min(whole.width(), _LEAST), whole.height())

    def add_tab(self, title: str, count: str = "", at: int | None = None) -> int:
        """Add a tab, at the right or at a position, and return its position."""
        index = self.tabs.insertTab(-1 if at is None else at, title)
        if count:
            self.tabs.set_count(index, count)
        self.tabs.setFocusPolicy(
            Qt.FocusPolicy.TabFocus if self.tabs.count() > 1 else Qt.FocusPolicy.NoFocus
        )
        return index

    def set_count(self, index: int, count: str) -> None:
        """Show a count beside the words of a tab."""
        self.tabs.set_count(index, count)

    def add_tool(self, widget: QWidget) -> None:
        """Put a control at the right end; the later ones stand further right."""
        self._line.addWidget(widget)

    def set_active(self, active: bool) -> None:
        """Outline the head in the accent while the focus is inside its dock."""
        set_style_property(self, "active", active)


def _tab_font(current: bool) -> QFont:
    return ui_font(TypeSize.BODY, SEMIBOLD) if current else ui_font(TypeSize.BODY)


def _pill_width(count: str) -> float:
    return max(16.0, QFontMetricsF(ui_font(TypeSize.COUNT)).horizontalAdvance(count) + 10)
