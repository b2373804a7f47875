"""Trace events to JSON objects and back.

An object holds ``kind`` and the fields in camelCase; a field that has its default is left
out. Chunks travel in wire shape. A chunk that the event before carried is written once: what
stands for it then is the ``seq`` of that event (whose last chunk it is), and ``"same"`` in ``out``
stands for ``part``. So events that shared a chunk share it again after loading.

The two directions are made per class from its fields and annotations, when first used: a trace may
hold millions of events. ``tests/bench/bench_trace_file.py`` says what loading costs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any, Final, get_args

from tripscope.chunks import Chunk, Delta
from tripscope.trace.events import AnyEvent, Event, HookCalled, UnknownEvent
from tripscope.trace.making import maker
from tripscope.wire import JSON, camel_case

KINDS: Final[dict[str, type[Event]]] = {
    cls.kind: cls for cls in get_args(AnyEvent) if cls is not UnknownEvent
}
"""Event class by its kind; `UnknownEvent` stands for all others."""

SAME: Final = "same"
"""In ``out``, what stands for the ``part`` of the same event."""

_BASE: Final = tuple(f.name for f in fields(Event))
_PLAIN_CHUNK: Final = {"type", "from", "runId", "payload"}


class Encoder:
    """Writes events in the order of one trace; it remembers the last chunk that it wrote."""

    def __init__(self, *, share: bool = True) -> None:
        self._share = share
        self._last: Chunk | None = None
        self.last_seq = -1

    def mark(self) -> tuple[Chunk | None, int]:
        """Where writing stands, for `reset`."""
        return self._last, self.last_seq

    def reset(self, mark: tuple[Chunk | None, int]) -> None:
        """Go back to where `mark` was taken."""
        self._last, self.last_seq = mark

    def is_last(self, chunk: Chunk) -> bool:
        """Whether ``chunk`` is what event ``last_seq`` carried last, so need not be written."""
        last = self._last
        return self._share and last is not None and (chunk is last or _equal_deltas(chunk, last))

    def note(self, chunk: Chunk, seq: int) -> None:
        """Remember the last chunk that event ``seq`` carried."""
        self._last, self.last_seq = chunk, seq

    def encode(self, event: AnyEvent) -> dict[str, JSON]:
        """The JSON object for the next event."""
        if isinstance(event, UnknownEvent):
            return _unknown_to_wire(event)
        cls = type(event)
        return (_ENCODE.get(cls) or _encode_function(cls))(event, self)

    def chunk(self, chunk: Chunk, seq: int) -> JSON:
        """What stands for a chunk of event ``seq``, which is now the last one written."""
        wire = self.last_seq if self.is_last(chunk) else chunk.to_wire()
        self.note(chunk, seq)
        return wire

    def out(self, out: tuple[Chunk, ...], event: HookCalled) -> JSON:
        """What stands for the parts that came out of a hook call."""
        if len(out) == 1 and out[0] is event.part:
            return SAME
        wire = [SAME if chunk is event.part else chunk.to_wire() for chunk in out]
        if out:
            self.note(out[-1], event.seq)
        return wire


class Decoder:
    """Reads the objects of one trace in their order."""

    def __init__(self) -> None:
        self._last: Chunk | None = None
        self._last_seq = -1
        self.texts: dict[str, str] = {}
        """One object for each name that comes again and again."""

    def decode(self, wire: JSON) -> AnyEvent:
        """The event that `Encoder.encode` wrote.

        Raises:
            ValueError: ``wire`` is not an event, or refers to a chunk that was not the last one.
        """
        if type(wire) is not dict:
            raise ValueError(f"an event is a JSON object, not {wire!r:.80}")
        kind = wire.get("kind")
        if type(kind) is not str:
            raise ValueError("an event has a string 'kind'")
        decode = _DECODE.get(kind) or _decode_function(kind)
        try:
            event: AnyEvent = decode(wire, self)
            return event
        except KeyError as missing:
            raise ValueError(f"{kind} event lacks {missing}") from None
        except TypeError as error:  # a list that holds other things than it should
            raise ValueError(f"{kind} event: {error}") from None

    def mark(self) -> tuple[Chunk | None, int]:
        """Where reading stands, for `reset`."""
        return self._last, self._last_seq

    def reset(self, mark: tuple[Chunk | None, int]) -> None:
        """Go back to where `mark` was taken."""
        self._last, self._last_seq = mark

    def chunk(self, wire: JSON, seq: int) -> Chunk:
        """The chunk of event ``seq``, which is now the last one read."""
        if type(wire) is int:
            if wire != self._last_seq or self._last is None:
                raise ValueError(f"refers to the chunk of event {wire}, which was not the last one")
            chunk = self._last
        else:
            chunk = chunk_from_wire(wire)
        self._last, self._last_seq = chunk, seq
        return chunk

    def out(self, wire: JSON, part: Chunk | None, seq: int) -> tuple[Chunk, ...]:
        """The parts that came out of a hook call for ``part``."""
        if wire == SAME and part is not None:
            return (part,)
        if type(wire) is not list:
            raise ValueError(f"'out' is a list of chunks or {SAME!r}, not {wire!r:.80}")
        out = [part if part and w == SAME else chunk_from_wire(w) for w in wire]
        if out:
            self._last, self._last_seq = out[-1], seq
        return tuple(out)


def event_to_wire(event: AnyEvent) -> dict[str, JSON]:
    """The JSON object of a single event, complete by itself (no reference to another event)."""
    return Encoder(share=False).encode(event)


def event_from_wire(wire: JSON) -> AnyEvent:
    """The event of `event_to_wire`.

    Raises:
        ValueError: ``wire`` is not an event, or refers to another one.
    """
    return Decoder().decode(wire)


def chunk_from_wire(wire: JSON) -> Chunk:
    """As `Chunk.from_wire`, with a short way for plain text deltas.

    Raises:
        ValueError: ``wire`` is not a chunk.
    """
    if type(wire) is dict and wire.keys() == _PLAIN_CHUNK:
        payload = wire["payload"]
        kind = wire["type"]
        if (
            (kind == "text-delta" or kind == "reasoning-delta")
            and type(payload) is dict
            and len(payload) == 2
            and type(text := payload.get("text")) is str
            and "id" in payload
            and type(run_id := wire["runId"]) is str
            and type(from_ := wire["from"]) is str
        ):
            return Chunk(kind, Delta(id=payload["id"], text=text), run_id, from_)
    return Chunk.from_wire(wire)


def _equal_deltas(one: Chunk, other: Chunk) -> bool:
    a, b = one.payload, other.payload
    return (
        type(a) is Delta
        and type(b) is Delta
        and a.text == b.text
        and a.id == b.id
        and type(a.id) is type(b.id) is str
        and one.type == other.type
        and one.run_id == other.run_id
        and one.from_ == other.from_
        and a.provider_metadata is None
        and b.provider_metadata is None
        and not (a.extra or b.extra)
        and not (one.extra or other.extra)
    )


def _unknown_to_wire(event: UnknownEvent) -> dict[str, JSON]:
    base = {name: value for name in _BASE if (value := getattr(event, name)) is not None}
    return {"kind": event.name, **base, **event.body}


def _unknown_from_wire(wire: dict[str, JSON], _: Decoder) -> UnknownEvent:
    body = {key: value for key, value in wire.items() if key != "kind"}
    seq, time, *rest = (body.pop(name, None) for name in _BASE)
    if type(seq) is not int or type(time) is not int:
        raise ValueError("an event has integers 'seq' and 'time'")
    step, attempt, hook, processor = rest
    return UnknownEvent(seq, time, step, attempt, hook, processor, wire["kind"], body)


# ---- the code that is made per class

# Annotation, as written in events.py -> expression that turns the value `v` into JSON.
_TO_JSON: Final = {
    "Chunk": "codec.chunk({v}, e.seq)",
    "Chunk | None": "codec.chunk({v}, e.seq)",
    "tuple[Chunk, ...] | None": "codec.out({v}, e)",
}
# Annotation -> (test that the JSON value `v` has this shape, expression that makes the field).
_FROM_JSON: Final = {
    "int": ("type({v}) is int", "{v}"),
    "int | None": ("{v} is None or type({v}) is int", "{v}"),
    "bool": ("type({v}) is bool", "{v}"),
    "str": ("type({v}) is str", "{v}"),
    "str | None": ("{v} is None or type({v}) is str", "{v}"),
    "Outcome": ("type({v}) is str", "share({v}, {v})"),
    "JSON": ("True", "{v}"),
    "Chunk": ("True", "codec.chunk({v}, seq)"),
    "Chunk | None": ("True", "None if {v} is None else codec.chunk({v}, seq)"),
    "tuple[Chunk, ...] | None": ("True", "None if {v} is None else codec.out({v}, part, seq)"),
    "tuple[str, ...]": ("type({v}) is list", "tuple({v})"),
    "tuple[JSON, ...]": ("type({v}) is list", "tuple({v})"),
    "tuple[int, int] | None": (
        "{v} is None or type({v}) is list",
        "None if {v} is None else tuple({v})",
    ),
    "tuple[Interval, ...] | None": (
        "{v} is None or type({v}) is list",
        "None if {v} is None else tuple([tuple(t) for t in {v}])",
    ),
}
_TUPLES: Final = ("type({v}) is list", "tuple([tuple(t) for t in {v}])")
REPEATED: Final = frozenset({"hook", "processor", "rule", "block", "tool_name"})
"""Fields whose values come again and again."""

_Encode = Callable[[Any, Encoder], dict[str, JSON]]
_Decode = Callable[[dict[str, JSON], Decoder], Any]
_ENCODE: Final[dict[type[Any], _Encode]] = {}
_DECODE: Final[dict[str, _Decode]] = {}


def default_of(field: Field[Any]) -> Any:
    """The value with which a field is left out; `dataclasses.MISSING` if it never is."""
    # The base's optional fields have no default in the class, as every event names them.
    return None if field.name in _BASE[2:] else field.default


def _encode_function(cls: type[Event]) -> _Encode:
    lines = ["def encode(e, codec):", f" w = {{'kind': {cls.kind!r}}}"]
    for f in fields(cls):
        value = _TO_JSON.get(str(f.type), "{v}").format(v="v")
        default = default_of(f)
        lines.append(f" v = e.{f.name}")
        test = "" if default is MISSING else f"if v is not {default!r}: "
        if default == () or (type(default) is int):
            test = f"if v != {default!r}: "
        lines.append(f" {test}w[{camel_case(f.name)!r}] = {value}")
    _ENCODE[cls] = _made("\n".join([*lines, " return w"]), "encode", {})
    return _ENCODE[cls]


def _decode_function(kind: str) -> _Decode:
    cls = KINDS.get(kind)
    if cls is None:
        return _unknown_from_wire
    lines = ["def decode(w, codec):", " get = w.get", " share = codec.texts.setdefault"]
    names = []
    for f in fields(cls):
        key, default = camel_case(f.name), default_of(f)
        absent = [] if default == () else default
        read = f"w[{key!r}]" if default is MISSING else f"get({key!r}, {absent!r})"
        annotation = str(f.type)
        test, value = _TUPLES if annotation.startswith("tuple[tuple[") else _from_json(annotation)
        test, value = test.format(v=f.name), value.format(v=f.name)
        lines.append(f" {f.name} = {read}")
        if test != "True":
            lines.append(f" if not ({test}): wrong({kind!r}, {key!r}, {f.name})")
        if f.name in REPEATED:
            value = f"share({value}, {value})"
        if value != f.name:
            lines.append(f" {f.name} = {value}")
        names.append(f.name)
    lines.append(f" return make({', '.join(names)})")
    _DECODE[kind] = _made("\n".join(lines), "decode", {"make": maker(cls), "wrong": _wrong})
    return _DECODE[kind]


def _from_json(annotation: str) -> tuple[str, str]:
    if annotation.startswith("Literal["):
        annotation = "str"
    elif annotation == "Status":
        annotation = "Outcome"
    return _FROM_JSON[annotation]


def _made(source: str, name: str, scope: dict[str, Any]) -> Any:
    exec(compile(source, f"<{name} of {__name__}>", "exec"), scope)
    return scope[name]


def _wrong(kind: str, key: str, value: JSON) -> None:
    raise ValueError(f"{kind} event: {key!r} cannot be {value!r:.80}")
