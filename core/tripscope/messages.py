"""Messages in the shape of ``MastraDBMessage``: ``{id, role, content: {format: 2, parts, ...}}``.

``Message.from_wire(w).to_wire() == w`` for every JSON object: a part or a content that does not
have a known shape stays the plain value that it was.
"""

from __future__ import annotations

import copy
from typing import Any, Final, Self

from msgspec import Struct

from tripscope.wire import JSON, WireObject


class TextPart(WireObject, kw_only=True):
    """A piece of text that the user or the model wrote."""

    type: str = "text"
    text: str
    provider_metadata: JSON = None


class ReasoningPart(WireObject, kw_only=True):
    """The model's reasoning; ``details`` repeats it as a list of text objects."""

    type: str = "reasoning"
    reasoning: str
    details: list[JSON] | None = None
    provider_metadata: JSON = None


class ToolInvocation(WireObject, kw_only=True):
    """A tool call and what came of it. ``state``: ``call``, ``result`` or ``output-error``."""

    state: str
    tool_call_id: str
    tool_name: str
    args: JSON = None
    result: JSON = None
    error_text: str | None = None


class ToolInvocationPart(WireObject, kw_only=True):
    """Holds a `ToolInvocation`."""

    type: str = "tool-invocation"
    tool_invocation: ToolInvocation

    @classmethod
    def fits(cls, wire: JSON) -> bool:
        """See `WireObject.fits`; the invocation must fit as well."""
        return isinstance(wire, dict) and ToolInvocation.fits(wire.get("toolInvocation"))

    @classmethod
    def from_wire(cls, wire: dict[str, JSON]) -> Self:
        """See `WireObject.from_wire`."""
        invocation = ToolInvocation.from_wire(wire["toolInvocation"])
        return super().from_wire(wire | {"toolInvocation": invocation})

    def to_wire(self) -> dict[str, JSON]:
        """See `WireObject.to_wire`."""
        wire = super().to_wire()
        return wire | {"toolInvocation": self.tool_invocation.to_wire()}


class DataPart(WireObject, kw_only=True):
    """A stored ``data-*`` chunk."""

    type: str
    data: JSON


class OtherPart(WireObject, kw_only=True):
    """A part of any other type (``file``, ``step-start``, ...); its fields are in ``extra``."""

    type: str


_PARTS: Final[dict[str, type[WireObject]]] = {
    "text": TextPart,
    "reasoning": ReasoningPart,
    "tool-invocation": ToolInvocationPart,
}


def part_from_wire(wire: JSON) -> Any:
    """The typed part, or ``wire`` itself if it has no part's shape."""
    if not isinstance(wire, dict) or not isinstance(wire.get("type"), str):
        return wire
    shape = _PARTS.get(wire["type"])
    if shape is None:
        is_data = wire["type"].startswith("data-") and "data" in wire
        shape = DataPart if is_data else OtherPart
    elif not shape.fits(wire):
        shape = OtherPart
    return shape.from_wire(wire)


class Content(WireObject, kw_only=True):
    """``parts`` is the primary source; ``content`` is the flattened text kept for old readers."""

    format: int | None = 2
    parts: list[Any]
    metadata: dict[str, JSON] | None = None
    content: str | None = None

    @classmethod
    def fits(cls, wire: JSON) -> bool:
        """Whether ``wire`` is an object with a list of parts."""
        return isinstance(wire, dict) and isinstance(wire.get("parts"), list)

    @classmethod
    def from_wire(cls, wire: dict[str, JSON]) -> Self:
        """See `WireObject.from_wire`."""
        parts = [part_from_wire(part) for part in wire["parts"]]
        content = super().from_wire(wire | {"parts": parts})
        if wire.get("format") is None:
            content.format = None
        return content

    def to_wire(self) -> dict[str, JSON]:
        """See `WireObject.to_wire`."""
        parts = [p.to_wire() if isinstance(p, WireObject) else p for p in self.parts]
        return super().to_wire() | {"parts": parts}


class Message(WireObject, kw_only=True):
    """One message of the conversation.

    ``content`` is a `Content` except for messages that came with another shape (a bare string,
    say), which pass through as they are. ``created_at`` is an ISO 8601 string in UTC.
    """

    id: str | None = None
    role: str
    content: Any = None
    created_at: str | None = None
    thread_id: str | None = None
    resource_id: str | None = None

    @classmethod
    def from_wire(cls, wire: dict[str, JSON]) -> Self:
        """See `WireObject.from_wire`."""
        content: Any = wire.get("content")
        if Content.fits(content):
            wire = wire | {"content": Content.from_wire(content)}
        return super().from_wire(wire)

    def to_wire(self) -> dict[str, JSON]:
        """See `WireObject.to_wire`."""
        wire = super().to_wire()
        if isinstance(self.content, Content):
            wire["content"] = self.content.to_wire()
        return wire

    @property
    def parts(self) -> list[Any]:
        """The live list of parts; an empty list for a message of another shape."""
        return self.content.parts if isinstance(self.content, Content) else []

    @property
    def text(self) -> str:
        """The text parts joined; the flattened ``content`` only where there are no parts."""
        text = "".join(part.text for part in self.parts if isinstance(part, TextPart))
        if not text and isinstance(self.content, Content):
            return self.content.content or ""
        return text or (self.content if isinstance(self.content, str) else "")

    def copy(self) -> Self:
        """A deep copy."""
        return copy.deepcopy(self)


def text_message(role: str, text: str, *, id: str | None = None) -> Message:
    """A message with one text part."""
    return Message(id=id, role=role, content=Content(parts=[TextPart(text=text)]))


class SystemMessage(Struct):
    """A system message; not part of the conversation that ``messages`` holds."""

    content: str
    role: str = "system"
