"""Generated trace events: each class from its annotations, so that a new field is covered.

Composites all through: the repr of a nested strategy, which hypothesis makes, grows with its depth.
"""

from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin

from hypothesis import strategies as st
from msgspec import NODEFAULT
from msgspec.structs import fields

from tripscope.arrays import ARRAYS
from tripscope.chunks import BlockEdge, Chunk, Delta, Finish, ToolCall, Usage
from tripscope.trace.events import AnyEvent, Event, HookCalled, UnknownEvent
from tripscope.trace.shapes import KINDS

Draw = Callable[[st.SearchStrategy[Any]], Any]


@st.composite
def texts(draw: Draw) -> str:
    text: str = draw(st.text('ab1"\\\n\x00é\u2028\u0085🦀\ud83e\udd80', max_size=6))
    # Halves that meet are one character for JSON, as everywhere else.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


TEXT = texts()
COUNT = st.integers(0, 10**7)


@st.composite
def json_values(draw: Draw, depth: int = 0) -> Any:
    shape = draw(st.sampled_from("nbifsld" if depth < 2 else "nbifs"))
    if shape == "l":
        return draw(st.lists(json_values(depth + 1), max_size=2))
    if shape == "d":
        return draw(st.dictionaries(TEXT, json_values(depth + 1), max_size=2))
    scalars: dict[str, st.SearchStrategy[Any]] = {
        "n": st.none(),
        "b": st.booleans(),
        "i": st.integers(-(2**63), 2**63),
        "f": st.floats(allow_nan=False, allow_infinity=False),
        "s": TEXT,
    }
    return draw(scalars[shape])


JSON = json_values()
OBJECT = st.dictionaries(TEXT, JSON, max_size=2)
MAYBE_TEXT = st.none() | TEXT


@st.composite
def chunks(draw: Draw) -> Chunk:
    kinds = ("text-delta", "reasoning-delta", "text-start", "tool-call", "finish", "start", "x")
    kind = draw(st.sampled_from((*kinds, "data-x")))
    payload: Any = None
    match kind:
        case "data-x":
            return Chunk(kind, data=draw(JSON), transient=draw(st.booleans()))
        case "text-delta" | "reasoning-delta":
            metadata = draw(st.sampled_from([None, {}, {"p": {"x": 1}}]))
            payload = Delta(id=draw(TEXT), text=draw(TEXT), provider_metadata=metadata)
        case "text-start":
            payload = BlockEdge(id=draw(TEXT))
        case "tool-call":
            payload = ToolCall(tool_call_id=draw(TEXT), tool_name=draw(TEXT), args=draw(JSON))
        case "finish":
            usage = Usage(input_tokens=draw(st.none() | COUNT))
            payload = Finish(reason=draw(TEXT), usage=usage)
        case "x":
            payload = draw(OBJECT)
    return Chunk(kind, payload, run_id=draw(MAYBE_TEXT), from_=draw(MAYBE_TEXT))


CHUNK = chunks()


@st.composite
def chains(draw: Draw) -> Any:
    """What the first event of a run says of its processors."""
    described = {"id": draw(TEXT), "type": draw(TEXT), "hooks": draw(st.lists(TEXT, max_size=2))}
    return {array: [draw(OBJECT) | described] for array in draw(st.sets(st.sampled_from(ARRAYS)))}


_BY_TYPE: dict[Any, st.SearchStrategy[Any]] = {
    int: COUNT,
    bool: st.booleans(),
    str: TEXT,
    type(None): st.none(),
    Any: JSON,
    Chunk: CHUNK,
}


@st.composite
def _values(draw: Draw, kind: Any) -> Any:
    if kind in _BY_TYPE:
        return draw(_BY_TYPE[kind])
    args = get_args(kind)
    if get_origin(kind) is Literal:
        return draw(st.sampled_from(args))
    if get_origin(kind) is tuple:
        if args[-1] is Ellipsis:
            return tuple(draw(st.lists(_values(args[0]), max_size=2)))
        return tuple(draw(_values(item)) for item in args)
    return draw(_values(draw(st.sampled_from(args))))


@st.composite
def events(draw: Draw, kind: str | None = None) -> AnyEvent:
    """An event of ``kind`` (``unknown`` for one that is not known), or of any."""
    kind = kind or draw(st.sampled_from((*KINDS, "unknown")))
    cls: type[Event] = KINDS.get(kind, UnknownEvent)
    given = {
        f.name: f.default
        if f.default is not NODEFAULT and draw(st.booleans())
        else draw(chains() if f.name == "chain" else _values(f.type))
        for f in fields(cls)
        if f.name not in ("name", "body") or cls is not UnknownEvent
    }
    if cls is HookCalled and given["part"] is not None and draw(st.booleans()):
        given["out"] = (given["part"],)  # as most calls do
    if cls is UnknownEvent:
        base = {"kind", *(f.name for f in fields(Event))}
        given["name"] = draw(TEXT)
        given["body"] = {k: v for k, v in draw(OBJECT).items() if k not in base}
    event: AnyEvent = cls(**given)  # type: ignore[assignment]
    return event
