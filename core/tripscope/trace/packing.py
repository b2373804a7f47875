"""Events as compressed pages and back: how the run history keeps them.

A page is a run of lines of a trace file, some hundred kilobytes before compression, so that both
ways can be gone in steps of a few milliseconds.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from tripscope.trace.codec import Decoder, Encoder
from tripscope.trace.events import AnyEvent

PAGE_CHARACTERS: Final = 200_000
_LEVEL: Final = 1


class Packer:
    """Takes the events of one run in order; ``pages`` grows by a page now and then."""

    def __init__(self) -> None:
        self.pages: list[bytes] = []
        self.size = 0
        """Bytes of all pages."""
        self._encoder = Encoder()
        self._lines: list[bytes] = []
        self._length = 0

    def add(self, events: Iterable[AnyEvent]) -> None:
        """Take the next events."""
        for event in events:
            line = self._encoder.line(event)
            self._lines.append(line)
            self._length += len(line)
            if self._length >= PAGE_CHARACTERS:
                self._turn()

    def finish(self) -> list[bytes]:
        """All pages, the last one included."""
        if self._lines:
            self._turn()
        return self.pages

    def _turn(self) -> None:
        page = zlib.compress(b"\n".join(self._lines), _LEVEL)
        self._lines.clear()
        self._length = 0
        self.pages.append(page)
        self.size += len(page)


def unpack(pages: Iterable[bytes]) -> Iterator[list[AnyEvent]]:
    """The events of all pages of one run, a page at a time.

    Raises:
        ValueError: a page is damaged.
    """
    decoder = Decoder()
    for page in pages:
        try:
            lines = zlib.decompress(page).split(b"\n")
        except zlib.error as error:
            raise ValueError(f"a page cannot be unpacked: {error}") from error
        yield list(map(decoder.line, lines))
