"""Wire objects: structs that read and write the camelCase JSON of the Processor interface.

A subclass is ``kw_only``; field ``tool_call_id`` is the key ``toolCallId``.
Reading keeps what it does not know: other keys, and a known optional key that holds null, live on
in ``extra`` and are written back, so ``C.from_wire(w).to_wire() == w`` for every object that has
the shape of ``C``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Protocol, Self, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import fields

JSON: TypeAlias = Any
"""A value that ``json`` can hold: None, bool, int, float, str, list, or dict with str keys."""


_S = TypeVar("_S", bound=Struct)


class _ShallowCopy(Protocol):
    def __call__(self, struct: _S, /) -> _S: ...


shallow: Final[_ShallowCopy] = Struct.__copy__  # type: ignore[attr-defined]
"""A copy of a struct that shares the values of its fields: `copy.copy` in a third of the time."""


def camel_case(name: str) -> str:
    """Wire spelling of a field name: ``tool_call_id`` -> ``toolCallId``, ``from_`` -> ``from``."""
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(word.capitalize() for word in rest)


@cache
def _wire_fields(cls: type[WireObject]) -> tuple[tuple[str, str, bool], ...]:
    """(attribute, key, required) for each field of ``cls`` but ``extra``."""
    return tuple((f.name, camel_case(f.name), f.required) for f in fields(cls) if f.name != "extra")


@cache
def _required(cls: type[WireObject]) -> tuple[tuple[str, bool], ...]:
    """(key, whether it must hold a string) for each required field of ``cls``."""
    return tuple((camel_case(f.name), f.type is str) for f in fields(cls) if f.required)


class WireObject(Struct, kw_only=True):
    """Base of payloads and parts that travel as one flat JSON object."""

    extra: dict[str, JSON] = field(default_factory=dict)

    @classmethod
    def fits(cls, wire: JSON) -> bool:
        """Whether ``wire`` is an object with every required key, strings where texts belong."""
        return isinstance(wire, dict) and all(
            key in wire and (not is_text or isinstance(wire[key], str))
            for key, is_text in _required(cls)
        )

    @classmethod
    def from_wire(cls, wire: dict[str, JSON]) -> Self:
        """Read an object that ``fits``; nested values are taken over, not copied."""
        extra = dict(wire)
        known = {
            name: extra.pop(key)
            for name, key, required in _wire_fields(cls)
            if key in extra and (required or extra[key] is not None)
        }
        return cls(**known, extra=extra)

    def to_wire(self) -> dict[str, JSON]:
        """The JSON object; optional fields that are None are left out."""
        wire = {
            key: value
            for name, key, required in _wire_fields(type(self))
            if (value := getattr(self, name)) is not None or required
        }
        # A field that came as null is in ``extra``; what it was set to since then counts.
        return self.extra | wire if self.extra else wire
