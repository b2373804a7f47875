"""Options of a built-in processor as fields of a form, read from its constructor."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from tripscope.processors import BUILT_INS
from tripscope.rules.presets import PRESETS

FieldKind: TypeAlias = Literal["choice", "flag", "number", "text", "names"]

_NOT_OPTIONS: Final = ("self", "id", "rules", "budget")
# Words that say more than the option's name, with the unit of a number.
_WORDS: Final = {
    "streamCarryoverSize": "window, UTF-16",
    "streamHold": "stream hold",
    "includeRedactedValues": "reports hold the values",
    "ttl": "kept for, seconds",
    "bust": "never read, only write",
    "mustMatch": "answer must match",
    "collapseWhitespace": "collapse white space",
    "stripControlChars": "strip control characters",
}


class OptionField(Struct, frozen=True):
    """``key`` as files spell it; ``default`` None where there is none, or where None is meant."""

    key: str
    kind: FieldKind
    default: Any = None
    choices: tuple[str, ...] = ()
    required: bool = False

    @property
    def words(self) -> str:
        """What stands before the field."""
        spaced = "".join(f" {c.lower()}" if c.isupper() else c for c in self.key)
        return _WORDS.get(self.key, spaced)

    @property
    def mono(self) -> bool:
        """Whether its text is a pattern and not words."""
        return self.key in ("pattern", "flags")


@cache
def fields_of(kind: str) -> tuple[OptionField, ...]:
    """The options that a form can show, in the order of the constructor; () for an unknown type."""
    built_in: Any = BUILT_INS.get(kind)
    return tuple(_fields(built_in)) if built_in is not None else ()


def _fields(built_in: type) -> Iterator[OptionField]:
    init = inspect.signature(built_in.__init__)  # type: ignore[misc]  # the class's own
    hints = get_type_hints(built_in.__init__)  # type: ignore[misc]
    for name, parameter in init.parameters.items():
        if name in _NOT_OPTIONS or name not in hints:
            continue
        required = parameter.default is inspect.Parameter.empty
        default = None if required else parameter.default
        field = _field(_camel(name), hints[name], default, required)
        if field is not None:
            yield field


def _field(key: str, hint: Any, default: Any, required: bool) -> OptionField | None:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        # a text that may be left out
        if str not in get_args(hint) or any(callable_type(a) for a in get_args(hint)):
            return None
        plain = default if isinstance(default, str) else None
        return OptionField(key, "text", plain)
    if origin is Literal:
        return OptionField(key, "choice", default, tuple(map(str, get_args(hint))))
    if hint is bool:
        return OptionField(key, "flag", bool(default))
    if hint in (int, float):
        return OptionField(key, "number", default)
    if hint is str:
        return OptionField(key, "text", default, required=required)
    if isinstance(origin, type) and issubclass(origin, Sequence) and get_args(hint) == (str,):
        return OptionField(key, "names", (), tuple(PRESETS) if key == "presets" else ())
    return None


def callable_type(hint: Any) -> bool:
    """Whether a type of a union is that of a function, which no form can show."""
    origin = get_origin(hint)
    return origin is not None and getattr(origin, "__name__", "") == "Callable"


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
