import inspect
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given, settings

from tests.core.trace.strategies import events as event_strategy
from tripscope.trace.codec import KINDS
from tripscope.trace.events import AnyEvent, UnknownEvent
from tripscope.trace.making import maker

CLASSES = [*KINDS.values(), UnknownEvent]


@pytest.mark.parametrize("cls", CLASSES)
def test_it_is_called_like_the_class(cls: type) -> None:
    made, own = (inspect.signature(f).parameters for f in (maker(cls), cls))
    assert [(p.name, p.default) for p in made.values()] == [
        (p.name, p.default) for p in own.values()
    ]


@settings(max_examples=50)
@given(event_strategy())
def test_what_it_makes_is_the_same(event: AnyEvent) -> None:
    cls = type(event)
    made = maker(cls)(*(getattr(event, name) for name in inspect.signature(cls).parameters))
    assert type(made) is cls
    assert made == event
    assert repr(made) == repr(event)
    assert replace(made, seq=-1) == replace(event, seq=-1)
    assert pickle.loads(pickle.dumps(made)) == event
    with pytest.raises(FrozenInstanceError):
        made.seq = 3  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del made.seq
