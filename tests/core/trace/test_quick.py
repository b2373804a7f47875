"""Events that are made quickly are what their dataclass says."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

from tripscope.trace.events import Delivered, Event, HookCalled, ModelChunk, StateChanged
from tripscope.trace.quick import quickly_made


@quickly_made
@dataclass(frozen=True, slots=True)
class Made(Event):
    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Plain(Event):
    name: str
    size: int | None = None


PLACE = (1, 2, 0, 0, "hook", "p")


def test_arguments_and_defaults_are_the_same() -> None:
    made = Made(*PLACE, "x")
    assert type(made) is Made
    assert isinstance(made, Event)
    assert (made.seq, made.processor, made.name, made.size) == (1, "p", "x", None)
    assert repr(made) == repr(Plain(*PLACE, "x")).replace("Plain", "Made")
    assert made == Made(*PLACE, name="x", size=None)
    assert hash(made) == hash(Made(*PLACE, "x"))
    assert replace(made, size=3).size == 3
    with pytest.raises(TypeError):
        Made(*PLACE)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Made(*PLACE, "x", more=1)  # type: ignore[call-arg]


def test_it_is_frozen_and_slotted() -> None:
    made = Made(*PLACE, "x")
    with pytest.raises(FrozenInstanceError):
        made.name = "y"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del made.name
    assert not hasattr(made, "__dict__")


@pytest.mark.parametrize("kind", [HookCalled, ModelChunk, Delivered, StateChanged])
def test_the_events_of_every_chunk_are_frozen(kind: type[Event]) -> None:
    event = object.__new__(kind)
    with pytest.raises(FrozenInstanceError):
        event.seq = 1  # type: ignore[misc]


def test_copies_and_pickles() -> None:
    event = HookCalled(*PLACE, 5, "pass")
    assert copy.deepcopy(event) == pickle.loads(pickle.dumps(event)) == event
