"""Coloured stretches of a text, to look up by place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tripscope_gui.store.placed import reach_of, touching
from tripscope_gui.store.point_spans import TextSpan


class SpanIndex(Struct, frozen=True):
    """Stretches sorted by start, in UTF-16 code units of the text.

    ``reach``: see `tripscope_gui.store.placed`.
    """

    spans: Sequence[TextSpan] = ()
    reach: Sequence[int] = ()

    @classmethod
    def of(cls, spans: Sequence[TextSpan]) -> SpanIndex:
        """An index of stretches that are sorted by start."""
        return cls(spans, reach_of(spans))

    def between(self, low: int, high: int) -> Iterator[TextSpan]:
        """Those that have a unit in ``[low, high)``."""
        return touching(self.spans, self.reach, low, high)

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
