"""An outcome with its word, as a widget."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tripscope_gui.delegates.badges import draw_badge
from tripscope_gui.delegates.texts import elided
from tripscope_gui.fonts import MEDIUM, ui_font
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import OUTCOMES, BadgeSize


class Badge(QWidget):
    """The badge of an outcome and, beside it, a word in the outcome's colour.

    Args:
        theme: colours, followed when they change.
        outcome: word as in traces, or None for nothing.
        label: words beside it; the outcome's own word if None, none if empty.
        size: edge of the badge in logical pixels.
        tone: token that colours the label instead of the outcome.
    """

    def __init__(
        self,
        theme: Theme,
        outcome: str | None = None,
        label: str | None = None,
        *,
        size: int = BadgeSize.ROW,
        tone: str | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._size, self._tone = theme, size, tone
        self._outcome: str | None = None
        self._label = ""
        self.setFont(ui_font(12, MEDIUM))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        self.set_outcome(outcome, label)

    @property
    def outcome(self) -> str | None:
        """The outcome shown, or None."""
        return self._outcome

    @property
    def label(self) -> str:
        """The words shown beside the badge."""
        return self._label

    def set_outcome(self, outcome: str | None, label: str | None = None) -> None:
        """Show another outcome.

        Raises:
            KeyError: no such outcome.
        """
        word = OUTCOMES[outcome].name if outcome is not None else ""
        label = word if label is None else label
        if (outcome, label) == (self._outcome, self._label):
            return
        before = self.sizeHint()
        self._outcome, self._label = outcome, label
        self.setAccessibleName(self._label or word)
        self.setToolTip(OUTCOMES[outcome].meaning if outcome is not None else "")
        if self.sizeHint() != before:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Badge, gap and label."""
        metrics = QFontMetricsF(self.font())
        text = int(metrics.horizontalAdvance(self._label)) + 7 if self._label else 0
        mark = self._size if self._outcome is not None else 0
        return QSize(mark + text + 1, max(self._size, int(metrics.height())) + 2)

    def minimumSizeHint(self) -> QSize:
        """The badge alone; its label may be cut."""
        return QSize(self._size, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw badge and label."""
        with QPainter(self) as painter:
            palette = self._theme.palette
            left = 0.0
            if self._outcome is not None:
                top = (self.height() - self._size) / 2
                draw_badge(painter, QRectF(0, top, self._size, self._size), self._outcome, palette)
                left = self._size + 6.0
            if self._label:
                color = palette.tone(self._tone or self._outcome or "t2")
                painter.setPen(color)
                painter.setFont(self.font())
                box = QRectF(left, 0, self.width() - left, self.height())
                line = elided(self._label, self.font(), box.width())
                painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), line)
