"""A one-line editor for a pattern that marks a syntax error at its position."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QTextEdit, QWidget

from tripscope.patterns.units import utf16_len
from tripscope_gui.fonts import mono_font
from tripscope_gui.theme import Theme, set_style_property
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.pattern_colours import PatternColours


class PatternEdit(QPlainTextEdit):
    """Holds one line. Positions are UTF-16 units, as Qt and JavaScript count them."""

    edited = Signal(str)
    """A person changed the text; the program's own `set_text` does not tell."""

    def __init__(
        self, theme: Theme, name: str, parent: QWidget | None = None, *, coloured: bool = True
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quiet = False
        self._known = ""
        self._error: int | None = None
        self._stop: tuple[int, int] | None = None
        self.setAccessibleName(name)
        self.setProperty("kind", "field")
        self.setFont(mono_font(TypeSize.EDITOR_MONO))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(28)
        self.document().setDocumentMargin(4)
        # a pattern is code, whatever letters it begins with
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self.document().setDefaultTextOption(option)
        self._colours = PatternColours(theme, self.document()) if coloured else None
        self.textChanged.connect(self._on_changed)
        theme.changed.connect(self._mark)

    def set_roomy(self, roomy: bool) -> None:
        """Stand alone, in larger letters, or in a line of fields."""
        self.setFont(mono_font(TypeSize.PATTERN_MONO if roomy else TypeSize.EDITOR_MONO))
        self.document().setDefaultFont(self.font())
        self.setFixedHeight(40 if roomy else 28)
        self.document().setDocumentMargin(9 if roomy else 4)

    def set_text(self, text: str) -> None:
        """Show another pattern; the caret stays where it was if the text is the same."""
        if text != self.toPlainText():
            self._quiet = True
            self.setPlainText(text)
            self._quiet = False

    def set_error(self, position: int | None) -> None:
        """Mark the place of a syntax error, or none."""
        self._error = position
        set_style_property(self, "invalid", position is not None)
        self._mark()

    def set_stop(self, stop: tuple[int, int] | None) -> None:
        """Underline the part at which a search stops, or none."""
        if stop != self._stop:
            self._stop = stop
            self._mark()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is not part of a pattern: it goes on to whoever wants it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
            return
        super().keyPressEvent(event)

    def insertFromMimeData(self, source: object) -> None:
        text = getattr(source, "text", str)()
        self.insertPlainText(text.replace("\r\n", "\\n").replace("\n", "\\n"))

    def _on_changed(self) -> None:
        text = self.toPlainText()
        # colours are changes of the document too
        if text != self._known:
            self._known = text
            if not self._quiet:
                self.edited.emit(text)

    def _mark(self) -> None:
        styles = QTextCharFormat.UnderlineStyle
        length = utf16_len(self.toPlainText())
        if self._error is not None:
            start = min(self._error, max(length - 1, 0))
            self._underline(start, min(start + 1, length), styles.WaveUnderline)
        elif self._stop is not None and self._stop[1] <= length:
            self._underline(*self._stop, styles.DashUnderline)
        else:
            self.setExtraSelections([])

    def _underline(self, start: int, end: int, style: QTextCharFormat.UnderlineStyle) -> None:
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        selection = QTextEdit.ExtraSelection()
        line = QTextCharFormat()
        line.setUnderlineStyle(style)
        line.setUnderlineColor(self._theme.palette.removed)
        line.setBackground(self._theme.palette.removed_ground)
        selection.format = line
        selection.cursor = cursor
        self.setExtraSelections([selection])
