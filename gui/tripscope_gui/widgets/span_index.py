"""Coloured stretches of a text, to look up by place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from tripscope_gui.store.passages import TextSpan


class SpanIndex(Struct, frozen=True):
    """Stretches sorted by start, in UTF-16 code units of the text.

    ``reach``: for each the furthest end of all up to it, as a long one may reach over many short
    ones behind it.
    """

    spans: Sequence[TextSpan] = ()
    reach: Sequence[int] = ()

    @classmethod
    def of(cls, spans: Sequence[TextSpan]) -> SpanIndex:
        """An index of stretches that are sorted by start."""
        return cls(spans, list(accumulate((span.end for span in spans), max)))

    def between(self, low: int, high: int) -> Iterator[TextSpan]:
        """Those that have a unit in ``[low, high)``."""
        for place in range(bisect_right(self.reach, low), len(self.spans)):
            span = self.spans[place]
            if span.start >= high:
                return
            if span.end > low:
                yield span

    def shifted(self, position: int, removed: int, added: int) -> SpanIndex:
        """After an edit, until they are worked out anew: those that it touched are gone."""
        kept: list[TextSpan] = []
        by = added - removed
        for span in self.spans:
            if span.end <= position:
                kept.append(span)
            elif span.start >= position + removed:
                kept.append(replace(span, start=span.start + by, end=span.end + by))
        return SpanIndex.of(kept)
