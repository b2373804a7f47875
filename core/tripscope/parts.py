"""A chunk on its way through the output chain, and what a hook made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from tripscope.chunks import (
    Chunk,
    Delta,
    ErrorPayload,
    copy_plain_delta,
    is_well_formed,
)
from tripscope.patterns.units import utf16_len
from tripscope.trace.probe import HookProbe
from tripscope.wire import JSON, shallow


class Part(Struct):
    """A chunk on its way to the client, and its copy for the trace, alone in a tuple.

    ``number`` is the index of the part of the stream that it came from, None if from none.
    """

    chunk: Chunk
    kept: tuple[Chunk]
    number: int | None

    @property
    def snapshot(self) -> Chunk:
        """The copy; nobody edits it."""
        return self.kept[0]


_NO_EXTRA: Final[dict[str, JSON]] = {}
"""Shared by all copies that have none: a run keeps one for every chunk."""


def copy_of(chunk: Chunk) -> Chunk:
    """A copy for the trace, which nobody edits; a value that cannot be copied is shared.

    Instead of an exception it holds its description, as a file does.
    """
    copied = copy_plain_delta(chunk, _NO_EXTRA, _NO_EXTRA)
    if copied is not None:
        return copied
    try:
        copied = chunk.copy()
    except Exception:
        copied = shallow(chunk)
    payload = copied.payload
    if type(payload) is ErrorPayload:
        # The frames of an exception may lead back to the trace, which the collector can't see into.
        copied.payload = ErrorPayload(error=payload.to_wire()["error"], extra=payload.extra)
    return copied


def parts_of(value: Any, given: Part) -> Sequence[Part]:
    """What a hook returned for the part ``given``, if it is no chunk, as parts.

    Raises:
        TypeError: it is neither None nor a list of chunks.
    """
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(chunk, Chunk) for chunk in value):
        raise TypeError(f"returned {value!r:.120}, not a Chunk, a list of Chunks or None")
    return [part_of(chunk, given) for chunk in value]


def part_of(chunk: Chunk, given: Part) -> Part:
    """A chunk that a hook returned for the part ``given``; this itself where nothing changed.

    Raises:
        TypeError: its payload is not what its type says.
    """
    if not is_well_formed(chunk):
        raise TypeError(f"returned a {chunk.type} chunk with the payload {chunk.payload!r:.80}")
    if chunk is given.chunk and chunk == given.kept[0]:
        return given
    return Part(chunk, (copy_of(chunk),), given.number)


def only_held(probe: HookProbe, given: Part, out: Sequence[Part], held: int) -> bool:
    """Whether a call only took text in or let text out, none of it changed.

    ``held``: how many UTF-16 units the processor held back before it.
    """
    if len(out) == 1 and out[0] is given:
        return True
    intervals = probe.intervals
    if intervals is None and probe.said_held is None:
        return False
    for interval in intervals or ():
        if interval[4] is not None:
            return False
    if type(given.chunk.payload) is not Delta and not any(item is given for item in out):
        return False
    balance = held + _units(given.chunk) - probe.held_now
    for item in out:
        balance -= _units(item.chunk)
    return balance == 0


def _units(chunk: Chunk) -> int:
    payload = chunk.payload
    return utf16_len(payload.text) if type(payload) is Delta else 0
