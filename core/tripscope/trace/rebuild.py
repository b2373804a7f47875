"""The processors of a traced run, made again from what its first event says of the chain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tripscope.trace.events import AnyEvent, RunStarted

NOT_OPTIONS: Final = frozenset({"id", "type", "name", "description", "hooks", "scans"})
"""What a description of a processor holds besides its options."""


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
    for array in ("input", "output", "error"):
        for described in started.chain.get(array, []):
            kind = BUILT_INS.get(described.get("type"))
            if kind is not None and described["id"] not in rebuilt:
                options = {k: v for k, v in described.items() if k not in NOT_OPTIONS}
                rebuilt[described["id"]] = kind.from_options(options, id=described["id"])
    return rebuilt
