"""Whether two events, of two runs, say the same.

Times, durations and run ids are no difference, nor is what the runs were made of, which
`tripscope.trace.chain_diff` tells.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from tripscope.chunks import Chunk
from tripscope.trace.events import AnyEvent, ToolEnded

_INCIDENTAL: Final = frozenset(
    {
        "seq",
        "time",
        "duration",
        "run_id",
        "started_at",
        "mode",
        "parent_run",
        "chain_hash",
        "differs",
        "about",  # the number of an event, which is that of its run
        "wrote",  # with times; the chunks are compared by themselves
    }
)
_TELLING: Final = {
    kind: tuple(name for name in kind.__struct_fields__ if name not in _INCIDENTAL)
    for kind in get_args(AnyEvent)
}
_TELLING_OF_CHUNKS: Final = tuple(n for n in Chunk.__struct_fields__ if n != "run_id")


def alike(one: AnyEvent, other: AnyEvent) -> bool:
    """Whether two events say the same, also where they stand."""
    kind = type(one)
    if kind is not type(other):
        return False
    for name in _TELLING[kind]:
        mine, its = getattr(one, name), getattr(other, name)
        if mine is not its and mine != its and not _same_but_for_time(mine, its):
            return False
    if isinstance(one, ToolEnded) and isinstance(other, ToolEnded):
        return [chunk for _, chunk in one.wrote] == [chunk for _, chunk in other.wrote]
    return True


def _same_but_for_time(one: Any, other: Any) -> bool:
    """Whether only run ids and wall clock times in chunks and messages differ."""
    match one, other:
        case Chunk(), Chunk():
            return all(getattr(one, name) == getattr(other, name) for name in _TELLING_OF_CHUNKS)
        case ((tuple() | list()), (tuple() | list())):
            return len(one) == len(other) and all(map(_same_but_for_time, one, other))
        case dict(), dict():
            return bool(_dateless(one) == _dateless(other))
    return bool(one == other)


def _dateless(message: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in message.items() if key != "createdAt"}
