"""The processors that come with Tripscope, one file each.

A file ``some_name.py`` of this package adds a built-in: it holds a `Processor` whose ``TYPE`` is
``some-name``. Nothing else has to know of it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, Self, cast

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


class _BuiltIns(Mapping[str, type[BuiltIn]]):
    """The classes by type; each file is imported when its type is asked for."""

    @cached_property
    def _files(self) -> dict[str, str]:
        return {info.name.replace("_", "-"): info.name for info in pkgutil.iter_modules(__path__)}

    def __getitem__(self, kind: str) -> type[BuiltIn]:
        module = importlib.import_module(f"{__name__}.{self._files[kind]}")
        for one in vars(module).values():
            own = isinstance(one, type) and issubclass(one, Processor)
            if own and vars(one).get("TYPE") == kind:
                return cast("type[BuiltIn]", one)
        raise ImportError(f"{module.__file__} holds no processor of type {kind!r}")

    def __contains__(self, kind: object) -> bool:
        return kind in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


BUILT_INS: Final[Mapping[str, type[BuiltIn]]] = _BuiltIns()
