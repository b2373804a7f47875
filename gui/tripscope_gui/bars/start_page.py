"""What the window shows while no session is open: examples, the model, how to read a run."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from tripscope_gui.actions import key_text
from tripscope_gui.bars.example_rows import ExampleList
from tripscope_gui.bars.examples import examples, run_once
from tripscope_gui.bars.icon_label import IconLabel
from tripscope_gui.bars.reading_guide import ReadingGuide
from tripscope_gui.context import PaneContext
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon
from tripscope_gui.snippet_view import SnippetView
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import OUTCOMES, TypeSize
from tripscope_gui.widgets.badge import Badge
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.keycap import KeyCap
from tripscope_gui.widgets.labels import PlainLabel

_READING = (
    "One row a model chunk, one column after each processor.",
    "Amber hatching is text that was taken in and not yet let out.",
    "The blue line follows the selected chunk to the client.",
)
_WIDEST = 1300
_SNIPPET = 136
_GAP, _LOW_GAP = 28, 16
_ROOMY = 760
_KEYS = (
    ("view.palette", "find a command"),
    ("help.keys", "all keys"),
    ("run.replay", "replay"),
    ("run.freeze", "freeze"),
)


class StartPage(QScrollArea):
    """Two columns: what can be opened, and how to read what is then shown."""

    example_chosen = Signal(object)
    """An `Example` to open and run."""

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        # what is in it takes the keyboard, and is scrolled into view then
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("start page")
        self._context = context
        self._tried = False
        self._gaps: list[QSpacerItem] = []
        theme = context.theme
        page = QWidget()
        # before it is filled: a move looks up the style of all in it. `viewport` would name the
        # parent at once, but PySide makes all kinds of widgets to tell of which one that is, 20 ms
        self.setWidget(page)
        self._fill(page, theme)

    def _fill(self, page: QWidget, theme: Theme) -> None:
        outer = self._outer = QHBoxLayout(page)
        outer.setContentsMargins(24, 44, 24, 24)
        middle = QWidget(page)
        middle.setMaximumWidth(_WIDEST)
        outer.addStretch(1)
        outer.addWidget(middle, 100)
        outer.addStretch(1)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        title = "See what each processor did to every chunk"
        column.addWidget(PlainLabel(title, px=TypeSize.TITLE, weight=SEMIBOLD))
        column.addSpacing(8)
        subtitle = "Start with an example that has already run. It needs no key and no network."
        column.addWidget(PlainLabel(subtitle, "t2", px=TypeSize.BLOCK))
        column.addSpacing(28)
        halves = QHBoxLayout()
        halves.setSpacing(40)
        divider = QFrame(middle)
        divider.setProperty("kind", "vrule")
        self._left_half = self._left(theme, middle)
        halves.addLayout(self._left_half, 19)
        halves.addWidget(divider)
        halves.addLayout(self._right(theme, middle), 12)
        column.addLayout(halves)
        column.addStretch(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low = self.height() <= _ROOMY
        top, bottom = (14, 8) if is_low else (44, 24)
        self._outer.setContentsMargins(24, top, 24, bottom)
        self.examples.set_low(is_low)
        for gap in self._gaps:
            gap.changeSize(0, _LOW_GAP if is_low else _GAP)
        self._left_half.invalidate()

    def _gap(self) -> QSpacerItem:
        self._gaps.append(QSpacerItem(0, _GAP))
        return self._gaps[-1]

    async def try_examples(self) -> None:
        """Run each example once and say how it ended."""
        if not self._tried:
            self._tried = True
            for row in self.examples.rows:
                row.show_run(await run_once(row.example.path))

    def _left(self, theme: Theme, parent: QWidget) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addLayout(_section(theme, Icon.FILE, "Open an example"))
        column.addSpacing(8)
        self.examples = ExampleList(theme, examples(), parent)
        self.examples.opened.connect(self.example_chosen)
        column.addWidget(self.examples)
        column.addItem(self._gap())
        hint = "it is read, never executed"
        column.addLayout(_section(theme, Icon.CODE, "Paste a Mastra snippet", hint))
        column.addSpacing(8)
        self.snippet = SnippetView(theme, parent)
        self.snippet.setFixedHeight(_SNIPPET)
        column.addWidget(self.snippet)
        column.addItem(self._gap())
        hint = "only for live runs; examples and replays need none"
        column.addLayout(_section(theme, Icon.PLUG, "Connect a model", hint))
        column.addSpacing(8)
        column.addWidget(self._models(theme, parent))
        column.addItem(self._gap())
        column.addWidget(self._drop_zone(theme, parent))
        column.addStretch(1)
        return column

    def _models(self, theme: Theme, parent: QWidget) -> QFrame:
        card = QFrame(parent)
        card.setProperty("kind", "card")
        column = QVBoxLayout(card)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        ready = PlainLabel("\u2713 ready", "pass")
        column.addLayout(_model_row("Scripted", "chunks written in the session", ready))
        line = QFrame()
        line.setProperty("kind", "rule")
        column.addWidget(line)
        self.address = Button(theme, "Set address", small=True)
        self.address.clicked.connect(lambda _=False: self._context.actions.trigger("run.connect"))
        words = "any OpenAI-compatible address; a key if it wants one"
        column.addLayout(_model_row("Server", words, self.address))
        return card

    def _drop_zone(self, theme: Theme, parent: QWidget) -> QFrame:
        zone = _DropZone(theme, parent)
        line = QHBoxLayout(zone)
        line.setSpacing(8)
        line.addStretch(1)
        line.addWidget(PlainLabel("Drop a session or a saved trace anywhere in the window", "t2"))
        line.addWidget(PlainLabel("or", "t3"))
        self.choose = Button(theme, "choose a file", kind=Kind.LINK)
        self.choose.clicked.connect(lambda _=False: self._context.actions.trigger("file.open"))
        line.addWidget(self.choose)
        if "file.open" in self._context.actions:
            keys = key_text(self._context.actions.get("file.open"))
            line.addWidget(KeyCap(theme, keys, boxed=False))
        line.addStretch(1)
        return zone

    def _right(self, theme: Theme, parent: QWidget) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(PlainLabel("How to read a run", px=TypeSize.SECTION, weight=SEMIBOLD))
        column.addSpacing(14)
        column.addWidget(ReadingGuide(theme, parent))
        column.addSpacing(12)
        for sentence in _READING:
            column.addWidget(PlainLabel(sentence, "t2"))
            column.addSpacing(3)
        column.addSpacing(22)
        column.addWidget(PlainLabel("Eight outcomes", px=TypeSize.SECTION, weight=SEMIBOLD))
        column.addWidget(PlainLabel("a shape, a letter and a colour each", "t3"))
        column.addSpacing(8)
        column.addLayout(_outcomes(theme))
        column.addSpacing(18)
        line = QFrame()
        line.setProperty("kind", "rule")
        column.addWidget(line)
        column.addSpacing(12)
        column.addWidget(PlainLabel("Four keys to know", px=TypeSize.SECTION, weight=SEMIBOLD))
        column.addSpacing(8)
        column.addLayout(self._keys(theme))
        column.addStretch(1)
        return column

    def _keys(self, theme: Theme) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        for position, (command, words) in enumerate(_KEYS):
            if command not in self._context.actions:
                continue
            row, column = divmod(position, 2)
            keys = key_text(self._context.actions.get(command))
            grid.addWidget(KeyCap(theme, keys), row, column * 2)
            grid.addWidget(PlainLabel(words, "t2"), row, column * 2 + 1)
        return grid


class _DropZone(QFrame):
    """A dashed box; the whole window takes drops."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedHeight(56)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            pen = QPen(self._theme.palette.line2, 1, Qt.PenStyle.CustomDashLine)
            pen.setDashPattern([4, 3])
            painter.setPen(pen)
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))


def _section(theme: Theme, icon: Icon, title: str, hint: str = "") -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(8)
    line.addWidget(IconLabel(theme, icon))
    line.addWidget(PlainLabel(title, px=TypeSize.SECTION, weight=SEMIBOLD))
    line.addWidget(PlainLabel(hint, "t3"))
    line.addStretch(1)
    return line


def _model_row(name: str, words: str, right: QWidget) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setContentsMargins(16, 8, 16, 8)
    title = PlainLabel(name, weight=SEMIBOLD)
    title.setFixedWidth(174)
    title.setMinimumHeight(22)
    line.addWidget(title)
    line.addWidget(PlainLabel(words, "t2"), 1)
    line.addWidget(right)
    return line


def _outcomes(theme: Theme) -> QLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(6)
    grid.setColumnMinimumWidth(0, 114)
    grid.setColumnStretch(1, 1)
    for row, look in enumerate(OUTCOMES.values()):
        grid.addWidget(Badge(theme, look.name, size=17, tone="t1"), row, 0)
        grid.addWidget(PlainLabel(look.meaning, "t2"), row, 1)
    return grid
