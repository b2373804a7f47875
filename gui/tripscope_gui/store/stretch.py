"""What a run is full of, taken together: the events that come with every chunk of the stream.

Between two events that begin or end something they lie by the hundred. What is worked out from them
one kind at a time takes a third of what it takes one event at a time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct, field

from tripscope.trace.events import (
    AnyEvent,
    Delivered,
    FindingMade,
    HookCalled,
    ModelChunk,
    RawFrameReceived,
    StateChanged,
)

STREAM_HOOK: Final = "processOutputStream"
_BESIDE: Final = frozenset({RawFrameReceived, StateChanged, FindingMade})
"""Events that come between those of a chunk, and are only listed: a stretch goes on behind them."""


class Stretch(Struct):
    """Events of one part of the stream after another: each belongs to a chunk row.

    ``places``: where each stands among the events of its run. ``indexes``: the part index of each.
    ``calls``: those of processOutputStream, by processor.
    """

    places: list[int] = field(default_factory=list)
    indexes: list[int | None] = field(default_factory=list)
    chunks: list[ModelChunk] = field(default_factory=list)
    calls: dict[str, list[HookCalled]] = field(default_factory=lambda: defaultdict(list))
    deliveries: list[Delivered] = field(default_factory=list)


def pieces(events: Iterable[AnyEvent], place: int) -> Iterator[Stretch | AnyEvent]:
    """Stretches, and one by one what belongs to no row; ``_BESIDE`` may overtake a stretch.

    Args:
        events: in their order.
        place: where the first of them stands among the events of its run.
    """
    stretch = Stretch()
    for at, event in enumerate(events, place):
        if isinstance(event, HookCalled) and event.hook == STREAM_HOOK:
            stretch.calls[event.processor or ""].append(event)
        elif isinstance(event, ModelChunk):
            stretch.chunks.append(event)
        elif isinstance(event, Delivered) and event.index is not None:
            stretch.deliveries.append(event)
        else:
            if stretch.places and type(event) not in _BESIDE:
                yield stretch
                stretch = Stretch()
            yield event
            continue
        stretch.places.append(at)
        stretch.indexes.append(event.index)
    if stretch.places:
        yield stretch
