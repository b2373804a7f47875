"""After a replay: what the edit changed, as numbers that lead to the place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from tripscope.trace.checks import DECIDED
from tripscope.trace.diff import RunDiff
from tripscope_gui.bars import formats
from tripscope_gui.bars.checks_strip import STATES, TITLES
from tripscope_gui.compare.comparison import Compared, Comparison
from tripscope_gui.context import PaneContext
from tripscope_gui.finding_selection import selection_of
from tripscope_gui.fonts import SEMIBOLD, ui_font
from tripscope_gui.icons import Icon
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.run_times import first_text_row
from tripscope_gui.store.workspace import Run
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Height, TypeSize
from tripscope_gui.widgets.buttons import Button, IconButton, Kind
from tripscope_gui.widgets.check_item import CheckItem
from tripscope_gui.widgets.labels import PlainLabel

_PAD: Final = 11


class Fact(Struct, frozen=True):
    """One number of the strip; ``tone`` and ``ground`` are tokens of the theme."""

    number: str
    words: str
    tone: str
    ground: str
    follow: Callable[[], None]


class FactButton(QPushButton):
    """A number and its words in a tinted box."""

    def __init__(self, theme: Theme, fact: Fact, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.fact = theme, fact
        self.setAccessibleName(f"{fact.number} {fact.words}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda _=False: fact.follow())
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(int(self._number_width() + self._words_width()) + 2 * _PAD + 7, 24)

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette = self._theme.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            tone = palette.tone(self.fact.tone)
            painter.setPen(QPen(palette.accent if self.hasFocus() else tone, 1))
            painter.setBrush(palette.tone(self.fact.ground))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            flags = int(Qt.AlignmentFlag.AlignVCenter)
            painter.setPen(tone)
            painter.setFont(_number_font())
            painter.drawText(
                QRectF(_PAD, 0, self._number_width() + 2, self.height()), flags, self.fact.number
            )
            painter.setPen(palette.t1)
            painter.setFont(ui_font(TypeSize.BODY))
            left = _PAD + self._number_width() + 7
            painter.drawText(
                QRectF(left, 0, self.width() - left, self.height()), flags, self.fact.words
            )

    def _number_width(self) -> float:
        return QFontMetricsF(_number_font()).horizontalAdvance(self.fact.number)

    def _words_width(self) -> float:
        return QFontMetricsF(ui_font(TypeSize.BODY)).horizontalAdvance(self.fact.words)


class ChangeStrip(QFrame):
    """Shown for a run that came after another one; closed by its cross or another run."""

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("kind", "bar")
        self.setFixedHeight(Height.CHECKS)
        self.setAccessibleName("what the edit changed")
        self._context, self._comparison = context, comparison
        self._run: Run | None = None
        self._kept = False
        self.buttons: list[FactButton] = []
        self._head = PlainLabel("After your edit", weight=SEMIBOLD)
        self._which = PlainLabel("", "t3")
        self._facts = QHBoxLayout()
        self._facts.setSpacing(8)
        self.check = CheckItem(context.theme, TITLES[DECIDED])
        self.open_compare = Button(context.theme, "Compare", kind=Kind.LINK, small=True)
        self.open_compare.clicked.connect(lambda: context.actions.trigger("run.compare"))
        self.rechunk = Button(context.theme, "Re-chunk", kind=Kind.LINK, small=True)
        self.rechunk.setToolTip("Proves it: sends the text through the chain again, cut everywhere")
        self.rechunk.clicked.connect(lambda: context.actions.trigger("run.rechunk"))
        close = IconButton(context.theme, Icon.CROSS, "Close")
        close.clicked.connect(self.hide)
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 0, 12, 1)
        line.setSpacing(8)
        line.addWidget(self._head)
        line.addWidget(self._which)
        line.addLayout(self._facts)
        line.addStretch(1)
        line.addWidget(self.check)
        line.addWidget(self.rechunk)
        line.addWidget(self.open_compare)
        line.addWidget(close)
        self.hide()
        context.store_changed.connect(self._on_store_changed)
        comparison.changed.connect(self._on_compared)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, Height.CHECKS)

    @property
    def kept(self) -> bool:
        """Whether it stays whatever run is looked at, as it does while Compare is open."""
        return self._kept

    @kept.setter
    def kept(self, kept: bool) -> None:
        if kept == self._kept:
            return
        self._kept = kept
        self.open_compare.setVisible(not kept)
        self._on_compared()
        self._on_store_changed()

    def show_run(self, run: Run) -> None:
        """Compare a run that finished just now with the one before it; to be called for each.

        That is the baseline, if there is one; else the run that it replays; else the last one.
        """
        before = self._before(run)
        if run.source is not None or run.entry is not None or run is not self._context.run:
            return
        if before is not None:
            self._run = run
            self._comparison.set_pair(before, run)

    def _before(self, run: Run) -> Run | None:
        workspace = self._context.workspace
        if workspace.baseline not in (None, run):
            return workspace.baseline
        if run.parent is not None:
            return workspace.by_number(run.parent)
        earlier = [other for other in workspace if other.number < run.number]
        return earlier[-1] if earlier else None

    def _on_compared(self) -> None:
        runs, found = self._comparison.runs, self._comparison.compared
        if runs is None or found is None:
            return
        if self.kept or runs[1] is self._run is self._context.run:
            self._show(runs[0], runs[1], found)

    def _on_store_changed(self) -> None:
        if self._context.run is not self._run and not self.kept:
            self.hide()
        if self._run not in self._context.workspace.runs:
            self._run = None

    def _show(self, before: Run, run: Run, found: Compared) -> None:
        self._head.setText(_head_words(run, before, edited=bool(found.edits)))
        self._which.setText(f"run {run.number} against run {before.number}")
        while (item := self._facts.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self.buttons = [
            FactButton(self._context.theme, fact) for fact in self._list(before, run, found.diff)
        ]
        for button in self.buttons:
            self._facts.addWidget(button)
        self._show_check(found)
        self.open_compare.setVisible(not self.kept)
        self.show()

    def _show_check(self, found: Compared) -> None:
        """The check that a leak is told by, where its result is another one now."""
        old, new = (
            next((check for check in side if check.name == DECIDED), None) for side in found.checks
        )
        if old is None or new is None or old.verdict == new.verdict:
            self.check.hide()
            return
        was = STATES[old.verdict]
        self.check.set_state(STATES[new.verdict], f"was {was}: {old.detail}")
        self.check.show()

    def _list(self, before: Run, run: Run, diff: RunDiff) -> list[Fact]:
        facts: list[Fact] = []
        for change, sign, tone, ground, words in (
            ("added", "+", "added", "added_ground", "finding"),
            ("removed", "\u2212", "removed", "removed_ground", "finding"),
            ("moved", "", "changed", "tint_violet", "moved"),
            ("replaced", "\u2260", "changed", "tint_violet", "replaced"),
        ):
            found = [entry for entry in diff.findings if entry.change == change]
            if not found:
                continue
            number = f"{sign}{len(found)}"
            if words == "finding" and len(found) > 1:
                words = "findings"
            target = found[0].after or found[0].before
            where = run if found[0].after is not None else before

            def follow(where: Run = where, finding: object = target) -> None:
                self._follow_finding(where, finding)

            facts.append(Fact(number, words, tone, ground, follow))
        if diff.output_changed:
            facts.append(
                Fact("\u2260", "output changed", "changed", "tint_violet", self._follow_output)
            )
        by = _later(before.store, run.store)
        if by:
            sign, word = ("+", "later") if by > 0 else ("\u2212", "earlier")
            number = f"{sign}{formats.duration(abs(by))}"
            facts.append(Fact(number, f"first text {word}", "t2", "pane", self._follow_time))
        if not facts:
            facts.append(Fact("=", "nothing changed", "t2", "pane", self._follow_output))
        return facts

    def _follow_finding(self, run: Run, finding: object) -> None:
        if self.kept:
            self._comparison.follow_finding(finding)
            self._context.show_pane("Findings")
            return
        found = next((f for f in run.store.findings if f == finding), None)
        self._context.look_at(run)
        if found is not None:
            self._context.selection.set(selection_of(run.number, run.store, found))
        self._context.show_pane("Findings")

    def _follow_output(self) -> None:
        self._follow_in_compare("Text that left")

    def _follow_time(self) -> None:
        self._follow_in_compare("Time")

    def _follow_in_compare(self, pane: str) -> None:
        if not self.kept:
            self._context.actions.trigger("run.compare")
        self._context.show_pane(pane)


def _head_words(run: Run, before: Run, *, edited: bool) -> str:
    """What was done between the two runs."""
    if edited:
        return "After your edit"
    return "Replayed unchanged" if run.parent == before.number else "Run again unchanged"


def _number_font() -> QFont:
    return ui_font(TypeSize.SECTION, SEMIBOLD)


def _later(before: RunStore, after: RunStore) -> int:
    """How much later the client's first text left, in ns.

    Told by the chunk with which it left, on the clock of one run: the two runs' own clocks differ
    by what the machine was doing.
    """
    old, new = first_text_row(before), first_text_row(after)
    if old is None or new is None or max(old.number, new.number) >= len(after.rows):
        return 0
    return int(after.rows[new.number].time - after.rows[old.number].time)
