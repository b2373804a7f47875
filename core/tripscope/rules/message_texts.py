"""The texts of messages that a filter reads, and messages made anew with other texts."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tripscope.messages import Content, Message, TextPart


class Place(NamedTuple):
    """Where a text stands; ``part`` is None for a message whose content is a bare string."""

    message: Message
    part: int | None
    text: str

    @property
    def has_id(self) -> bool:
        """Whether the message has an id at all (null is one)."""
        return self.message.id is not None or "id" in self.message.extra


def texts(messages: Sequence[Message]) -> Iterator[Place]:
    """Every text that is not empty: bare contents and text parts, in order.

    Not read: reasoning, tools, files, data, and the flattened ``content`` beside the parts.
    """
    for message in messages:
        content = message.content
        if isinstance(content, str):
            if content:
                yield Place(message, None, content)
        elif isinstance(content, Content):
            for index, part in enumerate(content.parts):
                if isinstance(part, TextPart) and part.text:
                    yield Place(message, index, part.text)


def rewritten(messages: Sequence[Message], change: Callable[[Place], str]) -> list[Message]:
    """Copies of the messages with the texts that ``change`` gives; those it keeps are shared."""
    copies: dict[int, Message] = {}
    order: list[Message] = list(messages)
    places = {id(message): index for index, message in enumerate(messages)}
    for place in texts(messages):
        text = change(place)
        if text == place.text:
            continue
        index = places[id(place.message)]
        if index not in copies:
            copies[index] = order[index] = _copy(place.message)
        _set(copies[index], place.part, text)
    return order


def _copy(message: Message) -> Message:
    new = copy.copy(message)
    if isinstance(new.content, Content):
        new.content = copy.copy(new.content)
        new.content.parts = list(new.content.parts)
    return new


def _set(message: Message, part: int | None, text: str) -> None:
    if part is None:
        message.content = text
    else:
        new = copy.copy(message.content.parts[part])
        new.text = text
        message.content.parts[part] = new
