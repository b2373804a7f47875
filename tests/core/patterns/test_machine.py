"""The time budget of the exact matcher."""

import itertools

import pytest

from tripscope.patterns import MatchTimeout, machine
from tripscope.patterns.parser import parse
from tripscope.patterns.program import assemble


def test_time_counts_only_while_the_own_thread_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = machine.Machine(assemble(parse("(a+)+$", "")), None)
    text = "a" * 12 + "c"
    monkeypatch.setattr(machine, "thread_time", lambda: 0.0)
    assert exact.match(text, 0, machine.Clock.of(1e-9)) is None
    monkeypatch.setattr(machine, "thread_time", itertools.count(0.0).__next__)
    with pytest.raises(MatchTimeout):
        exact.match(text, 0, machine.Clock.of(1.5))
