"""A Mastra snippet on the left, what was read of it on the right; it is never executed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from tripscope_gui.delegates.rules import draw_swatch
from tripscope_gui.delegates.texts import elided, in_place
from tripscope_gui.fonts import SEMIBOLD, mono_font, ui_font
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Space, TypeSize
from tripscope_gui.widgets.buttons import Button
from tripscope_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from tripscope.session.model import ProcessorSpec, Session

_WAIT_MS: Final = 120
_HINT: Final = """new RegexFilterProcessor({
  presets: ['pii'],
  rules: [{ name: 'order-id', pattern: /ORD-\\d{6}/g,
            replacement: '[ORDER_ID]' }],
  strategy: 'redact',
})"""


class SnippetView(QFrame):
    """Reads while it is typed."""

    session_wanted = Signal(object)
    """A `Session` to open, made of what was read."""
    processors_wanted = Signal(object)
    """List of `ProcessorSpec` to add to the open session's chain."""

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, can_add: bool = False
    ) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self._theme = theme
        self._found: tuple[ProcessorSpec, ...] = ()
        self.edit = QPlainTextEdit()
        self.edit.setAccessibleName("Mastra snippet")
        self.edit.setFont(mono_font(TypeSize.EDITOR_MONO))
        self.edit.setPlaceholderText(_HINT)
        self.edit.setTabChangesFocus(True)
        self.edit.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.edit.document().setDocumentMargin(10)
        self.title = PlainLabel("", weight=SEMIBOLD)
        self.title.setWordWrap(True)
        self.names = _RuleNames(theme)
        self.notes = PlainLabel("", "t2", px=TypeSize.LABEL)
        self.notes.setWordWrap(True)
        self.make = Button(theme, "Make a session", small=True)
        self.add = Button(theme, "Add to the chain", small=True)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(Space.WIDE, Space.WIDE, Space.WIDE, Space.WIDE)
        column.setSpacing(Space.BASE)
        column.addWidget(self.title)
        column.addWidget(self.names)
        column.addWidget(self.notes)
        column.addStretch(1)
        last = QHBoxLayout()
        last.addStretch(1)
        last.addWidget(self.add)
        last.addWidget(self.make)
        column.addLayout(last)
        rule = QFrame()
        rule.setProperty("kind", "vrule")
        line = QHBoxLayout(self)
        line.setContentsMargins(1, 1, 1, 1)
        line.setSpacing(0)
        line.addWidget(self.edit, 13)
        line.addWidget(rule)
        line.addWidget(side, 7)
        # shown before it lay in this view, it would be a window for a moment
        self.add.setVisible(can_add)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self.read)
        self.edit.textChanged.connect(self._timer.start)
        self.make.clicked.connect(self._on_make)
        self.add.clicked.connect(lambda: self.processors_wanted.emit(list(self._found)))
        self._show_nothing()

    def read(self) -> None:
        """Read the snippet as it stands."""
        source = self.edit.toPlainText()
        self.edit.setExtraSelections([])
        if not source.strip():
            self._show_nothing()
            return
        from tripscope.session.typescript import SnippetError, parse_snippet

        try:
            snippet = parse_snippet(source)
        except SnippetError as error:
            self._found = ()
            self.title.set_tone("fail")
            self.title.setText(f"\u2715 line {error.line}, column {error.column}")
            self.notes.setText(str(error).partition(": ")[2])
            self.names.show_names(())
            self._mark(source, error.at)
            self._enable()
            return
        self._found = snippet.processors
        names = _rule_names(snippet.processors)
        processors, rules = len(snippet.processors), len(names)
        self.title.set_tone("pass")
        self.title.setText(
            f"\u2713 {processors} processor{'s' * (processors != 1)},"
            f" {rules} rule{'s' * (rules != 1)}"
        )
        self.names.show_names(names)
        self.notes.setText("\n".join((*snippet.notes, *_defaults(snippet.processors))))
        self._enable()

    def _show_nothing(self) -> None:
        self._found = ()
        self.title.set_tone("t3")
        self.title.setText("Nothing read yet")
        self.names.show_names(())
        self.notes.setText("")
        self._enable()

    def _enable(self) -> None:
        self.make.setEnabled(bool(self._found))
        self.add.setEnabled(bool(self._found))

    def _mark(self, source: str, at: int) -> None:
        # late: PySide makes all that these name, which no first frame needs
        from PySide6.QtGui import QTextCharFormat, QTextCursor
        from PySide6.QtWidgets import QTextEdit

        units = len(source[:at].encode("utf-16-le", "surrogatepass")) // 2
        cursor = QTextCursor(self.edit.document())
        end = self.edit.document().characterCount() - 1
        cursor.setPosition(min(units, max(0, end - 1)))
        cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor)
        selection = QTextEdit.ExtraSelection()
        wave = QTextCharFormat()
        wave.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        wave.setUnderlineColor(self._theme.palette.removed)
        wave.setBackground(self._theme.palette.removed_ground)
        selection.format, selection.cursor = wave, cursor
        self.edit.setExtraSelections([selection])

    def _on_make(self) -> None:
        if self._found:
            self.session_wanted.emit(session_of(list(self._found)))


