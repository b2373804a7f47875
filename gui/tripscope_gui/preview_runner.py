"""Runs the rules on a text while they are typed: late enough, in a thread, newest result only."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal

from tripscope import patterns
from tripscope_gui.context import PaneContext
from tripscope_gui.store.rule_preview import (
    Finder,
    Preview,
    PreviewMatch,
    Replaced,
    RuleSet,
    groups_of,
    replaced,
    rule_sets,
)
from tripscope_gui.store.run_text import RunText, run_text
from tripscope_gui.threads import in_thread

DEBOUNCE_MS: Final = 60
Source: TypeAlias = Literal["run", "scratch"]
SAMPLE: Final = (
    "Hello, this is ann.lee@example.test writing.\n"
    "Call (415) 555-0132 before noon.\n"
    "Card 4111 1111 1111 1111, valid until 09/28.\n"
)


class PreviewRunner(QObject):
    """Keeps `preview` up to date for as long as somebody watches."""

    done = Signal()
    """`preview` is a new one."""
    pointed = Signal()
    """Another match of the text was pointed to."""
    text_changed = Signal()
    """Another text is looked at."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self._context = context
        self.preview = Preview()
        self.replaced: Replaced | None = Replaced()
        self.number = 0
        """How many results there were."""
        self.source: Source = "scratch"
        self.scratch = SAMPLE
        self._pointed: PreviewMatch | None = None
        self.selected: tuple[int, int] | None = None
        """What a person selected in the text, UTF-16 units."""
        self._run_text = RunText()
        self._watchers: set[QObject] = set()
        self._replacers: set[QObject] = set()
        self._wanted = 0
        self._working = self._due = False
        self._finder = Finder()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._fire)

    # the text

    @property
    def text(self) -> str:
        """The text that is searched."""
        return self._run_text.text if self.source == "run" else self.scratch

    @property
    def run_title(self) -> str:
        """Where the run's text comes from; empty without one."""
        return self._run_text.title

    def set_source(self, source: Source) -> None:
        """Search the run's text or the scratch text."""
        if source != self.source:
            self.source = source
            self.selected = None
            self.text_changed.emit()
            self.request()

    def set_scratch(self, text: str) -> None:
        """Another scratch text was typed."""
        if text != self.scratch:
            self.scratch = text
            if self.source == "scratch":
                self.request()

    def follow_run(self) -> None:
        """Take the text that the run and the selection now point to."""
        store = self._context.store
        found = run_text(store, self._context.selection.current) if store else RunText()
        if found == self._run_text:
            return
        self._run_text = found
        if self.source == "run":
            self.text_changed.emit()
            self.request()

    # one match

    @property
    def pointed_to(self) -> PreviewMatch | None:
        """The match that was pointed to last, while the text still has it."""
        return self._pointed if self._pointed in self.preview.matches else None

    def point_to(self, match: PreviewMatch) -> None:
        """Point to a match of `preview`."""
        self._pointed = match
        self.pointed.emit()

    def groups(self) -> patterns.Match | None:
        """The match that was pointed to, with its groups."""
        match = self.pointed_to
        return groups_of(self.preview.text, match) if match is not None else None

    # watching

    def watch(self, watcher: QObject, on: bool, *, replacing: bool = False) -> None:
        """Results are made while at least one watches; ``replacing``: the replaced text too."""
        before = (bool(self._watchers), bool(self._replacers))
        (self._watchers.add if on else self._watchers.discard)(watcher)
        (self._replacers.add if on and replacing else self._replacers.discard)(watcher)
        now = (bool(self._watchers), bool(self._replacers))
        if now != before and on:
            self.request()

    @property
    def watched(self) -> bool:
        """Whether anybody looks at the text."""
        return bool(self._watchers)

    def request(self) -> None:
        """Something changed: search again, soon."""
        self._wanted += 1
        if self._watchers:
            self._timer.start()

    @property
    def fresh(self) -> bool:
        """Whether `preview` is that of the rules and the text as they stand."""
        return not self._timer.isActive() and not self._working

    def _fire(self) -> None:
        if self._working:
            self._due = True
        else:
            self._context.tasks.start(self._work(), "preview of the rules")

    async def _work(self) -> None:
        self._working = True
        try:
            while True:
                self._due = False
                await self._once()
                if not self._due:
                    return
        finally:
            self._working = False

    async def _once(self) -> None:
        wanted, text = self._wanted, self.text
        session = self._context.session.session

        def stale() -> bool:
            return wanted != self._wanted

        def work() -> tuple[tuple[RuleSet, ...], Preview | None]:
            sets = rule_sets(session)
            return sets, self._finder.find(text, sets, stale)

        sets, found = await in_thread(work)
        if found is None or stale():
            return
        self.preview = found
        self.number += 1
        if self._replacers:
            self.replaced = None
        self.done.emit()
        if self._replacers and not stale():
            after = await in_thread(replaced, text, sets)
            if not stale():
                self.replaced = after
                self.done.emit()
