"""Trace events straight to lines of JSON: what `Encoder.encode` says, without the dictionaries.

A run writes a line for each hook call of each chunk, so this is made per class as in
`tripscope.trace.codec`. What does not fit (a foreign object where JSON belongs) goes the long way.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, fields
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any, Final

from tripscope.chunks import Chunk, Delta
from tripscope.processor import Interval
from tripscope.trace.codec import REPEATED, SAME, Encoder, default_of
from tripscope.trace.events import AnyEvent, Event, HookCalled, UnknownEvent
from tripscope.trace.plain import describe, plain
from tripscope.wire import JSON, camel_case

_dumps = json.JSONEncoder(separators=(",", ":"), default=describe, allow_nan=False).encode

_Line = Callable[[Any, "LineEncoder"], str]
_LINES: Final[dict[type[Any], _Line]] = {}


class LineEncoder(Encoder):
    """Writes events as lines of ASCII, without line end, in the order of one trace."""

    def line(self, event: AnyEvent) -> str:
        """The line for the next event."""
        cls = type(event)
        if cls is UnknownEvent:
            return dumps(self.encode(event))
        mark = self.mark()
        try:
            return (_LINES.get(cls) or _line_function(cls))(event, self)
        except Exception:  # whatever a foreign value raises while it is written
            self.reset(mark)
            return dumps(self.encode(event))

    def chunk_text(self, chunk: Chunk, seq: int) -> str:
        """As `Encoder.chunk`."""
        text = f"{self.last_seq}" if self.is_last(chunk) else _chunk_text(chunk)
        self.note(chunk, seq)
        return text

    def out_text(self, out: tuple[Chunk, ...], event: HookCalled) -> str:
        """As `Encoder.out`."""
        if len(out) == 1 and out[0] is event.part:
            return f'"{SAME}"'
        texts = [f'"{SAME}"' if chunk is event.part else _chunk_text(chunk) for chunk in out]
        if out:
            self.note(out[-1], event.seq)
        return f"[{','.join(texts)}]"


def dumps(wire: JSON) -> str:
    """ASCII JSON for any value: `tripscope.trace.plain` stands in for what is not JSON."""
    try:
        return _dumps(wire)
    except (TypeError, ValueError, RecursionError):
        return _dumps(plain(wire))


def _chunk_text(chunk: Chunk) -> str:
    payload = chunk.payload
    if (
        type(payload) is Delta
        and payload.provider_metadata is None
        and chunk.run_id is not None
        and chunk.from_ is not None
        and not (payload.extra or chunk.extra or chunk.is_data)
    ):
        return (
            f'{{"type":{_quoted(chunk.type)},"runId":{_quoted(chunk.run_id)},'
            f'"from":{_quoted(chunk.from_)},'
            f'"payload":{{"id":{_quoted(payload.id)},"text":{_quoted(payload.text)}}}}}'
        )
    return _dumps(chunk.to_wire())


def _intervals_text(intervals: tuple[Interval, ...]) -> str:
    texts = []
    for a, b, c, d, rule in intervals:
        if not (type(a) is type(b) is type(c) is type(d) is int):
            raise TypeError("an interval's offsets are integers")
        texts.append(f"[{a},{b},{c},{d},{'null' if rule is None else _NAMES[rule]}]")
    return f"[{','.join(texts)}]"


class _Names(dict[str, str]):
    """Names that come again and again, quoted."""

    def __missing__(self, name: str) -> str:
        quoted = _quoted(name)
        if len(self) < _MOST_NAMES:
            self[name] = quoted
        return quoted


_MOST_NAMES: Final = 10_000
_NAMES: Final = _Names()


# Annotation, as written in events.py -> replacement field for the value `v` in an f-string.
_TEXTS: Final = {
    "int": "{v}",
    "int | None": "{v}",
    "str": "{quoted(v)}",
    "str | None": "{quoted(v)}",
    "Outcome": "{names[v]}",
    "Chunk": "{encoder.chunk_text(v, e.seq)}",
    "Chunk | None": "{encoder.chunk_text(v, e.seq)}",
    "tuple[Chunk, ...] | None": "{encoder.out_text(v, e)}",
    "tuple[Interval, ...] | None": "{intervals(v)}",
}


def _line_function(cls: type[Event]) -> _Line:
    lines = ["def line(e, encoder):", f' s = \'{{"kind":"{cls.kind}"\'']
    for f in fields(cls):
        default = default_of(f)
        annotation = str(f.type)
        text = _TEXTS.get(annotation, "{dumps(v)}")
        text = "{names[v]}" if f.name in REPEATED else text
        test = ""
        if default is not MISSING:
            same = "==" if default == () or type(default) is int else "is"
            test = f"if not (v {same} {default!r}): "
        lines.append(f" v = e.{f.name}")
        if annotation.startswith("int"):
            none = " and v is not None" if default is None else ""
            lines.append(f" if type(v) is not int{none}: raise TypeError({f.name!r})")
        lines.append(f" {test}s += f',\"{camel_case(f.name)}\":{text}'")
    scope: dict[str, Any] = {
        "quoted": _quoted,
        "names": _NAMES,
        "dumps": _dumps,
        "intervals": _intervals_text,
    }
    exec(compile("\n".join([*lines, ' return s + "}"']), f"<line of {__name__}>", "exec"), scope)
    _LINES[cls] = scope["line"]
    return _LINES[cls]
