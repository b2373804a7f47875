"""The strip under the run bar: the four checks on the stream of the run that is looked at."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from tripscope.trace import checks
from tripscope_gui.context import PaneContext
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Span
from tripscope_gui.store.checks import checks_of
from tripscope_gui.store.chunk_rows import ChunkRow
from tripscope_gui.threads import in_thread
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.check_item import CheckItem, CheckState
from tripscope_gui.widgets.labels import PlainLabel, plain_tooltip

TITLES: Final = {
    checks.JOINED: "Joined = whole",
    checks.DECIDED: "Nothing left before decided",
    checks.ACCOUNTED: "All characters accounted for",
    checks.KINDS: "Kinds",
}
STATES: Final = {
    "pass": CheckState.PASS,
    "fail": CheckState.FAIL,
    "not made": CheckState.NOT_MADE,
    "unscanned": CheckState.UNSCANNED,
}
_WORTH: Final = {
    CheckState.NOT_MADE: 0,
    CheckState.PASS: 1,
    CheckState.SO_FAR: 1,
    CheckState.UNSCANNED: 2,
    CheckState.FAIL: 3,
}
_AT_ONCE: Final = 1_500
"""Events up to which the checks are made between two frames; more go to a thread."""
_SO_FAR_MS: Final = 250


class ChecksStrip(QFrame):
    """One item per check; a failing one links to where it fails first."""

    checked = Signal(object)
    """The list of `tripscope.trace.checks.Check` of the run that is looked at."""

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "bar")
        self.setFixedHeight(Height.CHECKS)
        self.setAccessibleName("checks")
        self._context = context
        self.results: list[checks.Check] = []
        self.items = {name: CheckItem(context.theme, title) for name, title in TITLES.items()}
        self._shown: dict[str, tuple[CheckState, str, str]] = {}
        line = self._line = QHBoxLayout(self)
        line.setContentsMargins(12, 0, 12, 1)
        line.setSpacing(6)
        self._name = PlainLabel("Checks, UTF-16", "t3")
        line.addWidget(self._name)
        for name, item in self.items.items():
            item.link_activated.connect(lambda n=name: self.follow(n))
            line.addWidget(item)
        line.addStretch(1)
        self._timer = QTimer(self)
        self._timer.setInterval(_SO_FAR_MS)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.refresh)
        self.refresh()
        context.store_changed.connect(self.refresh)
        context.events_appended.connect(self._on_events)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, Height.CHECKS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def refresh(self) -> None:
        """Make the checks anew on what is there."""
        store = self._context.store
        if store is None or not store.events:
            self._show_none("no stream yet")
        elif len(store.events) <= _AT_ONCE:
            self._show(store, _run(store))
        elif store.over:
            self._show_none("checking")
            self._context.tasks.start(self._check_in_thread(store), "checks of a long run")
        else:
            self._show_none("checked at the end")

    def follow(self, name: str) -> None:
        """Select the place that the result of a check speaks of."""
        found = next((check for check in self.results if check.name == name), None)
        store = self._context.store
        if found is None or found.place is None or store is None:
            return
        place = found.place
        row = store.rows.of_index(place.index)
        finding = next(
            (
                f.seq
                for f in store.findings
                if (f.step, f.attempt, f.processor, f.rule)
                == (place.step, place.attempt, place.processor, place.rule)
                and (f.start, f.end) == (place.start, place.end)
            ),
            None,
        )
        self._context.selection.select(
            step=place.step,
            attempt=place.attempt,
            processor=place.processor,
            hook="processOutputStream",
            row=row.number if row is not None else None,
            finding=finding,
            rule=place.rule,
            span=_span(store, place, row),
        )

    async def _check_in_thread(self, store: RunStore) -> None:
        await self._context.turns.shown()
        results = await in_thread(_run, store)
        if store is self._context.store:
            self._show(store, results)

    def _on_events(self, _first: int, _end: int) -> None:
        store = self._context.store
        if store is not None and store.over:
            self._timer.stop()
            self.refresh()
        elif not self._timer.isActive():
            self._timer.start()

    def _show(self, store: RunStore, results: list[checks.Check]) -> None:
        self.results = results
        for check in results:
            item = self.items.get(check.name)
            if item is None:
                continue
            state = STATES[check.verdict]
            detail = check.detail
            link = self._link(store, check)
            if not store.over and state is CheckState.PASS:
                state = CheckState.SO_FAR
            elif state is CheckState.FAIL and _too_early(store, check):
                state, detail, link = CheckState.SO_FAR, "text is held", ""
            self._shown[check.name] = (state, detail, link)
        self._fit()
        self.checked.emit(results)

    def _link(self, store: RunStore, check: checks.Check) -> str:
        if check.place is None:
            return ""
        row = store.rows.of_index(check.place.index)
        return f"at chunk {row.label}" if row is not None else "show"

    def _show_none(self, why: str) -> None:
        shown = dict.fromkeys(self.items, (CheckState.NOT_MADE, why, ""))
        if shown == self._shown and not self.results:
            return
        self.results = []
        self._shown = shown
        self._fit()
        self.checked.emit([])

    def _fit(self) -> None:
        """Details go into tooltips where the strip is too narrow, those of failing checks last."""
        self._name.show()
        for name, (state, detail, link) in self._shown.items():
            self.items[name].set_state(state, detail, link)
            self.items[name].setToolTip(plain_tooltip(detail))
        # the longest of the least telling goes first
        order = sorted(
            self._shown, key=lambda n: (_WORTH[self._shown[n][0]], -len(self._shown[n][1]))
        )
        for name in order:
            if self._wanted_width() <= self.width():
                return
            state, _, link = self._shown[name]
            self.items[name].set_state(state, "", link)
        # without a detail no number is left whose unit the name would tell
        self._name.setVisible(self._wanted_width() <= self.width())

    def _wanted_width(self) -> int:
        widths = [item.sizeHint().width() for item in self.items.values()]
        gaps = self._line.spacing() * (len(widths) + 1)
        margins = self._line.contentsMargins()
        return sum(widths) + self._name.sizeHint().width() + gaps + margins.left() + margins.right()


def _span(store: RunStore, place: checks.Place, row: ChunkRow | None) -> Span | None:
    """The text that a check speaks of, where it names one."""
    if place.end <= place.start or place.processor is None or row is None:
        return None
    block = store.block_of(row)
    if block is None:
        return None
    return Span(place.start, place.end, column=place.processor, block=block.key[3])


def _run(store: RunStore) -> list[checks.Check]:
    """The checks; one that cannot be made is never left looking as if it had passed."""
    try:
        return checks_of(store)
    except Exception as error:  # a trace from elsewhere may hold anything
        why = f"{type(error).__name__}: {error}"
        return [checks.Check(name, "not made", why) for name in TITLES]


def _too_early(store: RunStore, check: checks.Check) -> bool:
    """Whether a check failed only on text that is held back in an attempt that is under way."""
    if check.name not in (checks.JOINED, checks.ACCOUNTED) or check.place is None:
        return False
    attempt = store.attempts.get(check.place.step, check.place.attempt)
    return not store.over and attempt is not None and attempt.outcome is None
