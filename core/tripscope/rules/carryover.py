"""The text that a filter holds back between the deltas of a stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from tripscope.chunks import Chunk, Delta
from tripscope.rules.budget import Ledger
from tripscope.wire import JSON

STATE_KEY: Final = "regexFilter"


@dataclass(slots=True)
class FilterState:
    """What a filter remembers in one run, in the state of its processor id.

    ``held``: text taken in and not let out, one character per UTF-16 unit. ``first``: the delta
    that it began with. ``given`` and ``let_out`` count units of the text block at hand on either
    side, and ``attempt`` is the retry count under which the text was given.
    """

    held: str = ""
    first: Chunk | None = None
    given: int = 0
    let_out: int = 0
    attempt: int = 0
    ledger: Ledger = field(default_factory=Ledger)

    def to_wire(self) -> dict[str, JSON]:
        """What a trace shows of it."""
        return {"held": self.held, "given": self.given, "letOut": self.let_out}

    def new_block(self) -> None:
        """Offsets of findings count from here."""
        self.given = self.let_out = 0


def filter_state(state: dict[str, Any]) -> FilterState:
    """The one in ``state``, made at first use."""
    own = state.get(STATE_KEY)
    if not isinstance(own, FilterState):
        own = state[STATE_KEY] = FilterState()
    return own


def held_text(state: dict[str, Any]) -> str:
    """What a filter with this ``state`` holds back, one character per UTF-16 unit."""
    own = state.get(STATE_KEY)
    return own.held if isinstance(own, FilterState) else ""


def text_of(part: Chunk) -> str:
    """The text of a text-delta; "" for every other part."""
    if part.type != "text-delta":
        return ""
    payload = part.payload
    if type(payload) is Delta:
        return payload.text
    text = payload.get("text") if isinstance(payload, dict) else None
    return text if isinstance(text, str) else ""


def with_text(part: Chunk, text: str) -> Chunk:
    """A text-delta like ``part`` with another text."""
    payload = part.payload
    if type(payload) is Delta:
        new: Any = Delta(
            id=payload.id,
            text=text,
            provider_metadata=payload.provider_metadata,
            extra=payload.extra,
        )
    else:
        new = {**payload, "text": text}
    return Chunk(part.type, new, part.run_id, part.from_, None, False, part.extra)
