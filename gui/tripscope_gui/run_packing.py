"""Packing a run in slices of some milliseconds, so that the window lives meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tripscope_gui.pacer import Pacer
from tripscope_gui.threads import in_thread

if TYPE_CHECKING:
    from tripscope.trace.events import AnyEvent
    from tripscope.trace.packed_events import PackedEvents
    from tripscope.trace.packing import Packer
    from tripscope_gui.run_store import RunStore

SLICE: Final = 128
"""Events between two looks at the clock."""
_FIRST: Final = 256
SLICE_NS: Final = 4_000_000
"""A quarter of a frame."""
_REST_SECONDS: Final = 0.008


async def pages_of(events: PackedEvents) -> list[bytes]:
    """All events of a run that is over. A long one stays packed."""
    from tripscope_gui.run_store import LONG_RUN

    if len(events) > LONG_RUN:
        while events.pack(SLICE_NS):  # noqa: ASYNC110 - the work is done between the turns
            await asyncio.sleep(0)
        return await in_thread(events.pages)
    # the first events bring most of what has to be imported and made once
    packer = await in_thread(_packer, events[:_FIRST])
    pace = Pacer(SLICE_NS)
    for first in range(_FIRST, len(events), SLICE):
        packer.add(events[first : first + SLICE])
        await pace()
    return packer.finish()


async def pack_at_leisure(store: RunStore) -> None:
    """Pack a long run that came from a file, when there is time."""
    from tripscope_gui.store.run_index import index_of

    index = index_of(store)
    while index.advance(SLICE_NS) or store.pack(SLICE_NS):  # noqa: ASYNC110 - as above
        await asyncio.sleep(_REST_SECONDS)


def _packer(events: Sequence[AnyEvent]) -> Packer:
    from tripscope.trace.packing import Packer

    packer = Packer()
    packer.add(events)
    return packer
