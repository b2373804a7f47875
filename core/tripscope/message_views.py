"""The conversation by source, in the formats that a processor may want."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from tripscope.messages import Message
from tripscope.prompt import PromptMessage, to_model_messages
from tripscope.wire import JSON

Source: TypeAlias = Literal["input", "response", "memory", "context"]
"""Where a message came from: the caller, this request's answer, the store, or the host."""

Select: TypeAlias = Callable[..., list[Message]]
"""Called with sources (none: all): the live messages from these."""


class View:
    """The messages of some sources in several formats."""

    def __init__(self, select: Select, sources: tuple[Source, ...]) -> None:
        self._select = select
        self._sources = sources

    def db(self) -> list[Message]:
        """The live messages, in order."""
        return self._select(*self._sources)

    def ui(self) -> list[dict[str, JSON]]:
        """``{id, role, parts, metadata?}`` objects for a client; copies."""
        return [_ui_message(message) for message in self.db()]

    def core(self) -> list[PromptMessage]:
        """``{role, content}`` model messages, without system messages; copies."""
        return to_model_messages(self.db())


class Views:
    """``message_list.get``: the conversation by source."""

    def __init__(self, select: Select) -> None:
        self.all = View(select, ())
        self.input = View(select, ("input",))
        self.response = View(select, ("response",))
        self.remembered = View(select, ("memory",))


def _ui_message(message: Message) -> dict[str, JSON]:
    wire = message.copy().to_wire()
    content = wire.pop("content", None)
    shown: dict[str, JSON] = {"id": message.id, "role": message.role, "parts": []}
    if isinstance(content, dict):
        shown["parts"] = content.get("parts", [])
        if content.get("metadata"):
            shown["metadata"] = content["metadata"]
    return shown
