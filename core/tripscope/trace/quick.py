"""Frozen dataclasses that are made as fast as plain ones, for events that there is one of a chunk.

The ``__init__`` of a frozen dataclass sets each field through ``object.__setattr__``, which costs
several times what a plain assignment does. Here the new object is open while its fields are set:
for that long it belongs to a twin of its class that has the same slots and no guard.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, TypeVar

_T = TypeVar("_T")


def quickly_made(cls: type[_T]) -> type[_T]:
    """Give a frozen, slotted dataclass without default factories a fast ``__init__``.

    Its arguments stay the same, and so does everything else: once made, an object is frozen.
    """
    guardless = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    slots: Any = cls.__dict__["__slots__"]
    twin = type(cls.__name__, cls.__bases__, {"__slots__": slots, **guardless})
    known: Any = fields(cls)  # type: ignore[arg-type]
    names = [field.name for field in known]
    arguments = ", ".join(
        field.name if field.default is MISSING else f"{field.name}=_default_{field.name}"
        for field in known
    )
    assignments = "".join(f"    self.{name} = {name}\n" for name in names)
    scope: dict[str, Any] = {f"_default_{field.name}": field.default for field in known}
    scope |= {"_set": object.__setattr__, "_twin": twin, "_class": cls}
    exec(
        f"def __init__(self, {arguments}):\n"
        f"    _set(self, '__class__', _twin)\n{assignments}    self.__class__ = _class\n",
        scope,
    )
    init = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = dict(cls.__init__.__annotations__)
    cls.__init__ = init  # type: ignore[method-assign]
    return cls
