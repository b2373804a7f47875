"""How each kind of event lies in a trace file: worked out of the classes of the events.

For msgspec each class has two likenesses. Files spell names in camelCase, say ``kind``, and leave
out what has its default, also the place of an event (``step`` to ``processor``), which the events
themselves always name. A chunk may be the number of another event there, so it is any JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from operator import or_
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple, get_args

import msgspec
from msgspec import NODEFAULT, UNSET, Struct

from tripscope.chunks import Chunk
from tripscope.trace.events import AnyEvent, Event, UnknownEvent
from tripscope.wire import camel_case

KINDS: Final = MappingProxyType(
    {cls.kind: cls for cls in get_args(AnyEvent) if cls is not UnknownEvent}
)
"""Event class by its kind; `UnknownEvent` stands for all others."""

BASE: Final = Event.__struct_fields__
_PLACE: Final = frozenset(BASE[2:])
_REPEATED: Final = frozenset({"hook", "processor", "rule", "block", "tool_name"})
_CHUNKS: Final[tuple[Any, ...]] = (Chunk, Chunk | None, tuple[Chunk, ...] | None)
SEQ_END: Final = 1 << 32
TIME_END: Final = 1 << 60
"""Of ``seq``, and of times in ns (36 years): who reads a trace may keep them in machine words."""
_INDEX_END: Final = 1 << 26
"""Of indexes of parts: readers keep a table by them."""
_COUNT: Final[Any] = Annotated[int, msgspec.Meta(ge=0, lt=SEQ_END)]
_INDEX: Final[Any] = Annotated[int, msgspec.Meta(ge=0, lt=_INDEX_END)]
_NANOSECONDS: Final[Any] = Annotated[int, msgspec.Meta(gt=-TIME_END, lt=TIME_END)]
_INTEGER: Final[Any] = Annotated[int, msgspec.Meta(gt=-TIME_END, lt=TIME_END)]
_BOUNDED: Final = {"seq": _COUNT, "time": _NANOSECONDS, "duration": _NANOSECONDS}


class Shape(NamedTuple):
    """One class of events. What is told of positions counts the fields of the class from 0."""

    cls: type[AnyEvent]
    keys: tuple[str, ...]
    defaults: tuple[Any, ...]
    """What is left out; `msgspec.NODEFAULT` for a field that never is."""
    json: tuple[int, ...]
    """Where any JSON may be."""
    repeated: tuple[int, ...]
    """Where names are that come again and again."""
    written: type[Struct]
    """Takes the values of all fields, as they are written, in their order."""
    read: type[Struct]
    """Has the same fields in the same order, checked, when it was decoded."""


@cache
def shape_of(cls: type[AnyEvent]) -> Shape:
    """The shape of a class of `KINDS`."""
    known = msgspec.structs.fields(cls)
    names = [field.name for field in known]
    defaults = tuple(None if field.name in _PLACE else field.default for field in known)
    types = [Any if field.type in _CHUNKS else _bounded(field) for field in known]
    written = [
        (name, Any, UNSET if default is NODEFAULT else default)
        for name, default in zip(names, defaults, strict=True)
    ]
    read: list[Any] = [
        (name, kind) if default is NODEFAULT else (name, kind, default)
        for name, kind, default in zip(names, types, defaults, strict=True)
    ]
    spelling: Any = {"tag_field": "kind", "tag": cls.kind, "rename": camel_case, "gc": False}
    return Shape(
        cls,
        tuple(camel_case(name) for name in names),
        defaults,
        tuple(at for at, field in enumerate(known) if _holds_any(field.type)),
        tuple(at for at, name in enumerate(names) if name in _REPEATED),
        msgspec.defstruct(cls.__name__, written, omit_defaults=True, **spelling),
        msgspec.defstruct(cls.__name__, read, kw_only=True, **spelling),
    )


@cache
def reading() -> tuple[
    Callable[[bytes], Struct], dict[type[Struct], tuple[type[AnyEvent], tuple[int, ...]]]
]:
    """What decodes a line of a trace to the `Shape.read` of its kind.

    And for each of these its class of events, and where names are that come again.
    """
    shapes = [shape_of(cls) for cls in KINDS.values()]
    any_read: Any = reduce(or_, [shape.read for shape in shapes])
    return msgspec.json.Decoder(any_read).decode, {s.read: (s.cls, s.repeated) for s in shapes}


def _bounded(field: msgspec.structs.FieldInfo) -> Any:
    """The type of a field, a number of it within what any reader can hold."""
    if field.type == int | None:
        return (_INDEX if field.name == "index" else _INTEGER) | None
    return _BOUNDED.get(field.name, _INTEGER) if field.type is int else field.type


def _holds_any(annotation: Any) -> bool:
    return annotation is Any or any(map(_holds_any, get_args(annotation)))