class _RuleNames(QWidget):
    """Swatches and names, as many as fit."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._names: tuple[str, ...] = ()
        theme.changed.connect(self.update)

    def show_names(self, names: tuple[str, ...]) -> None:
        self._names = names
        self.setAccessibleName(f"rules: {', '.join(names)}" if names else "no rules")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 18 * min(4, (len(self._names) + 1) // 2))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setFont(ui_font(TypeSize.BODY))
            half = self.width() / 2
            most = 2 * max(1, self.height() // 18)
            for number, name in enumerate(self._names[:most]):
                row, column = divmod(number, 2)
                box = QRectF(column * half, row * 18, half - 6, 18)
                if number == most - 1 and len(self._names) > most:
                    name = f"and {len(self._names) - most + 1} more"
                else:
                    draw_swatch(
                        painter,
                        QRectF(box.left(), box.top() + 3, 12, 12),
                        number,
                        self._theme.palette,
                    )
                painter.setPen(self._theme.palette.t1)
                words = box.adjusted(18, 0, 0, 0)
                line = elided(name, painter.font(), words.width())
                painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter), line)


def _rule_names(specs: tuple[ProcessorSpec, ...]) -> tuple[str, ...]:
    from tripscope.rules.presets import PRESETS

    names: list[str] = []
    for spec in specs:
        for preset in spec.options.get("presets") or ():
            names += [rule.name for rule in PRESETS.get(preset, ())]
        names += [in_place(rule.name) for rule in spec.rules]
    return tuple(names)


def _defaults(specs: tuple[ProcessorSpec, ...]) -> list[str]:
    """What a filter does where the snippet says nothing."""
    words: list[str] = []
    for spec in specs:
        if spec.type == "regex-filter":
            for key, default in (("strategy", "block"), ("phase", "all")):
                if key not in spec.options:
                    words.append(f"{key} not given, so it is {default}")
    return list(dict.fromkeys(words))


def session_of(specs: list[ProcessorSpec]) -> Session:
    """A session around processors, with a prompt and an answer to try them on."""
    from tripscope.session.model import ModelChoice, ScriptedResponse, Session

    text: list[object] = ["Write to ann.lee@exam", "ple.test or call (415) 555-", "0132."]
    script = [ScriptedResponse.model_validate({"text": text})]
    return Session(
        name="Pasted snippet",
        description="Made of a Mastra snippet; prompt and answer are samples.",
        chain=specs,
        prompts=["How do I reach Ann Lee?"],
        model=ModelChoice(script=script),
    )


class SnippetDialog(QDialog):
    """The view in a window of its own; it stays open beside the main one."""

    def __init__(self, theme: Theme, parent: QWidget, *, can_add: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle("Paste a Mastra snippet")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.view = SnippetView(theme, can_add=can_add)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.WIDE, Space.WIDE, Space.WIDE, Space.WIDE)
        hint = "It is read, never executed."
        column.addWidget(PlainLabel(hint, "t2", px=TypeSize.LABEL))
        column.addWidget(self.view)
        self.view.session_wanted.connect(lambda _session: self.close())
        self.view.processors_wanted.connect(lambda _specs: self.close())
        self.resize(820, 340)
