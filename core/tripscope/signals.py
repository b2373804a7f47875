"""Signals: reminders that the model reads and the user does not.

A signal is a message of role ``signal``. In the prompt it is a user message whose text is wrapped
in a tag (``<system-reminder type="...">continue</system-reminder>``); elsewhere it stays hidden.
"""

from __future__ import annotations

from collections.abc import Mapping

from tripscope.messages import Content, Message, TextPart
from tripscope.wire import JSON

SIGNAL_ROLE = "signal"


def signal_message(
    text: str,
    *,
    tag_name: str = "system-reminder",
    type: str = "reactive",
    attributes: Mapping[str, str] | None = None,
) -> Message:
    """A signal that the prompt shows as ``<tag_name attributes>text</tag_name>``."""
    signal: dict[str, JSON] = {"type": type, "tagName": tag_name}
    if attributes:
        signal["attributes"] = dict(attributes)
    content = Content(parts=[TextPart(text=text)], metadata={"signal": signal})
    return Message(role=SIGNAL_ROLE, content=content)


def signal_of(message: Message) -> dict[str, JSON] | None:
    """``{type, tagName, attributes?}`` of a signal; None for any other message."""
    if message.role != SIGNAL_ROLE or not isinstance(message.content, Content):
        return None
    signal = (message.content.metadata or {}).get("signal")
    return signal if isinstance(signal, dict) else {}


def signal_prompt_text(message: Message) -> str:
    """The text of a signal as the model reads it."""
    # with it comes a whole HTTP client
    from xml.sax.saxutils import quoteattr

    signal = signal_of(message) or {}
    tag = str(signal.get("tagName") or "system-reminder")
    attributes = signal.get("attributes")
    pairs = attributes.items() if isinstance(attributes, dict) else ()
    written = "".join(f" {name}={quoteattr(str(value))}" for name, value in pairs)
    return f"<{tag}{written}>{message.text}</{tag}>"
