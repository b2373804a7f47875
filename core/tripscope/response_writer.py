"""Writes the answer of a request into the message list, step by step and attempt by attempt.

All that one request produces is one assistant message, unless processors put others after it. Where
a message goes on with another step than it began in, a ``step-start`` part that carries the number
of the step stands in between.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from tripscope.messages import Content, DataPart, Message, OtherPart, TextPart
from tripscope.prompt import STEP_START
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.message_list import MessageList


_STAYING = (TextPart, DataPart)
"""What a failed response leaves behind."""


class Placed(NamedTuple):
    """A part and its place among those of the attempt, in the order in which they began."""

    part: Any
    place: int


class ResponseWriter:
    """``message_list.response``: the engine's own hand on the list.

    ``step``: number of the step at hand, -1 before the loop. ``message_id``: the message in which
    the answer began.
    """

    def __init__(self, messages: MessageList) -> None:
        self._list = messages
        self._attempt_parts: list[Placed] = []
        self._last_place = 0
        self._highest_place = 0
        self._adopted: str | None = None
        self._marked: tuple[str | None, int] | None = None
        self._data_seen: set[str] = set()
        self.step = -1
        self.message_id: str | None = None
        self._written_id: str | None = None

    @property
    def message(self) -> Message | None:
        """The assistant message that took the last part of the answer, if it is still there."""
        return self._find(self._written_id) or self._find(self.message_id)

    def _find(self, id: str | None) -> Message | None:
        return next((m for m in self._list.messages() if m.id == id), None) if id else None

    def begin_attempt(self, step: int) -> None:
        """A new attempt of step number ``step``: parts that follow belong to it."""
        self.step = step
        self._attempt_parts = []
        self._adopted = None

    def take_place(self) -> int:
        """The place of a block that begins now; see `append`."""
        self._last_place += 1
        return self._last_place

    def append(self, part: Any, *, place: int | None = None) -> None:
        """Add a part to the assistant message of this request.

        With the ``place`` that its block took when it began, it comes before what began later, data
        left out. A ``data-*`` part with the type and data of one that is already there is not added
        again.
        """
        message = self._open()
        if isinstance(part, DataPart) and self._is_known(part):
            return
        self._mark_step(message)
        if place is None:
            place = self.take_place()
        if place > self._highest_place:
            message.parts.append(part)
            self._highest_place = place
        else:
            message.parts.insert(self._index(message, place), part)
        self._attempt_parts.append(Placed(part, place))

    def _index(self, message: Message, place: int) -> int:
        later = {
            id(p.part)
            for p in self._attempt_parts
            if p.place > place and not isinstance(p.part, DataPart)
        }
        parts = message.parts
        return next((i for i, part in enumerate(parts) if id(part) in later), len(parts))

    def merge(self, last: Message, message: Message) -> None:
        """Add what a processor put right after the response message ``last`` to it."""
        if message.parts:
            self._mark_step(last)
            last.parts.extend(message.parts)
        if message.content.metadata:
            last.content.metadata = (last.content.metadata or {}) | message.content.metadata

    def drop_attempt(self, *, keep_text: bool = False) -> bool:
        """Remove the parts that `append` added in this attempt (``keep_text``: but text and data).

        Returns:
            Whether any text of the attempt is left in the list.
        """
        kept = [p for p in self._attempt_parts if keep_text and isinstance(p.part, _STAYING)]
        staying = {id(p.part) for p in kept}
        dropped = {
            id(p.part)
            for p in self._attempt_parts
            if id(p.part) not in staying and not (kept and _is_boundary(p.part))
        }
        for message in self._list.messages("response"):
            parts = message.parts
            parts[:] = [part for part in parts if id(part) not in dropped]
            if not parts and message.id in (self.message_id, self._written_id):
                self._list.remove_by_ids([str(message.id)])
        if not kept and self._adopted is not None:
            self._list.set_source(self._adopted, "input")
        self._attempt_parts = kept
        self._marked = None
        return any(isinstance(p.part, TextPart) and p.part.text for p in kept)

    def mark_incomplete(self) -> None:
        """Put ``metadata.incomplete: true`` on the response message."""
        self.annotate("incomplete", True)

    def annotate(self, key: str, value: JSON) -> None:
        """Put an entry into the metadata of the response message, if there is one that has any."""
        message = self.message
        if message is not None and isinstance(message.content, Content):
            message.content.metadata = (message.content.metadata or {}) | {key: value}

    def text(self, step: int) -> str:
        """The text of a step as the processors left it in the response messages.

        Only assistant messages count; of several that hold text of the step, the last.
        """
        text = ""
        for message in self._list.messages("response"):
            if message.role == "assistant":
                text = "".join(self._texts(message, step)) or text
        return text

    def carry_steps(self, original: Message, copy: Message) -> None:
        """Divide ``copy``, which takes the place of ``original``, into the same steps.

        A processor that builds the parts of a message anew may leave their boundaries out. A part
        that the original has belongs to its step there; any other one to the step at hand.
        """
        if not any(map(_is_boundary, original.parts)) or any(map(_is_boundary, copy.parts)):
            return
        known = list(self._by_step(original))
        parts: list[Any] = []
        current = self._list.step_of(original)
        for part in copy.parts:
            same = next((index for index, (_, old) in enumerate(known) if old == part), None)
            step = self.step if same is None else known.pop(same)[0]
            if step > current:
                parts.append(_boundary(step))
                current = step
            parts.append(part)
        copy.parts[:] = parts

    def restore(self, message_id: str | None) -> None:
        """The list was restored to a moment at which the response message had this id."""
        self.message_id = message_id
        self._written_id = None
        self._attempt_parts = []
        self._adopted = self._marked = None

    def _open(self) -> Message:
        """The message that takes the next part.

        That is the last message if it is the assistant's, also one that the caller or a processor
        put there for the model to go on with; or else the one in which the answer began; or else a
        new one. One that a hook gave a bare text as its content takes none.
        """
        last = next((m for m in self._list.messages()[-1:] if _takes_parts(m)), None)
        source = None if last is None else self._list.source(last)
        begun = self._find(self.message_id)
        if last is not None and last.role == "assistant" and source in ("response", "input"):
            if source == "input":
                self._adopted = str(last.id)
                self._list.set_source(self._adopted, "response")
            message = last
        elif begun is not None and _takes_parts(begun):
            message = begun
        else:
            message = Message(role="assistant", content=Content(parts=[]))
            self._list.insert(message, "response")
        if begun is None:
            self.message_id = message.id
        self._written_id = message.id
        return message

    def _mark_step(self, message: Message) -> None:
        if self.step < 0 or self._marked == (message.id, self.step):
            return
        if self._last_step(message) != self.step:
            boundary = _boundary(self.step)
            message.parts.append(boundary)
            self._attempt_parts.append(Placed(boundary, 0))
        self._marked = (message.id, self.step)

    def _last_step(self, message: Message) -> int:
        for part in reversed(message.parts):
            if _is_boundary(part):
                return int(part.extra.get("stepNumber", -1))
        return self._list.step_of(message)

    def _is_known(self, part: DataPart) -> bool:
        """Whether the answer holds the same data; the set spares a search for each new part."""
        try:
            key = json.dumps([part.type, part.data], sort_keys=True)
        except (TypeError, ValueError):
            key = part.type
        responses = self._list.messages("response") if key in self._data_seen else []
        self._data_seen.add(key)
        return any(_same_data(part, other) for message in responses for other in message.parts)

    def _texts(self, message: Message, step: int) -> Iterator[str]:
        for of_step, part in self._by_step(message):
            if isinstance(part, TextPart) and of_step == step:
                yield part.text

    def _by_step(self, message: Message) -> Iterator[tuple[int, Any]]:
        current = self._list.step_of(message)
        for part in message.parts:
            if _is_boundary(part):
                current = part.extra.get("stepNumber", current)
            else:
                yield current, part


def _takes_parts(message: Message) -> bool:
    return isinstance(message.content, Content)


def _boundary(step: int) -> OtherPart:
    return OtherPart(type=STEP_START, extra={"stepNumber": step})


def _is_boundary(part: Any) -> bool:
    return isinstance(part, OtherPart) and part.type == STEP_START


def _same_data(part: DataPart, other: Any) -> bool:
    return isinstance(other, DataPart) and other.type == part.type and other.data == part.data
