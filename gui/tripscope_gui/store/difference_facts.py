"""What two events that differ say, as rows of a table; free of Qt."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from tripscope.chunks import Chunk, delta_text
from tripscope.trace.codec import event_to_wire
from tripscope.trace.diff import Pair
from tripscope.trace.events import AnyEvent, Delivered, FindingMade, HookCalled, ModelChunk
from tripscope.wire import JSON
from tripscope_gui.store.values import json_text

NOTHING: Final = "nothing"
_INCIDENTAL: Final = frozenset({"kind", "seq", "time", "duration", "hook", "processor"})


class Fact(Struct, frozen=True):
    """One row. ``kind``: ``text`` (of a model or rule), ``words``, ``held`` or ``outcome``."""

    name: str
    values: tuple[str, str]
    kind: str = "words"

    @property
    def differs(self) -> bool:
        """Whether the two sides say different things."""
        return self.values[0] != self.values[1]


def facts(pair: Pair) -> list[Fact]:
    """Rows about both events of a pair; a side without an event says nothing."""
    sides = [dict(_of(event)) if event is not None else {} for event in pair]
    names = list(dict.fromkeys([*sides[0], *sides[1]]))
    found = []
    for name in names:
        kind = (sides[0].get(name) or sides[1][name])[0]
        values = [side[name][1] if name in side else "" for side in sides]
        found.append(Fact(name, (values[0], values[1]), kind))
    return found


def place_words(pair: Pair) -> str:
    """Where the pair stands: ``secrets, step 1, attempt 1, part 7``."""
    event = pair[1] or pair[0]
    assert event is not None
    words = [event.processor or event.kind]
    if event.step is not None:
        words.append(f"step {event.step}")
    if event.attempt is not None:
        words.append(f"attempt {event.attempt + 1}")
    return ", ".join(words)


def _of(event: AnyEvent) -> list[tuple[str, tuple[str, str]]]:
    head = [("event", ("words", event.kind))]
    if event.hook is not None:
        head.append(("hook", ("words", event.hook)))
    match event:
        case HookCalled():
            return [*head, *_of_call(event)]
        case Delivered() | ModelChunk():
            return [*head, ("chunk", ("words", event.chunk.type)), ("text", _text(event.chunk))]
        case FindingMade():
            span = f"{event.start}\N{EN DASH}{event.end} UTF-16"
            return [
                *head,
                ("rule", ("words", event.rule)),
                ("span", ("words", span)),
                ("replacement", ("text", event.replacement or "")),
                ("inside", ("words", event.winner or "")),
                ("outcome", ("outcome", event.outcome)),
            ]
        case _:
            wire = event_to_wire(event)
            rest = {key: value for key, value in wire.items() if key not in _INCIDENTAL}
            return [*head, *((key, ("text", _short(value))) for key, value in rest.items())]


def _of_call(event: HookCalled) -> list[tuple[str, tuple[str, str]]]:
    rows: list[tuple[str, tuple[str, str]]] = []
    if event.part is not None:
        rows.append(("given", _text(event.part)))
        out = "".join(delta_text(chunk) or "" for chunk in event.out or ())
        kinds = ", ".join(chunk.type for chunk in event.out or ())
        rows.append(("let out", ("text", out) if out else ("words", kinds or NOTHING)))
    if event.held is not None:
        held = f"held {event.held:,} UTF-16 units" if event.held else NOTHING
        rows.append(("kept", ("held" if event.held else "words", held)))
    rows.append(("outcome", ("outcome", event.outcome)))
    if event.error is not None:
        rows.append(("error", ("text", event.error)))
    return rows


def _text(chunk: Chunk) -> tuple[str, str]:
    text = delta_text(chunk)
    return ("text", text) if text is not None else ("words", chunk.type)


def _short(value: JSON) -> str:
    return value if isinstance(value, str) else json_text(value)
