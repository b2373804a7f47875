"""The checks of a run of the window, from what its store has put together already."""

from __future__ import annotations

from tripscope.trace import checks
from tripscope_gui.run_store import RunStore


def checks_of(store: RunStore) -> list[checks.Check]:
    """The four checks; may be called in a thread, for a run that is over.

    Where all events are in the store's blocks nothing is unpacked, which takes a second for
    150,000 events.
    """
    if store.collect(0):
        return checks.run_checks(store.events)
    return checks.run_checks(store.events, blocks=list(store.blocks.values()), tally=store.kinds)
