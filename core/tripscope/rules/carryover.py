"""The text that a filter holds back between the deltas of a stream."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct, field

from tripscope.chunks import Chunk, Delta
from tripscope.patterns.units import join_surrogates
from tripscope.rules.automaton import Growth
from tripscope.rules.budget import Ledger
from tripscope.wire import JSON, shallow

STATE_KEY: Final = "regexFilter"


class FilterState(Struct):
    """What a filter remembers in one run, in the state of its processor id.

    Texts are spread, one character per UTF-16 unit. Held back are ``held`` from ``at`` on and,
    behind it, ``pieces``; both together are ``size`` units long. ``first`` is the delta that it
    began with. ``given`` and ``let_out`` count units of the text block at hand on either side,
    without the ``at`` units that have come and gone since, and ``attempt`` is the retry count under
    which the text was given.

    ``safe``: no match can begin in front of there in ``held``, whatever follows. ``wait``: the size
    below which nothing can be let out. ``growth``: the match that the held text begins with and
    that reached its end; it has been fed all but the ``pieces`` from ``unfed`` on.
    """

    held: str = ""
    pieces: list[str] = field(default_factory=list)
    size: int = 0
    first: Chunk | None = None
    given: int = 0
    let_out: int = 0
    attempt: int = 0
    at: int = 0
    safe: int = 0
    wait: int = 0
    growth: Growth | None = None
    unfed: int = 0
    ledger: Ledger = field(default_factory=Ledger)

    def to_wire(self) -> dict[str, JSON]:
        """What a trace shows of it: see `digest`."""
        return self.digest()

    def digest(self) -> dict[str, JSON]:
        """What a trace shows after each call: how much is held, in UTF-16 units.

        Which text that is, and how far either side has come, changes with every delta; the trace
        has it already, as the calls tell what was given and what became of it.
        """
        return {"heldUnits": self.size}

    def measured(self) -> tuple[str, int, JSON] | None:
        """What the rules searched since this was last asked."""
        return self.ledger.measured()

    def new_block(self) -> None:
        """Offsets of findings count from here."""
        self.given = self.let_out = 0

    def take_in(self, part: Chunk, units: str) -> None:
        """Hold more text."""
        if not self.size:
            self.first = part
        self.pieces.append(units)
        self.size += len(units)
        self.given += len(units)

    def joined(self) -> str:
        """All that is held, in one piece from now on."""
        if self.at:
            self.settle()
        if self.pieces:
            self.held += "".join(self.pieces)
            self.pieces = []
            self.unfed = 0
        return self.held

    def settle(self) -> None:
        """Forget the text that has gone, and what was known of it."""
        self.held = self.held[self.at :]
        self.given += self.at
        self.let_out += self.at
        self.at = self.safe = 0

    def cut(self, units: int) -> str:
        """Let go of the front of ``held``."""
        out, self.held = self.held[:units], self.held[units:]
        self.size -= units
        if not self.size:
            self.first = None
        return out

    def drop(self) -> None:
        """Forget all that is held."""
        self.settle()
        self.held, self.pieces, self.size, self.first = "", [], 0, None
        self.safe = self.wait = self.unfed = 0
        self.growth = None


def filter_state(state: dict[str, Any]) -> FilterState:
    """The one in ``state``, made at first use."""
    own = state.get(STATE_KEY)
    if not isinstance(own, FilterState):
        own = state[STATE_KEY] = FilterState()
    return own


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
    """A text-delta like ``part`` with another text, given in UTF-16 units or not."""
    if not text.isascii():
        text = join_surrogates(text)
    payload = part.payload
    if type(payload) is not Delta:
        return Chunk(
            part.type, {**payload, "text": text}, part.run_id, part.from_, extra=part.extra
        )
    chunk = shallow(part)
    chunk.payload = delta = shallow(payload)
    delta.text = text
    return chunk


def is_rejection(part: Chunk) -> bool:
    """Whether ``part`` closes an attempt that was rejected: what it left is dropped."""
    return part.type == "step-finish" and getattr(part.payload, "reason", None) == "retry"
