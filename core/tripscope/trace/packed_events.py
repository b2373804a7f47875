"""The events of a run in little memory: a sequence that packs what nobody looks at."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from time import perf_counter_ns
from typing import Final, overload

from tripscope.trace.events import AnyEvent
from tripscope.trace.packing import PAGE_EVENTS, Page, unpack_page

_SLICE: Final = 32
_OPEN_PAGES: Final = 24
_LOOSE: Final = 2


class PackedEvents(Sequence[AnyEvent]):
    """Grows at its end like a list; `pack` turns old events into pages, a slice at a time.

    An event that was packed is read again when somebody asks for it, equal but another object: its
    page, some two milliseconds of work, stays open for a while. So keep places, not events; go
    through long stretches with a slice or an iterator. Other threads may read meanwhile; one thread
    at a time may append and pack.
    """

    def __init__(self, events: Iterable[AnyEvent] = ()) -> None:
        self._blocks: list[list[AnyEvent] | bytes] = []
        """Each has `PAGE_EVENTS` events, the last one fewer; a packed one is a page."""
        self._last: list[AnyEvent] = []
        self._times: list[int] = []
        """Of the first event of each block."""
        self._packed = 0
        """Blocks that are packed: all up to here."""
        self._page: Page | None = None
        self._open: dict[int, list[AnyEvent]] = {}
        self._lock = threading.Lock()
        self.extend(events)

    def __len__(self) -> int:
        full = len(self._blocks) - 1
        return full * PAGE_EVENTS + len(self._blocks[full]) if full >= 0 else 0

    @overload
    def __getitem__(self, index: int) -> AnyEvent: ...
    @overload
    def __getitem__(self, index: slice) -> list[AnyEvent]: ...
    def __getitem__(self, index: int | slice) -> AnyEvent | list[AnyEvent]:
        if isinstance(index, slice):
            places = range(len(self))[index]
            if places.step != 1:
                return [self[place] for place in places]
            return list(islice(self._from(places.start), len(places)))
        place = index if index >= 0 else index + len(self)
        if place < 0:
            raise IndexError(index)
        number, at = divmod(place, PAGE_EVENTS)
        return self._block(number)[at]

    def __iter__(self) -> Iterator[AnyEvent]:
        return self._from(0)

    @property
    def loose(self) -> int:
        """How many are not packed."""
        return len(self) - self._packed * PAGE_EVENTS

    def append(self, event: AnyEvent) -> None:
        """Take the next event."""
        if len(self._last) == PAGE_EVENTS or not self._blocks:
            self._begin(event)
        self._last.append(event)

    def extend(self, events: Iterable[AnyEvent]) -> None:
        """Take the next events."""
        given = events if isinstance(events, list) else list(events)
        at = 0
        while at < len(given):
            if len(self._last) == PAGE_EVENTS or not self._blocks:
                self._begin(given[at])
            room = PAGE_EVENTS - len(self._last)
            self._last.extend(given[at : at + room])
            at += room

    def first_since(self, time: int) -> int:
        """The place of the first event at ``time`` (ns) or later; ``len`` if there is none.

        It opens one page at most. Times are taken to rise, as for a bisection.
        """
        number = max(0, bisect_left(self._times, time) - 1)
        if number >= len(self._blocks):
            return 0
        at = bisect_left(self._block(number), time, key=_time)
        return number * PAGE_EVENTS + at

    def pack(self, nanoseconds: int, *, loose: int = _LOOSE) -> bool:
        """Pack for about that long; whether something is left that can be packed.

        The last ``loose`` full blocks and what came after them stay as they are: there a run that
        goes on is looked at.
        """
        deadline = perf_counter_ns() + nanoseconds
        while self._packed < len(self._blocks) - 1 - loose:
            block = self._blocks[self._packed]
            assert isinstance(block, list)
            page = self._page = self._page or Page()
            page.add(block[page.count : page.count + _SLICE])
            if page.count == PAGE_EVENTS:
                self._blocks[self._packed] = page.finish()
                self._page = None
                self._packed += 1
            if perf_counter_ns() >= deadline:
                break
        return self._packed < len(self._blocks) - 1 - loose

    def pages(self) -> list[bytes]:
        """All events in pages, for `tripscope.trace.store.RunHistory.save_pages`.

        What `pack` has not packed yet is packed for this at once; so let it first do its work.
        """
        return [_packed(block) if isinstance(block, list) else block for block in self._blocks]

    def _begin(self, event: AnyEvent) -> None:
        """Begin a block with that event."""
        self._last = []
        self._times.append(event.time)
        self._blocks.append(self._last)

    def _from(self, place: int) -> Iterator[AnyEvent]:
        number, at = divmod(place, PAGE_EVENTS)
        while number < len(self._blocks):
            yield from islice(self._block(number), at, None)
            number, at = number + 1, 0

    def _block(self, number: int) -> list[AnyEvent]:
        block = self._blocks[number]
        if isinstance(block, list):
            return block
        with self._lock:
            events = self._open.pop(number, None)
        if events is None:
            events = unpack_page(block)
        with self._lock:
            self._open[number] = events  # the last one now: dictionaries keep their order
            while len(self._open) > _OPEN_PAGES:
                del self._open[next(iter(self._open))]
        return events


def _time(event: AnyEvent) -> int:
    return event.time


def _packed(events: list[AnyEvent]) -> bytes:
    page = Page()
    page.add(events)
    return page.finish()
