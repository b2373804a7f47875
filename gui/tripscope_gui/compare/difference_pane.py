"""First difference, and each later one: two events side by side."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QStackedLayout, QWidget

from tripscope.trace.events import AnyEvent
from tripscope_gui.actions import Command
from tripscope_gui.compare.comparison import Comparison
from tripscope_gui.compare.pane import ComparePane
from tripscope_gui.context import PaneContext
from tripscope_gui.event_selection import selection_for
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon
from tripscope_gui.panes import Place
from tripscope_gui.store.difference_facts import Fact, facts, place_words
from tripscope_gui.widgets.badge import Badge
from tripscope_gui.widgets.buttons import Button, IconButton, Kind
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.held_bar import HeldBar
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel


class DifferencePane(ComparePane):
    """The pair of events that is looked at; arrows go to the next and the previous one."""

    TITLE: ClassVar[str] = "First difference"
    PLACE: ClassVar[Place] = "bottom-right"
    ORDER: ClassVar[int] = 10

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, comparison, parent)
        theme = context.theme
        self.words = PlainLabel("", "t2", px=11)
        self.previous = IconButton(theme, Icon.CHEVRON_LEFT, "Previous difference (Shift+F8)")
        self.next = IconButton(theme, Icon.CHEVRON_RIGHT, "Next difference (F8)")
        self.open = Button(theme, "open", kind=Kind.LINK, small=True)
        self.open.setToolTip("Close Compare and select this event in its run")
        self.previous.clicked.connect(lambda: comparison.step(-1))
        self.next.clicked.connect(lambda: comparison.step(1))
        self.open.clicked.connect(self._open)
        self.empty = EmptyState(theme, "No event differs")
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._scroll)
        self.facts: list[Fact] = []
        comparison.moved.connect(self.renew)
        self._register()

    def head_widgets(self) -> list[QWidget]:
        return [self.words, self.previous, self.next, self.open]

    def show_comparison(self) -> None:
        found, pair, runs = self.compared, self.comparison.pair, self.runs
        self.facts = []
        self.previous.setEnabled(self.comparison.place > 0)
        total = len(found.diff.differing) if found is not None else 0
        self.next.setEnabled(self.comparison.place + 1 < total)
        self.open.setEnabled(pair is not None)
        if pair is None or runs is None or found is None:
            waiting = found is None and runs is not None
            self.empty.set_text("Comparing" if waiting else "No event differs")
            self.words.setText("")
            self._stack.setCurrentIndex(0)
            return
        number = f"{self.comparison.place + 1:,} of {found.diff.differ:,}"
        self.words.setText(f"{place_words(pair)} \N{MIDDLE DOT} {number}")
        self.facts = facts(pair)
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(5)
        for side in (0, 1):
            event = pair[side]
            title = PlainLabel(f"{runs[side].title} {_number(event)}", weight=SEMIBOLD)
            grid.addWidget(title, 0, 2 * side + 1)
            grid.setColumnStretch(2 * side + 1, 1)
            grid.setColumnMinimumWidth(2 * side + 1, 60)
        line = QFrame()
        line.setProperty("kind", "vrule")
        grid.addWidget(line, 0, 2, len(self.facts) + 2, 1)
        for number_, fact in enumerate(self.facts, 1):
            name = PlainLabel(fact.name, "t3")
            name.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            grid.addWidget(name, number_, 0)
            for side in (0, 1):
                grid.addWidget(self._value(fact, side), number_, 2 * side + 1)
        grid.setRowStretch(len(self.facts) + 1, 1)
        self._scroll.setWidget(body)
        self._stack.setCurrentIndex(1)

    def _value(self, fact: Fact, side: int) -> QWidget:
        theme, value = self.context.theme, fact.values[side]
        tone = ("removed" if side == 0 else "added") if fact.differs else "t1"
        if not value:
            return PlainLabel("\N{EN DASH}", "t3")
        if fact.kind == "held" and value.startswith("held"):
            return HeldBar(theme, value)
        if fact.kind == "outcome":
            return Badge(theme, value)
        mode = Qt.TextElideMode.ElideMiddle
        mono = fact.kind == "text"
        return ElidedLabel(theme, value, mode, tone=tone, px=11 if mono else 12, mono=mono)

    def _open(self) -> None:
        pair, runs = self.comparison.pair, self.runs
        if pair is None or runs is None:
            return
        side = 1 if pair[1] is not None else 0
        run, event = runs[side], pair[side]
        assert event is not None
        self.context.look_at(run)
        self.context.selection.set(selection_for(run.store, run.number, event))
        self.context.actions.trigger("run.compare")

    def _register(self) -> None:
        comparison = self.comparison

        def differing() -> bool:
            return self.isVisible() and comparison.pair is not None

        for id_, title, by, key in (
            ("compare.next", "Next difference", 1, "F8"),
            ("compare.previous", "Previous difference", -1, "Shift+F8"),
        ):
            self.context.actions.add(
                Command(id_, title, "Run", partial(comparison.step, by), (key,), differing, group=3)
            )


def _number(event: AnyEvent | None) -> str:
    return f"event {event.seq:,}" if event is not None else "has no such event"
