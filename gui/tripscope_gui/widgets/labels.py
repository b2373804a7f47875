"""Labels that show text as it is: never rich text, never half an emoji lost."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from tripscope_gui.delegates.texts import elided, in_place, one_line
from tripscope_gui.fonts import REGULAR, mono_font, ui_font
from tripscope_gui.theme import Theme, set_style_property


class PlainLabel(QLabel):
    """A label whose format is plain text for good.

    Args:
        text: shown as it is, markup included.
        tone: style of the words: t1, t2, t3, pass, fail, warn, changed, held, errored.
        px: text height in logical pixels.
        weight: 400, 500 or 600.
        mono: text of a model, rule or user.
    """

    def __init__(
        self,
        text: str = "",
        tone: str = "t1",
        *,
        px: float = 12.0,
        weight: int = REGULAR,
        mono: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        super().setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(mono_font(px, weight) if mono else ui_font(px, weight))
        self.set_tone(tone)
        self.setText(text)

    def set_tone(self, tone: str) -> None:
        """Colour the words by one of the tones named at the class."""
        set_style_property(self, "tone", tone)

    def setText(self, text: str) -> None:
        """Show a text; lone surrogates and marks of direction stand as pictures."""
        super().setText(in_place(text))

    def setTextFormat(self, _format: Qt.TextFormat) -> None:
        """Do nothing: the format stays plain."""


class StillLabel(PlainLabel):
    """A label as large as its text, for one that changes while a run goes on.

    Qt lays out everything around a label, up to the window, whenever its text changes, unless its
    size is fixed. With digits of one width, most numbers that go up move nothing.
    """

    def setText(self, text: str) -> None:
        """Show a text; the layout around hears of it only if another size is needed."""
        super().setText(text)
        hint = self.sizeHint()
        if hint != self.maximumSize():
            self.setFixedSize(hint)

    def changeEvent(self, event: QEvent) -> None:
        """Fit another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.setFixedSize(self.sizeHint())


class ElidedLabel(QWidget):
    """One line of plain text, cut to the width it gets; the whole text is the tooltip."""

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        *,
        tone: str = "t1",
        px: float = 12.0,
        weight: int = REGULAR,
        mono: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._mode, self._tone, self._text = theme, mode, tone, ""
        self._hint: QSize | None = None
        self.setFont(mono_font(px, weight) if mono else ui_font(px, weight))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        self.set_text(text)

    def text(self) -> str:
        """The whole text, uncut."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show a text; line ends and control characters stand as visible pictures."""
        if text == self._text:
            return
        before = self.sizeHint()
        self._text, self._hint = text, None
        self.setAccessibleName(one_line(text[:1000]))
        if self.sizeHint() != before:
            self.updateGeometry()
        self.update()

    def set_tone(self, tone: str) -> None:
        """Colour the text by a token or an outcome."""
        self._tone = tone
        self.update()

    def cut_text(self) -> str:
        """The text as it is drawn at the present width."""
        return elided(self._text, self.font(), self.width(), self._mode)

    def sizeHint(self) -> QSize:
        """Width of the whole text, up to 600 logical pixels."""
        if self._hint is None:
            metrics = QFontMetricsF(self.font())
            width = metrics.horizontalAdvance(one_line(self._text[:200]))
            self._hint = QSize(min(600, int(width) + 2), int(metrics.height()) + 2)
        return self._hint

    def minimumSizeHint(self) -> QSize:
        """Room for an ellipsis and some letters."""
        return QSize(min(32, self.sizeHint().width()), self.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        """Measure the text in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._hint = None
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the cut text and offer the whole one as a tooltip if something is missing."""
        text = self.cut_text()
        whole = text == one_line(self._text)
        self.setToolTip("" if whole else plain_tooltip(self._text))
        with QPainter(self) as painter:
            painter.setFont(self.font())
            painter.setPen(self._theme.palette.tone(self._tone if self.isEnabled() else "t3"))
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter), text)


def plain_tooltip(text: str) -> str:
    """The text made safe for Qt's tooltips, which take anything that looks like markup as such.

    At most 1,000 characters are kept.
    """
    cut = in_place(text if len(text) <= 1000 else text[:1000] + "\u2026")
    escaped = cut.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<span style='white-space:pre-wrap'>{escaped}</span>" if escaped else ""
