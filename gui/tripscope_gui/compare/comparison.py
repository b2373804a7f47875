"""Two runs of the window against each other: which, and what differs. All compare views read it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from tripscope.trace.chain_diff import Chain, Edit, chain_diff
from tripscope.trace.checks import Check
from tripscope.trace.diff import Comparing, Pair, RunDiff
from tripscope.trace.reasons import reason
from tripscope_gui.context import PaneContext
from tripscope_gui.pacer import Pacer
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.checks import checks_of
from tripscope_gui.store.rule_order import RuleOrder, chosen_looks
from tripscope_gui.store.workspace import Run
from tripscope_gui.threads import in_thread

_AT_ONCE: Final = 2500
"""Events of both runs that are compared without giving the window a turn."""
_SLICE: Final = 256
_SLICE_NS: Final = 4_000_000
_WAIT_SECONDS: Final = 0.05


class Compared(Struct, frozen=True):
    """What came out. ``reasons``: one for each of the diff's findings, in order."""

    diff: RunDiff
    edits: list[Edit]
    reasons: list[str]
    checks: tuple[list[Check], list[Check]]
    rules: RuleOrder
    """Numbers of rules in both runs, so that a rule looks the same on both sides."""


class Comparison(QObject):
    """``before`` is the baseline, ``after`` what is set against it."""

    changed = Signal()
    """Another pair, or its result is there."""
    progressed = Signal()
    """`percent` is another."""
    moved = Signal()
    """Another of the differing events is looked at."""
    filtered = Signal()
    """`different_only` was switched."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self._context = context
        self.before: Run | None = None
        self.after: Run | None = None
        self.compared: Compared | None = None
        self.percent = 0
        """How much of a comparison at work is done."""
        self._different_only = True
        self._place = 0
        self._asked = 0
        context.store_changed.connect(self._forget_gone)

    # reading

    @property
    def runs(self) -> tuple[Run, Run] | None:
        """Both runs; None until two were set."""
        return (self.before, self.after) if self.before and self.after else None

    @property
    def different_only(self) -> bool:
        """Whether views leave out what is the same in both."""
        return self._different_only

    @property
    def pair(self) -> Pair | None:
        """The differing events that are looked at; None: nothing differs."""
        found = self.compared
        if found is None or not found.diff.differing:
            return None
        return found.diff.differing[self._place]

    @property
    def place(self) -> int:
        """Which of the differing pairs is looked at, from 0."""
        return self._place

    # doing

    def set_pair(self, before: Run | None, after: Run | None) -> None:
        """Compare two runs; the result may take a while for long ones."""
        self.before, self.after, self.compared, self._place = before, after, None, 0
        self.percent = 0
        self._asked += 1
        runs = self.runs
        self._context.workspace.compared = runs or ()
        if runs is None:
            self.changed.emit()
            return
        before, after = runs
        short = len(before.store.events) + len(after.store.events) <= _AT_ONCE
        if before.complete and after.complete and short:
            comparing = _comparing(before.store, after.store)
            for _ in comparing.steps():
                pass
            checks = (checks_of(before.store), checks_of(after.store))
            looks = chosen_looks(self._context.session.session)
            self._take(_compared(runs, comparing.result(), checks, looks))
            return
        self.changed.emit()
        self._context.tasks.start(self._compare(before, after, self._asked), "compare two runs")

    def swap(self) -> None:
        """Change sides."""
        self.set_pair(self.after, self.before)

    def set_different_only(self, on: bool) -> None:
        """Leave out what is the same in both, or show it."""
        if on != self._different_only:
            self._different_only = on
            self.filtered.emit()

    def step(self, by: int) -> None:
        """Look at another differing pair."""
        self.go(self._place + by)

    def go(self, place: int) -> None:
        """Look at the differing pair of that number, as far as there is one."""
        found = self.compared
        if found is not None and 0 <= place < len(found.diff.differing) and place != self._place:
            self._place = place
            self.moved.emit()

    def follow_finding(self, finding: object) -> None:
        """Look at the differing pair that a finding is in, if it is in one."""
        found = self.compared
        for place, pair in enumerate(found.diff.differing if found is not None else ()):
            if any(event == finding for event in pair):
                self.go(place)
                return

    # inside

    async def _compare(self, before: Run, after: Run, asked: int) -> None:
        for run in (before, after):
            if not await self._context.runs.ensure(run):
                return
        await self._context.turns.shown()
        pace = Pacer(_SLICE_NS)
        for run in (before, after):
            while run.store.collect(_SLICE):
                await pace()
        comparing = _comparing(before.store, after.store)
        steps = comparing.expected_steps
        for number, _ in enumerate(comparing.steps()):
            await pace()
            await self._runs_first()
            if asked != self._asked:
                return
            percent = min(99, 100 * number // steps)
            if percent != self.percent:
                self.percent = percent
                self.progressed.emit()
        checks = [await in_thread(checks_of, run.store) for run in (before, after)]
        looks = chosen_looks(self._context.session.session)

        def finish() -> Compared:
            return _compared((before, after), comparing.result(), (checks[0], checks[1]), looks)

        compared = await in_thread(finish)
        if asked == self._asked:
            self._take(compared)

    async def _runs_first(self) -> None:
        """Wait while a run is at work, until all of it is shown."""
        while not self._context.runs.settled:  # noqa: ASYNC110 - one run may follow another
            await asyncio.sleep(_WAIT_SECONDS)
        await self._context.turns.shown()

    def _take(self, compared: Compared) -> None:
        self.compared = compared
        self.changed.emit()

    def _forget_gone(self) -> None:
        known: Sequence[Run] = self._context.workspace.runs
        if self.runs is not None and not all(run in known for run in self.runs):
            self.set_pair(None, None)


def _comparing(before: RunStore, after: RunStore) -> Comparing:
    """Of a run that is over nothing is put together again."""
    over = before.over and after.over
    collected = (before.collector, after.collector) if over else None
    return Comparing(before.events, after.events, collected)


def _compared(
    runs: tuple[Run, Run],
    diff: RunDiff,
    checks: tuple[list[Check], list[Check]],
    looks: dict[str, int],
) -> Compared:
    """All that views show; called in a thread for long runs."""
    started = [run.store.started for run in runs]
    chains = Chain(started[0]), Chain(started[1])
    return Compared(
        diff,
        chain_diff(*started),
        [reason(change, *chains) for change in diff.findings],
        checks,
        _rules(*runs, looks),
    )


def _rules(before: Run, after: Run, looks: dict[str, int]) -> RuleOrder:
    order = RuleOrder()
    order.choose(looks)
    for name in (*before.store.rules.names, *after.store.rules.names):
        order.number(name)
    return order
