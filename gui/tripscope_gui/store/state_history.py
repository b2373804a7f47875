"""A processor's state at any moment, without going through all of its changes each time."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from tripscope.trace.digest import digest
from tripscope.wire import JSON
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.held_text import held_text
from tripscope_gui.store.values import flat

_APART: Final = 128
_UNITS: Final = ".heldUnits"
_TEXT: Final = ".held"


class StateHistory:
    """Keeps the whole state every 128 changes; a look-up goes through fewer than that."""

    def __init__(self, store: RunStore, processor: str) -> None:
        self._store = store
        self._processor = processor
        self._events = store.states.get(processor, [])
        self._seqs: list[int] = []
        self._kept: list[dict[str, JSON]] = [{}]
        self._last: dict[str, JSON] = {}

    def at(self, seq: int) -> dict[str, JSON]:
        """State as it stood after event ``seq``, ``key`` or ``key.inner``: digests or exact.

        Beside ``X.heldUnits`` stands ``X.held``, the text that it is the length of, also where the
        trace leaves that to the calls.
        """
        self._take()
        place = bisect_right(self._seqs, seq)
        values = dict(self._kept[place // _APART])
        for number in range(place - place % _APART, place):
            self._apply(values, number)
        return self._with_text(values, seq)

    def _with_text(self, values: dict[str, JSON], seq: int) -> dict[str, JSON]:
        full: dict[str, JSON] = {}
        for key, value in values.items():
            name = key.removesuffix(_UNITS) + _TEXT
            if key.endswith(_UNITS) and isinstance(value, int) and name not in values:
                full[name] = digest(held_text(self._store, self._processor, seq, value))
            full[key] = value
        return full

    def changed_at(self, seq: int) -> int | None:
        """Number of the newest change up to event ``seq``; None if there was none."""
        self._take()
        place = bisect_right(self._seqs, seq)
        return self._seqs[place - 1] if place else None

    def _take(self) -> None:
        while len(self._seqs) < len(self._events):
            number = len(self._seqs)
            self._seqs.append(self._events[number].seq)
            self._apply(self._last, number)
            if (number + 1) % _APART == 0:
                self._kept.append(dict(self._last))

    def _apply(self, values: dict[str, JSON], number: int) -> None:
        event = self._events[number]
        if event.snapshot:
            exact = flat({key: after for key, _before, after in event.changes})
            # a digest may know more of an object (a length) than its exact form says
            roots = {_root(key) for key in exact}
            for key in [key for key in values if _root(key) not in roots]:
                del values[key]
            values |= exact
            return
        for key, _before, after in event.changes:
            if after is None:
                values.pop(key, None)
            else:
                values[key] = after


def _root(key: str) -> str:
    return key.partition(".")[0]
