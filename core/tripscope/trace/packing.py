"""Events as compressed pages and back: how the run history keeps them, and a long run in memory.

A page holds `PAGE_EVENTS` events, the last one of a run fewer, as lines of a trace file, and can be
read by itself. It takes some 25 bytes an event, where an event as an object takes 300.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tripscope.trace.codec import Decoder, Encoder
from tripscope.trace.events import AnyEvent

PAGE_EVENTS: Final = 512
"""Packing or unpacking a page takes some milliseconds."""
_LEVEL: Final = 1


class Page:
    """A page in the making; `add` as many events at a time as the caller has time for."""

    def __init__(self) -> None:
        self._encoder = Encoder()
        self._zip = zlib.compressobj(_LEVEL)
        self._parts: list[bytes] = []
        self.count = 0
        """Events in it."""

    def add(self, events: Sequence[AnyEvent]) -> None:
        """Take the next events."""
        lines = list(map(self._encoder.line, events))
        if self.count:
            lines.insert(0, b"")
        self.count += len(events)
        self._parts.append(self._zip.compress(b"\n".join(lines)))

    def finish(self) -> bytes:
        """The page; nothing may be added any more."""
        return b"".join([*self._parts, self._zip.flush()])


class Packer:
    """Takes the events of one run in order; ``pages`` grows by a page now and then."""

    def __init__(self) -> None:
        self.pages: list[bytes] = []
        self._page = Page()

    def add(self, events: Sequence[AnyEvent]) -> None:
        """Take the next events: some 3 µs each."""
        at = 0
        while at < len(events):
            room = PAGE_EVENTS - self._page.count
            self._page.add(events[at : at + room])
            at += room
            if self._page.count == PAGE_EVENTS:
                self._turn()

    def finish(self) -> list[bytes]:
        """All pages, the last one included."""
        if self._page.count:
            self._turn()
        return self.pages

    def _turn(self) -> None:
        self.pages.append(self._page.finish())
        self._page = Page()


def unpack(pages: Iterable[bytes]) -> Iterator[list[AnyEvent]]:
    """The events of all pages of one run, a page at a time.

    Raises:
        ValueError: a page is damaged.
    """
    # One for all: pages that older versions stored refer to the page before.
    decoder = Decoder()
    for page in pages:
        yield unpack_page(page, decoder)


def unpack_page(page: bytes, decoder: Decoder | None = None) -> list[AnyEvent]:
    """The events of one page; raises as `unpack`."""
    try:
        lines = zlib.decompress(page).split(b"\n")
    except zlib.error as error:
        raise ValueError(f"a page cannot be unpacked: {error}") from error
    return list(map((decoder or Decoder()).line, lines))
