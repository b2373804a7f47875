"""A conversation in short, for tests of the message list."""

from __future__ import annotations

from tripscope.message_list import MessageList
from tripscope.messages import Message, ToolInvocation, ToolInvocationPart


def call(id: str = "c1", **fields: object) -> ToolInvocationPart:
    """A part that calls a tool, or with the fields of a result its end."""
    given = {"state": "call", "tool_call_id": id, "tool_name": "lookup", "args": {"q": "x"}}
    return ToolInvocationPart(tool_invocation=ToolInvocation(**(given | fields)))  # type: ignore[arg-type]


def texts(messages: list[Message]) -> list[tuple[str, str]]:
    """Role and text of each message."""
    return [(message.role, message.text) for message in messages]


def ids(messages: MessageList) -> list[str]:
    """The ids of all messages, in their order."""
    return [str(message.id) for message in messages.messages()]
