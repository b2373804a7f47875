"""What a run is full of, taken together: the events that come with every chunk of the stream.

Between two events of other kinds they lie by the hundred. What is worked out from them one kind at
a time takes a third of what it takes one event at a time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct, field

from tripscope.trace.events import AnyEvent, Delivered, HookCalled, ModelChunk

STREAM_HOOK: Final = "processOutputStream"


class Stretch(Struct):
    """Events that follow one another, all of a part of the stream: each belongs to a chunk row.

    ``indexes``: the part index of each. ``calls``: those of processOutputStream, by processor.
    """

    indexes: list[int | None] = field(default_factory=list)
    chunks: list[ModelChunk] = field(default_factory=list)
    calls: dict[str, list[HookCalled]] = field(default_factory=lambda: defaultdict(list))
    deliveries: list[Delivered] = field(default_factory=list)


def pieces(events: Iterable[AnyEvent]) -> Iterator[Stretch | AnyEvent]:
    """The events in their order: stretches, and between them one by one what belongs to no row."""
    stretch = Stretch()
    for event in events:
        if isinstance(event, HookCalled) and event.hook == STREAM_HOOK:
            stretch.calls[event.processor or ""].append(event)
            stretch.indexes.append(event.index)
        elif isinstance(event, ModelChunk):
            stretch.chunks.append(event)
            stretch.indexes.append(event.index)
        elif isinstance(event, Delivered) and event.index is not None:
            stretch.deliveries.append(event)
            stretch.indexes.append(event.index)
        else:
            if stretch.indexes:
                yield stretch
                stretch = Stretch()
            yield event
    if stretch.indexes:
        yield stretch
