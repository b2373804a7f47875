"""The processors of a traced run, made again from what its first event says of the chain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tripscope.trace.described_chain import NOT_OPTIONS, described_in
from tripscope.trace.events import AnyEvent, RunStarted


def rebuild_processors(events: Iterable[AnyEvent]) -> dict[str, Any]:
    """The built-in processors of a traced run by id; those of other types are left out.

    Raises:
        ValueError: one of them is described in a way that this version doesn't know.
    """
    # Loads every built-in; whoever only lists checks or masks nothing needs none.
    from tripscope.processors import BUILT_INS

    started = next((e for e in events if isinstance(e, RunStarted)), None)
    rebuilt: dict[str, Any] = {}
    if started is None:
        return rebuilt
    for _array, described in described_in(started.chain):
        kind = BUILT_INS.get(described["type"])
        if kind is not None and described["id"] not in rebuilt:
            options = {k: v for k, v in described.items() if k not in NOT_OPTIONS}
            try:
                rebuilt[described["id"]] = kind.from_options(options, id=described["id"])
            except TypeError as error:
                raise ValueError(str(error)) from error
    return rebuilt
