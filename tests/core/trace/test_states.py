"""What the trace is told of a processor's state after each call."""

from __future__ import annotations

from typing import Any

import pytest

from tripscope.trace.states import WatchedState


def watched(**values: Any) -> WatchedState:
    """A state whose values are on record."""
    state = WatchedState()
    state.values |= values
    state.news()
    return state


class Meter:
    """Tells of itself, always with one and the same dict."""

    def __init__(self) -> None:
        self.told: dict[str, Any] = {"n": 0}

    def digest(self) -> dict[str, Any]:
        return self.told


def test_nothing_is_told_twice() -> None:
    state = WatchedState()
    assert state.news() == ()
    state.values["n"] = 1
    assert state.news() == (("n", None, 1),)
    assert state.news() == ()


def test_only_keys_that_differ_are_told() -> None:
    state = watched(n=1, seen=["a"], gone="x")
    state.values["n"] = 2
    state.values["seen"].append("b")
    del state.values["gone"]
    assert state.news() == (
        ("n", 1, 2),
        ("seen", {"list": 1, "last": ["a"]}, {"list": 2, "last": ["a", "b"]}),
        ("gone", "x", None),
    )


def test_a_list_that_another_took_the_place_of_differs() -> None:
    state = watched(seen=["a"])
    state.values["seen"] = ["a"]
    assert [key for key, *_ in state.news()] == ["seen"]


def test_an_object_that_tells_of_itself_is_shown_by_its_entries() -> None:
    meter = Meter()
    state = watched(meter=meter)
    meter.told["n"] = 1
    meter.told["more"] = "x"
    assert state.news() == (("meter.n", 0, 1), ("meter.more", None, "x"))
    del meter.told["n"]
    assert state.news() == (("meter.n", 1, None),)
    state.values["meter"] = 5
    assert state.news() == (("meter", None, 5), ("meter.more", "x", None))


@pytest.mark.parametrize("failing", ["digest", "__getattr__"])
def test_a_value_that_fails_is_told_by_its_type(failing: str) -> None:
    def fail(*_args: Any) -> Any:
        raise RuntimeError("no")

    value = type("Foreign", (), {failing: fail})()
    state = watched(x=Meter())
    state.values["x"] = value
    assert state.news() == (("x", None, {"type": "Foreign"}), ("x.n", 0, None))
    assert state.news() == ()
