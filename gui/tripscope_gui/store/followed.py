"""Texts that can be followed along the chain, and one of them put together as a `Block`.

For messages and tool results the block is made here: what was there first, what each processor was
given and let out.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from tripscope.trace.blocks import Block, BlockKey
from tripscope.trace.events import FindingMade, HookCalled
from tripscope_gui.store.attempts import attempt_words
from tripscope_gui.store.chunk_rows import CLIENT, MODEL


class StreamSource(Struct, frozen=True):
    """A text or reasoning block of one attempt."""

    key: BlockKey

    @property
    def place(self) -> str:
        """``step 1 · attempt 2``."""
        return attempt_words(*self.key[:2])

    @property
    def title(self) -> str:
        """Its place, with what tells it from other blocks there."""
        return f"{self.place} \u00b7 {self.key[2]} {self.key[3]}"


class MessageSource(Struct, frozen=True):
    """A text part of a message as it goes through one hook of all processors."""

    hook: str
    message: str
    part: int = 0
    step: int | None = None
    attempt: int | None = None

    @property
    def title(self) -> str:
        """``processInput · m1``."""
        words = f"{self.hook} \u00b7 {self.message}"
        return f"{words} \u00b7 part {self.part}" if self.part else words


class ToolSource(Struct, frozen=True):
    """A string of a tool's result; ``path`` leads to it (empty: the result is the string)."""

    call: str
    path: str
    step: int | None = None
    attempt: int | None = None
    hook: str = "processToolResult"

    @property
    def title(self) -> str:
        """``processToolResult · c1 · contact.email``."""
        return " \u00b7 ".join(part for part in (self.hook, self.call, self.path) if part)


Source = StreamSource | MessageSource | ToolSource


class Followed(Struct):
    """A source with its block; ``cuts`` are the calls that let nothing through, by processor."""

    source: Source
    block: Block
    findings: Sequence[FindingMade] = ()
    cuts: dict[str, HookCalled] = field(default_factory=dict)
    role: str = ""

    @property
    def points(self) -> list[tuple[str, str]]:
        """(column, title) of each point, in order."""
        if isinstance(self.source, StreamSource):
            first, last = (MODEL, "model"), [(CLIENT, "client")]
        else:
            words = "prompt, as sent" if self.source.hook == "processInput" else "as it came"
            first, last = (MODEL, words), []
        flows = [(flow.processor, flow.processor) for flow in self.block.flows]
        return [first, *flows, *last]
