"""The message list at a moment: each message with its source, version and what changed."""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal, TypeAlias

from msgspec import Struct

from tripscope.wire import JSON
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.given_text import message_parts
from tripscope_gui.store.prompts import part_words

Change: TypeAlias = Literal["", "+", "~", "-"]


class MessageRow(Struct, frozen=True):
    """One message, ``change`` against the list before; ``earlier``: its version there."""

    key: str
    source: str
    wire: JSON
    change: Change = ""
    earlier: JSON = None

    @property
    def id(self) -> str:
        """The message's id."""
        return self.key.rpartition("@")[0] or self.key

    @property
    def version(self) -> str:
        """How often its content changed, as digits; empty for a system message."""
        return self.key.rpartition("@")[2] if "@" in self.key else ""

    @property
    def role(self) -> str:
        """``user``, ``assistant``, ``system``, ``tool``."""
        return str(self.wire.get("role", "")) if isinstance(self.wire, dict) else ""

    @property
    def text(self) -> str:
        """Its parts as a person reads them, a line each."""
        return wire_text(self.wire)


def wire_text(wire: JSON) -> str:
    """The parts of a message, a line each."""
    return "\n".join(part_words(part) for part in message_parts(wire))


def moments(store: RunStore, seq: int) -> int | None:
    """Place in ``store.messages`` of the list as it stood after event ``seq``."""
    place = bisect_right(store.messages, seq, key=lambda event: event.seq) - 1
    return place if place >= 0 else None


def message_rows(store: RunStore, place: int) -> list[MessageRow]:
    """Rows of the list at a place, system messages first, then by source order, removed last."""
    event = store.messages[place]
    before = store.messages[place - 1] if place else None
    versions = store.message_versions
    old = {key.rpartition("@")[0]: key for key, _ in before.order} if before is not None else {}
    old_system = before.system if before is not None else event.system
    rows = [
        MessageRow(
            f"system {number + 1}",
            "system",
            {"role": "system", "content": text},
            "" if text in old_system else "+",
        )
        for number, text in enumerate(event.system)
    ]
    for key, source in event.order:
        message_id = key.rpartition("@")[0]
        earlier = old.pop(message_id, None)
        change: Change = ""
        if before is not None and earlier is None:
            change = "+"
        elif earlier is not None and earlier != key:
            change = "~"
        rows.append(
            MessageRow(
                key, source, versions.get(key), change, versions.get(earlier) if earlier else None
            )
        )
    sources = dict(before.order) if before is not None else {}
    rows += [MessageRow(key, sources.get(key, ""), versions.get(key), "-") for key in old.values()]
    return rows
