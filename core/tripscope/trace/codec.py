"""Trace events to lines or JSON objects and back, in the order of one trace.

An object holds ``kind`` and the fields in camelCase; a field that has its default is left
out. Chunks travel in wire shape. A chunk that the event before carried is written once: what
stands for it then is the ``seq`` of that event (whose last chunk it is), and ``"same"`` in ``out``
stands for ``part``. So events that shared a chunk share it again after loading.

``tests/bench/bench_trace_file.py`` says what both directions cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from tripscope.chunks import Chunk
from tripscope.trace.chunk_forms import chunk_from_wire, chunk_line, same_delta
from tripscope.trace.described_chain import check_chain
from tripscope.trace.events import (
    AnyEvent,
    Delivered,
    HookCalled,
    ModelChunk,
    RunStarted,
    UnknownEvent,
)
from tripscope.trace.lines import encodable, escaped, line_of, loads
from tripscope.trace.shapes import BASE, KINDS, SEQ_END, TIME_END, reading, shape_of
from tripscope.wire import JSON

SAME: Final = "same"
"""In ``out``, what stands for the ``part`` of the same event."""

_Form: TypeAlias = Callable[[Chunk], Any]

_encode = msgspec.json.Encoder().encode
_PART, _OUT = map(HookCalled.__struct_fields__.index, ("part", "out"))
_CHAIN: Final = RunStarted.__struct_fields__.index("chain")
_CHUNK: Final[dict[type[AnyEvent], int]] = {
    cls: cls.__struct_fields__.index("chunk") for cls in (ModelChunk, Delivered)
}
_INDEX: Final = {cls: cls.__struct_fields__.index("index") for cls in _CHUNK}


class Encoder:
    """Writes events in the order of one trace; it remembers the last chunk that it wrote."""

    def __init__(self, *, share: bool = True) -> None:
        self._share = share
        self._last: Chunk | None = None
        self._last_seq = -1

    def encode(self, event: AnyEvent) -> dict[str, JSON]:
        """The JSON object for the next event."""
        if isinstance(event, UnknownEvent):
            return _unknown_to_wire(event)
        shape = shape_of(type(event))
        values = self._values(event, Chunk.to_wire)
        told = zip(shape.keys, values, shape.defaults, strict=True)
        return {"kind": event.kind} | {k: v for k, v, default in told if v is not default}

    def line(self, event: AnyEvent) -> bytes:
        """The same as a line of ASCII, without its end."""
        if isinstance(event, UnknownEvent):
            return line_of(self.encode(event))
        mark = self._last, self._last_seq
        shape = shape_of(type(event))
        try:
            values = self._values(event, chunk_line)
            for at in shape.json:
                if values[at] is not None:
                    values[at] = encodable(values[at])
            return escaped(_encode(shape.written(*values)))
        except Exception:  # half a surrogate pair, or whatever a foreign value raises
            self._last, self._last_seq = mark
            return line_of(self.encode(event))

    def _values(self, event: AnyEvent, form: _Form) -> list[Any]:
        """The values of the fields, with what stands for the chunks among them."""
        values = list(astuple(event))
        if isinstance(event, HookCalled):
            part, out = event.part, event.out
            if part is not None:
                values[_PART] = self._chunk(part, event.seq, form)
            if out is not None:
                values[_OUT] = self._out(out, event, form)
        elif at := _CHUNK.get(type(event)):
            values[at] = self._chunk(values[at], event.seq, form)
        return values

    def _chunk(self, chunk: Chunk, seq: int, form: _Form) -> JSON:
        last = self._last
        if self._share and (chunk is last or (last is not None and same_delta(chunk, last))):
            wire: JSON = self._last_seq
        else:
            wire = form(chunk)
        self._last, self._last_seq = chunk, seq
        return wire

    def _out(self, out: tuple[Chunk, ...], event: HookCalled, form: _Form) -> JSON:
        if len(out) == 1 and out[0] is event.part:
            return SAME
        wire = [SAME if chunk is event.part else form(chunk) for chunk in out]
        if out:
            self._last, self._last_seq = out[-1], event.seq
        return wire


class Decoder:
    """Reads the lines or objects of one trace in their order.

    What is equal in many events, names and indexes, becomes one object.
    """

    def __init__(self) -> None:
        self._last: Chunk | None = None
        self._last_seq = -1
        self._single: tuple[Chunk] | None = None
        self._index: int | None = None
        self._names = _Names()
        self._read, self._shapes = reading()

    def line(self, line: bytes) -> AnyEvent:
        """The event of a line.

        Raises:
            tripscope.trace.lines.NotJSON: it is no JSON.
            ValueError: as `decode`.
        """
        try:
            read = self._read(line)
        except (msgspec.DecodeError, RecursionError):
            return self.decode(loads(line))
        return self._event(read)

    def decode(self, wire: JSON) -> AnyEvent:
        """The event of a JSON object.

        Raises:
            ValueError: ``wire`` is not an event, or refers to a chunk that was not the last one.
        """
        if type(wire) is not dict:
            raise ValueError(f"an event is a JSON object, not {wire!r:.80}")
        kind = wire.get("kind")
        if type(kind) is not str:
            raise ValueError("an event has a string 'kind'")
        if kind not in KINDS:
            return _unknown_from_wire(wire)
        shape = shape_of(KINDS[kind])
        for key, default in zip(shape.keys, shape.defaults, strict=True):
            if default is msgspec.NODEFAULT and key not in wire:
                raise ValueError(f"{kind} event lacks {key!r}")
        known = {key: wire[key] for key in shape.keys if key in wire}
        try:
            read = msgspec.convert(known, shape.read)
        except msgspec.ValidationError as error:
            raise ValueError(f"{kind} event: {error}") from None
        return self._event(read)

    def _event(self, read: Struct) -> AnyEvent:
        cls, repeated = self._shapes[type(read)]
        if cls is HookCalled:
            return self._hook(read)
        values: list[Any] = list(astuple(read))
        if at := _CHUNK.get(cls):
            values[at] = self._chunk(values[at], values[0])
            at = _INDEX[cls]
            if values[at] != self._index:
                self._index = values[at]
            values[at] = self._index
        else:
            for at in repeated:
                if values[at] is not None:
                    values[at] = self._names[values[at]]
            if cls is RunStarted:
                check_chain(values[_CHAIN])
        return cls(*values)

    def _hook(self, read: Struct) -> HookCalled:
        (
            seq, time, step, attempt, hook, processor, duration, outcome, index,
            part, out, intervals, held, error,
        ) = astuple(read)  # fmt: skip
        names = self._names
        if index != self._index:
            self._index = index
        if part is not None:
            part = self._chunk(part, seq)
        if out is not None:
            out = self._out(out, part, seq)
        if intervals:
            intervals = tuple([(a, b, c, d, names[rule]) for a, b, c, d, rule in intervals])
        return HookCalled(
            seq, time, step, attempt, names[hook], names[processor], duration, outcome,
            self._index, part, out, intervals, held, error,
        )  # fmt: skip

    def _chunk(self, wire: JSON, seq: int) -> Chunk:
        """The chunk of event ``seq``, which is now the last one read."""
        if type(wire) is not int:
            self._last = chunk_from_wire(wire, self._names)
        elif wire != self._last_seq or self._last is None:
            raise ValueError(f"refers to the chunk of event {wire}, which was not the last one")
        self._last_seq = seq
        return self._last

    def _out(self, wire: JSON, part: Chunk | None, seq: int) -> tuple[Chunk, ...]:
        """The parts that came out of a hook call for ``part``; calls share the tuple of one."""
        if wire == SAME and part is not None:
            if self._single is None or self._single[0] is not part:
                self._single = (part,)
            return self._single
        if type(wire) is not list:
            raise ValueError(f"'out' is a list of chunks or {SAME!r}, not {wire!r:.80}")
        out = [part if part and w == SAME else chunk_from_wire(w, self._names) for w in wire]
        if out:
            self._last, self._last_seq = out[-1], seq
        if len(out) == 1:
            self._single = (out[0],)
            return self._single
        return tuple(out)


class _Names(dict[Any, Any]):
    """One object for each name, and None for itself."""

    def __missing__(self, name: str | None) -> str | None:
        self[name] = name
        return name


def event_to_wire(event: AnyEvent) -> dict[str, JSON]:
    """The JSON object of a single event, complete by itself (no reference to another event)."""
    return Encoder(share=False).encode(event)


def event_from_wire(wire: JSON) -> AnyEvent:
    """The event of `event_to_wire`.

    Raises:
        ValueError: ``wire`` is not an event, or refers to another one.
    """
    return Decoder().decode(wire)


def _unknown_to_wire(event: UnknownEvent) -> dict[str, JSON]:
    base = {name: value for name in BASE if (value := getattr(event, name)) is not None}
    return {"kind": event.name, **base, **event.body}


def _unknown_from_wire(wire: dict[str, JSON]) -> UnknownEvent:
    body = {key: value for key, value in wire.items() if key != "kind"}
    seq, time, *rest = (body.pop(name, None) for name in BASE)
    if type(seq) is not int or type(time) is not int:
        raise ValueError("an event has integers 'seq' and 'time'")
    if not (0 <= seq < SEQ_END and -TIME_END < time < TIME_END):
        raise ValueError("'seq' or 'time' is out of range")
    step, attempt, hook, processor = rest
    return UnknownEvent(seq, time, step, attempt, hook, processor, wire["kind"], body)
