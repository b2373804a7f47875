"""State: what a processor keeps at the selected moment, and what changed since its last call."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from tripscope.trace.events import HookCalled
from tripscope.wire import JSON
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.delegates.texts import in_place
from tripscope_gui.event_selection import selection_for
from tripscope_gui.models.base import Column, ListModel
from tripscope_gui.panes import Pane
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.store.state_history import StateHistory
from tripscope_gui.store.values import value_words
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.elided_combo import ElidedCombo
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.event_scrubber import EventScrubber
from tripscope_gui.widgets.labels import ElidedLabel, plain_tooltip
from tripscope_gui.widgets.tables import TableView

CHANGED: Final = "~"
ADDED: Final = "+"
REMOVED: Final = "\N{MINUS SIGN}"
_TINTS: Final = {CHANGED: "tint_violet", ADDED: "tint_green", REMOVED: "tint_red"}
_TONES: Final = {CHANGED: "changed", ADDED: "added", REMOVED: "removed"}


class StateRow(Struct, frozen=True):
    """One key. ``mark`` is empty where nothing changed."""

    key: str
    before: str
    after: str
    mark: str


def state_rows(before: dict[str, JSON], after: dict[str, JSON]) -> list[StateRow]:
    """A row per key of either side, in order."""
    rows = []
    keys = list({**before, **after})
    common = _common_root(keys)
    for key in keys:
        old = value_words(before[key]) if key in before else ""
        new = value_words(after[key]) if key in after else ""
        if key not in before:
            mark = ADDED
        elif key not in after:
            mark = REMOVED
        else:
            mark = CHANGED if old != new else ""
        rows.append(StateRow(key.removeprefix(common), old, new, mark))
    return rows


def _common_root(keys: list[str]) -> str:
    """``regexFilter.`` where all keys stand in that one object."""
    roots = {key.partition(".")[0] + "." for key in keys}
    root = roots.pop() if len(roots) == 1 else ""
    return root if root and all(key.startswith(root) for key in keys) else ""


def state_columns(before: str, after: str) -> list[Column[StateRow]]:
    """Mark, key, and the values on both sides of a call."""
    mark_roles: dict[int, Callable[[StateRow], Any]] = {
        CellRole.GROUND: lambda row: _TINTS.get(row.mark),
        CellRole.TONE: lambda row: _TONES.get(row.mark, "t1"),
    }
    return [
        Column("", lambda row: row.mark, 24, roles={**mark_roles, CellRole.WEIGHT: lambda _: 600}),
        Column("key", lambda row: row.key, 112, tooltip=lambda row: plain_tooltip(row.key)),
        Column(
            before,
            lambda row: row.before,
            110,
            mono=True,
            tooltip=lambda row: plain_tooltip(row.before),
            roles={CellRole.TONE: lambda _: "t2"},
        ),
        Column(
            after,
            lambda row: row.after,
            110,
            mono=True,
            tooltip=lambda row: plain_tooltip(row.after),
            roles={CellRole.GROUND: lambda row: _TINTS.get(row.mark)},
        ),
    ]


class StatePane(Pane):
    """Follows the selection; with nothing selected, the newest event."""

    TITLE = "State"
    PLACE = "bottom-centre"
    ORDER = 10

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self._histories: dict[str, StateHistory] = {}
        self._scrubbing = False
        self._scrubbed_to: Selection | None = None
        self._shown: tuple[object, ...] = ()
        self.model: ListModel[StateRow] = ListModel(state_columns("before", "after"), (), self)
        self.table = TableView(theme, "state", columns=True)
        self.table.setModel(self.model)
        self.processor = ElidedCombo()
        self.processor.setProperty("small", True)
        self.processor.setAccessibleName("processor")
        self.processor.setMaximumWidth(176)
        self.processor.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.processor.activated.connect(lambda _index: self._show(anew=True))
        self._where = ElidedLabel(theme, tone="t2", px=11)
        bar = QFrame()
        bar.setProperty("kind", "filter")
        bar.setFixedHeight(Height.FILTER_ROW)
        line = QHBoxLayout(bar)
        line.setContentsMargins(6, 0, 6, 0)
        line.setSpacing(8)
        line.addWidget(self.processor)
        line.addWidget(self._where, 1)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.table, 1)
        self.empty = EmptyState(theme, "No run yet")
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(body)
        self._place = EventScrubber()
        self._place.moved.connect(self._on_scrub)
        self.scrubber = self._place.slider

    def head_widgets(self) -> list[QWidget]:
        return [self._place]

    def reset(self) -> None:
        self._histories.clear()
        self._fill_combo()
        self._show(anew=True)

    def grow(self, first: int, end: int) -> None:
        if len(self._keepers()) != self.processor.count():
            self._fill_combo()
        self._show()

    def follow(self) -> None:
        processor = self.context.selection.current.processor
        if not self._scrubbing and processor is not None:
            place = self.processor.findData(processor)
            if place >= 0:
                self.processor.setCurrentIndex(place)
        self._show()

    @property
    def chosen(self) -> str | None:
        """Id of the processor that is shown."""
        found = self.processor.currentData()
        return found if isinstance(found, str) else None

    def moment(self) -> int | None:
        """Number of the event whose state is shown: what is selected, or the newest one."""
        store, selection = self.store, self.context.selection.current
        if store is None or not store.events:
            return None
        chosen = store.event(selection.seq)
        if chosen is not None and selection is self._scrubbed_to:
            return chosen.seq
        if selection.row is not None and selection.row < len(store.rows):
            row = store.rows[selection.row]
            calls = [call.seq for call in row.calls if call.processor == self.chosen]
            if chosen is not None and chosen.seq in calls:
                return chosen.seq
            # the model's chunk is on record before the calls that it was given to
            return calls[-1] if calls else max(row.seqs, default=0)
        if selection.finding is not None and store.event(selection.finding) is not None:
            return _call_of_finding(store, selection.finding)
        if chosen is not None:
            return chosen.seq
        if selection.processor is not None and selection.hook is not None:
            tally = store.calls.get(selection.processor, selection.hook)
            if tally is not None:
                first: int = tally.seqs[0]
                return first
        attempt = store.attempts.get(selection.step, selection.attempt)
        return attempt.last_seq if attempt is not None else store.events[-1].seq

    def _keepers(self) -> list[str]:
        store = self.store
        if store is None:
            return []
        known = [info.id for info in store.chain]
        return sorted(
            (name for name, events in store.states.items() if name and events),
            key=lambda name: known.index(name) if name in known else len(known),
        )

    def _fill_combo(self) -> None:
        store, chosen = self.store, self.chosen
        with QSignalBlocker(self.processor):
            self.processor.clear()
            for name in self._keepers():
                info = store.chain.get(name) if store is not None else None
                # an id of its own says enough
                note = info.note if info is not None and info.type == info.id else ""
                words = f"{name} \N{MIDDLE DOT} {note}" if note else name
                self.processor.addItem(in_place(words), name)
            self.processor.setCurrentIndex(max(0, self.processor.findData(chosen)))

    def _show(self, anew: bool = False) -> None:
        store, processor, moment = self.store, self.chosen, self.moment()
        self._show_scrubber(store, moment)
        if store is None or processor is None or moment is None:
            hint = "" if store is not None else "The state of processors shows up here."
            self.empty.set_text("No processor keeps state here" if store else "No run yet", hint)
            self._stack.setCurrentIndex(0)
            self._shown = ()
            return
        self._stack.setCurrentIndex(1)
        history = self._histories.get(processor)
        if history is None:
            history = self._histories[processor] = StateHistory(store, processor)
        last, previous = _calls_before(store, processor, moment)
        shown_now = (processor, last, previous, history.changed_at(moment))
        if shown_now == self._shown and not anew:
            return
        self._shown = shown_now
        before = history.at(previous) if previous is not None else {}
        after = history.at(moment)
        titles = (_title("before", store, previous), _title("after", store, last))
        self.model.reset(state_rows(before, after), state_columns(*titles))
        self.table.set_column_widths([c.width for c in self.model.columns], 3)
        call = store.event(last)
        if isinstance(call, HookCalled):
            row = store.rows.of_index(call.index)
            chunk = f", chunk {row.label}" if row is not None else ""
            self._where.set_text(f"{call.hook}{chunk}")
        else:
            self._where.set_text("before its first call")

    def _show_scrubber(self, store: RunStore | None, moment: int | None) -> None:
        count = len(store.events) if store is not None else 0
        place = moment - store.first_seq if store and moment is not None else 0
        self._place.set_place(place, count)

    def _on_scrub(self, place: int) -> None:
        store, run = self.store, self.context.run
        if store is None or run is None or not 0 <= place < len(store.events):
            return
        event = store.events[place]
        selection = selection_for(store, run.number, event).with_(seq=event.seq)
        self._scrubbing = True
        self._scrubbed_to = selection
        # a drag goes over many events; only where it stops is worth going back to
        self.context.selection.set(selection, remember=not self.scrubber.isSliderDown())
        self._scrubbing = False


def _call_of_finding(store: RunStore, seq: int) -> int:
    """The call in which a finding was made: it is on record right after its findings."""
    finding = store.event(seq)
    if finding is None:
        return seq
    tally = store.calls.get(finding.processor or "", finding.hook or "")
    place = bisect_right(tally.seqs, seq) if tally is not None else 0
    if tally is None or place >= len(tally.seqs):
        return seq
    call: int = tally.seqs[place]
    return call


def _calls_before(store: RunStore, processor: str, seq: int) -> tuple[int | None, int | None]:
    """The last call of a processor up to an event, and the one before that."""
    found: list[int] = []
    for (name, _hook), tally in store.calls.tallies.items():
        if name == processor:
            # the state's change comes right before its call
            place = bisect_right(tally.seqs, seq)
            found += tally.seqs[max(0, place - 2) : place]
    found.sort()
    last = found[-1] if found else None
    return last, found[-2] if len(found) > 1 else None


def _title(side: str, store: RunStore, seq: int | None) -> str:
    call = store.event(seq)
    row = store.rows.of_index(call.index) if isinstance(call, HookCalled) else None
    return f"{side} (chunk {row.label})" if row is not None else side
