"""The processors that come with Tripscope, one file each.

A file of this package that holds a `Processor` with a ``TYPE`` adds a built-in; nothing else has to
know of it. ``BUILT_INS`` maps each type to its class and is made at first use.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, cast

from tripscope.processor import Processor

if TYPE_CHECKING:
    from tripscope.wire import JSON


class BuiltIn(Protocol):
    """What a built-in has beyond its hooks: it can be named, made and described in a file."""

    TYPE: ClassVar[str]
    id: str

    @classmethod
    def from_options(cls, options: dict[str, JSON], *, id: str) -> Self:
        """Make one from its options (camelCase).

        Raises:
            ValueError: an option has no meaning; the message names it.
        """
        ...

    def describe(self) -> dict[str, JSON]:
        """``{"id", "type", **options}``, from which `from_options` makes the same processor."""
        ...


if TYPE_CHECKING:
    BUILT_INS: dict[str, type[BuiltIn]]


@cache
def _built_ins() -> dict[str, type[BuiltIn]]:
    found: dict[str, type[BuiltIn]] = {}
    for info in pkgutil.iter_modules(__path__, f"{__name__}."):
        module = importlib.import_module(info.name)
        for _, one in inspect.getmembers(module, inspect.isclass):
            kind = vars(one).get("TYPE")
            if one.__module__ == module.__name__ and issubclass(one, Processor) and kind:
                if kind in found:
                    raise ImportError(f"two processors of type {kind!r}: {found[kind]} and {one}")
                found[kind] = cast("type[BuiltIn]", one)
    return found


def __getattr__(name: str) -> Any:
    if name == "BUILT_INS":
        return _built_ins()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
