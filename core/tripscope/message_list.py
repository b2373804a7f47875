"""The conversation of one run: every message with where it came from, and the system messages.

Specification: "Processor interface", message arguments. The list hands out live objects: editing a
part of a message in place changes the conversation. What enters the list is copied first, so the
caller's own objects never change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import Struct

from tripscope.message_input import MessageLike, Messages, as_sequence, read_message
from tripscope.message_order import merged_order
from tripscope.message_views import Source, Views
from tripscope.messages import (
    Content,
    Message,
    SystemMessage,
    ToolInvocation,
    ToolInvocationPart,
    part_from_wire,
)
from tripscope.prompt import PromptMessage, to_prompt
from tripscope.response_writer import ResponseWriter
from tripscope.wire import JSON

_RESPONSE_HOOKS: Final = {"processOutputStep", "processToolResult", "processOutputResult"}


def source_of_hook(hook: str) -> Source:
    """The source of messages that ``hook`` (or ``prepareStep``) adds by returning them."""
    return "response" if hook in _RESPONSE_HOOKS else "input"


class Snapshot(Struct, frozen=True):
    """The list as it was at one moment; made by `MessageList.snapshot`."""

    messages: tuple[Message, ...]
    sources: dict[str, Source]
    steps: dict[str, int]
    system: tuple[SystemMessage, ...]
    response_id: str | None


class MessageList:
    """See the module. ``next_id`` makes the ids of messages that come without one (``m1``, ..)."""

    def __init__(
        self,
        *,
        next_id: Callable[[], str] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        thread_id: str | None = None,
        resource_id: str | None = None,
    ) -> None:
        self._messages: list[Message] = []
        self._sources: dict[str, Source] = {}
        self._steps: dict[str, int] = {}
        self._system: list[SystemMessage] = []
        self._tagged: dict[str, str] = {}
        self._base_system: list[SystemMessage] = []
        self.response: Final = ResponseWriter(self)
        self._counter = 0
        self._next_id = next_id or self._count
        self._now = now
        self._thread_id = thread_id
        self._resource_id = resource_id

    # -- reading ---------------------------------------------------------------------------------

    @property
    def get(self) -> Views:
        """``get.all``, ``get.input``, ``get.response``, ``get.remembered``."""
        return Views(self.messages)

    @property
    def system_messages(self) -> list[SystemMessage]:
        """Copies of the system messages; change them with `replace_system` or `add_system`."""
        return [SystemMessage(message.content) for message in self._system]

    @property
    def thread_id(self) -> str | None:
        """The thread that this request belongs to."""
        return self._thread_id

    @property
    def resource_id(self) -> str | None:
        """The resource (a user, say) that this request belongs to."""
        return self._resource_id

    def messages(self, *sources: Source) -> list[Message]:
        """The live messages from ``sources`` (none: all), in order."""
        if not sources:
            return list(self._messages)
        return [message for message in self._messages if self.source(message) in sources]

    def source(self, message: Message | str) -> Source:
        """Where a message (or the message with this id) came from.

        Raises:
            KeyError: it is not in the list.
        """
        return self._sources[message if isinstance(message, str) else str(message.id)]

    def for_hook(self, hook: str) -> list[Message]:
        """What ``hook`` is given as ``messages``."""
        return self.messages("response") if hook == "processOutputResult" else self.messages()

    def set_source(self, id: str, source: Source) -> None:
        """Count a message that is in the list as coming from elsewhere; for the engine."""
        self._sources[id] = source

    def step_of(self, message: Message) -> int:
        """The step in which a message entered the list (-1 before the loop)."""
        return self._steps.get(str(message.id), -1)

    def find_tool_invocation(self, tool_call_id: str) -> ToolInvocation | None:
        """The latest invocation with this id (live)."""
        for message in reversed(self._messages):
            for part in reversed(message.parts):
                if isinstance(part, ToolInvocationPart):
                    invocation = part.tool_invocation
                    if invocation.tool_call_id == tool_call_id:
                        return invocation
        return None

    def prompt(self, extra_system: Iterable[str] = ()) -> list[PromptMessage]:
        """The prompt as it would be sent now; ``extra_system`` follows the system messages."""
        extra = [SystemMessage(text) for text in extra_system]
        return to_prompt(self._messages, [*self._system, *extra])

    # -- changing --------------------------------------------------------------------------------

    def add(self, messages: Messages, source: Source) -> list[Message]:
        """Append messages; returns those that are now in the list (system messages are not).

        A message whose id is in the list replaces that message. An assistant message added as
        ``response`` right after the response message is merged into it. The results of a ``tool``
        message are filled into their calls.

        Raises:
            TypeError, ValueError: something in ``messages`` is no message.
        """
        text_role = "assistant" if source == "response" else "user"
        read = [read_message(given, text_role=text_role) for given in as_sequence(messages)]
        added = [self._add(message, source) for message in read]
        return [message for message in added if message is not None]

    def add_system(self, messages: Messages, tag: str | None = None) -> None:
        """Append system messages. With a ``tag``, they take the place of the tag's earlier ones."""
        texts = [_system_text(given) for given in as_sequence(messages)]
        if tag is not None:
            stale = self._tagged.pop(tag, None)
            self._system = [message for message in self._system if message.content != stale]
            texts = ["\n\n".join(texts)]
            self._tagged[tag] = texts[0]
        self._system += [SystemMessage(text) for text in texts]

    def replace_system(self, messages: Messages) -> None:
        """Put these in the place of all system messages."""
        self._system = [SystemMessage(_system_text(given)) for given in as_sequence(messages)]

    def remove_by_ids(self, ids: Collection[str]) -> list[Message]:
        """Remove messages; returns those that were in the list."""
        gone = [message for message in self._messages if message.id in ids]
        self._messages = [message for message in self._messages if message.id not in ids]
        for message in gone:
            self._forget(str(message.id))
        return gone

    def update_tool_invocation(self, part: ToolInvocationPart | dict[str, JSON]) -> bool:
        """Set state, arguments and result of the invocation with the same ``toolCallId``.

        Returns:
            Whether there is such an invocation; if not, nothing changes.

        Raises:
            ValueError: ``part`` is no ``tool-invocation`` part.
        """
        given = part_from_wire(part) if isinstance(part, dict) else part
        if not isinstance(given, ToolInvocationPart):
            raise ValueError(f"expected {{type: 'tool-invocation', toolInvocation}}: {part!r:.80}")
        new = given.tool_invocation
        invocation = self.find_tool_invocation(new.tool_call_id)
        if invocation is None:
            return False
        invocation.state = new.state
        if new.args is not None:
            invocation.args = new.args
        invocation.result = new.result
        invocation.extra.pop("result", None)
        if new.state == "result" and new.result is None:
            # A result of null is one, and is stored; a call without a result has none.
            invocation.extra["result"] = None
        invocation.error_text = new.error_text
        return True

    def reconcile(
        self, returned: Sequence[Message | dict[str, JSON]], hook: str, *, given: Collection[str]
    ) -> None:
        """Make the list what a hook returned.

        ``given``: the ids of the messages that the hook was given. Those that are missing in
        ``returned`` are removed, copies replace their originals by id, new messages are added with
        the source of the hook, system-role messages become system messages. Messages that the hook
        was not given, or that it added to the list itself, stay.

        Raises:
            TypeError, ValueError: something in ``returned`` is no message.
        """
        kept: dict[str, Message] = {}
        for item in returned:
            message = self._adopt(item)
            if isinstance(message, SystemMessage):
                self._system.append(message)
            else:
                kept[str(message.id)] = message
        for id in kept:
            self._note(id, source_of_hook(hook))
        current = [str(message.id) for message in self._messages]
        gone = {id for id in given if id not in kept}
        by_id = {str(message.id): message for message in self._messages} | kept
        order = merged_order([id for id in current if id not in gone], list(kept))
        self._messages = [by_id[id] for id in order]
        for id in gone:
            self._forget(id)

    # -- attempts --------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """A copy of everything that `restore` brings back."""
        return Snapshot(
            messages=tuple(message.copy() for message in self._messages),
            sources=dict(self._sources),
            steps=dict(self._steps),
            system=tuple(self.system_messages),
            response_id=self.response.message_id,
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Make the list what it was; objects handed out since then are no longer part of it."""
        self._messages = [message.copy() for message in snapshot.messages]
        self._sources = dict(snapshot.sources)
        self._steps = dict(snapshot.steps)
        self._system = [SystemMessage(message.content) for message in snapshot.system]
        self.response.restore(snapshot.response_id)

    def set_base_system(self) -> None:
        """From now on `reset_system` goes back to the system messages of this moment."""
        self._base_system = self.system_messages

    def reset_system(self) -> None:
        """System messages start anew, as they do at every attempt of a step."""
        self._system = [SystemMessage(message.content) for message in self._base_system]

    # -- inside ----------------------------------------------------------------------------------

    def _count(self) -> str:
        self._counter += 1
        return f"m{self._counter}"

    def _add(self, message: Message | SystemMessage, source: Source) -> Message | None:
        if isinstance(message, SystemMessage):
            self._system.append(message)
            return None
        if message.role == "tool":
            return self._add_results(message, source)
        known = self._index(message.id)
        if known is not None:
            self._stamp(message)
            self.response.carry_steps(self._messages[known], message)
            self._messages[known] = message
            return message
        last = self._messages[-1] if self._messages else None
        if source == "response" and last is not None and self._merges(last, message):
            self.response.merge(last, message)
            return last
        self.insert(message, source)
        return message

    def _add_results(self, message: Message, source: Source) -> Message | None:
        orphans = [part for part in message.parts if not self._fill(part)]
        if not orphans:
            return None
        return self._add(Message(role="assistant", content=Content(parts=orphans)), source)

    def _fill(self, part: Any) -> bool:
        if not isinstance(part, ToolInvocationPart):
            return False
        return self.update_tool_invocation(part)

    def _merges(self, last: Message, message: Message) -> bool:
        if not isinstance(last.content, Content):
            return False
        return message.role == last.role == "assistant" and self.source(last) == "response"

    def insert(self, message: Message, source: Source) -> None:
        """Append this very object; for the engine, which makes messages of its own."""
        self._stamp(message)
        self._messages.append(message)
        self._note(str(message.id), source)

    def _note(self, id: str, source: Source) -> None:
        if id not in self._sources:
            self._sources[id] = source
            # An answer is the first step's at the earliest.
            self._steps[id] = max(self.response.step, 0 if source == "response" else -1)

    def _forget(self, id: str) -> None:
        self._sources.pop(id, None)
        self._steps.pop(id, None)

    def _stamp(self, message: Message) -> None:
        while message.id is None:
            id = self._next_id()
            if id not in self._sources:
                message.id = id
        if message.created_at is None:
            message.created_at = self._now().isoformat(timespec="milliseconds")
        message.thread_id = message.thread_id or self._thread_id
        message.resource_id = message.resource_id or self._resource_id

    def _adopt(self, item: MessageLike) -> Message | SystemMessage:
        """The live message itself, or a copy of one that is not in the list as this very object."""
        if isinstance(item, Message) and item.role != "system":
            known = self._index(item.id)
            if known is not None and self._messages[known] is item:
                return item
        message = read_message(item)
        if isinstance(message, Message):
            known = self._index(message.id)
            if known is not None:
                self.response.carry_steps(self._messages[known], message)
            self._stamp(message)
        return message

    def _index(self, id: str | None) -> int | None:
        if id is None or id not in self._sources:
            return None
        return next((i for i, message in enumerate(self._messages) if message.id == id), None)


def _system_text(given: MessageLike) -> str:
    message = read_message(given, text_role="system")
    return message.content if isinstance(message, SystemMessage) else message.text
