"""The text that a processor holds back at a moment of a run: its calls tell it."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from tripscope.chunks import delta_text
from tripscope.patterns.units import join_surrogates, spread
from tripscope.trace.events import HookCalled, StateChanged
from tripscope_gui.run_store import RunStore

_STREAM: Final = "processOutputStream"


def held_text(store: RunStore, processor: str, seq: int, units: int) -> str:
    """The last ``units`` UTF-16 units of text that ``processor`` was given up to event ``seq``.

    A change of state comes right before the call that made it, and counts as that call.
    """
    tally = store.calls.get(processor, _STREAM)
    if tally is None or units <= 0:
        return ""
    event = store.event(seq)
    if isinstance(event, StateChanged) and event.processor == processor and not event.snapshot:
        seq += 1
    pieces: list[str] = []
    missing = units
    for place in range(bisect_right(tally.seqs, seq) - 1, -1, -1):
        call = store.event(tally.seqs[place])
        if not isinstance(call, HookCalled) or call.part is None:
            continue
        text = delta_text(call.part) if call.part.type == "text-delta" else None
        if text:
            pieces.append(spread(text))
            missing -= len(pieces[-1])
            if missing <= 0:
                break
    return join_surrogates("".join(reversed(pieces))[-units:])
