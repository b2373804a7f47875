"""Makes events fast: a run makes several for each chunk, and loading a trace makes millions.

Calling a frozen dataclass sets each field through ``object.__setattr__``, which takes four to five
times as long as plain assignment. So the fields are assigned on an instance of a class that has the
same slots and is not frozen, and that instance then becomes one of the event class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, Final, TypeVar

from tripscope.trace.events import Event

_E = TypeVar("_E", bound=Event)
_MAKERS: Final[dict[type[Any], Any]] = {}


def maker(cls: type[_E]) -> Callable[..., _E]:
    """A function with the parameters of ``cls`` that makes an instance of it."""
    make: Callable[..., _E] = _MAKERS.get(cls) or _made(cls)
    return make


def _made(cls: type[Any]) -> Any:
    open_cls: Any = type(
        cls.__name__,
        (Event,),
        {
            "__slots__": cls.__dict__["__slots__"],
            "__init__": object.__init__,
            "__setattr__": object.__setattr__,
            "__delattr__": object.__delattr__,
        },
    )
    parameters = [
        f.name if f.default is MISSING else f"{f.name}=defaults[{f.name!r}]" for f in fields(cls)
    ]
    lines = [
        f"def make({', '.join(parameters)}):",
        " event = open_cls()",
        *(f" event.{f.name} = {f.name}" for f in fields(cls)),
        " event.__class__ = cls",
        " return event",
    ]
    defaults = {f.name: f.default for f in fields(cls)}
    scope: dict[str, Any] = {"open_cls": open_cls, "cls": cls, "defaults": defaults}
    exec(compile("\n".join(lines), f"<make of {__name__}>", "exec"), scope)
    return _MAKERS.setdefault(cls, scope["make"])
