"""Looking for what makes a pattern slow is not slow itself."""

import pytest

from tripscope.patterns import compile
from tripscope.rules import ambiguity
from tripscope.rules.ambiguity import Graph


def test_a_pattern_of_many_places_is_not_gone_through_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ambiguity, "_MAX_PAIRS", 10_000)
    looked_at = 0

    class Counting(Graph):
        def _both(self, one: int, other: int) -> ambiguity.CharSet:
            nonlocal looked_at
            looked_at += 1
            return super()._both(one, other)

    graph = Counting(compile("(?:a??){0,100000}" * 20).tree.root)
    assert len(graph.chars) > 50
    list(graph.doubling_turns())
    assert 0 < looked_at <= 10_000


def test_turns_that_double_are_found() -> None:
    graph = Graph(compile("(?:a|aa)+$").tree.root)
    assert list(graph.doubling_turns())
