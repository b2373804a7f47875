"""The trace's picture of the message list: a version of a message for each change."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from tripscope.trace.events import MessagesChanged
from tripscope.trace.recorder import Recorder, Source
from tripscope.wire import JSON

if TYPE_CHECKING:
    from tripscope.message_list import MessageList


class MessageVersions:
    """Compares the list with what is on record and records the difference."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._wires: dict[str, JSON] = {}
        self._versions: dict[str, int] = {}
        self._order: tuple[tuple[str, str], ...] = ()
        self._system: tuple[str, ...] = ()

    def sync(
        self, messages: MessageList, *, hook: str | None = None, processor: str | None = None
    ) -> bool:
        """Record the list as it stands if it changed; ``hook`` and ``processor`` did it.

        Returns:
            Whether it changed since the last call.
        """
        fresh: list[tuple[str, JSON]] = []
        order: list[tuple[str, str]] = []
        for message in messages.messages():
            id = str(message.id)
            wire = message.to_wire()
            if id not in self._wires or wire != self._wires[id]:
                self._wires[id] = wire = copy.deepcopy(wire)
                self._versions[id] = self._versions.get(id, -1) + 1
                fresh.append((f"{id}@{self._versions[id]}", wire))
            order.append((f"{id}@{self._versions[id]}", messages.source(message)))
        system = tuple(message.content for message in messages.system_messages)
        now = tuple(order)
        if not fresh and now == self._order and system == self._system:
            return False
        self._order, self._system = now, system
        source = Source(hook, processor)
        self._recorder.emit_of(source, MessagesChanged, now, tuple(fresh), system)
        return True
