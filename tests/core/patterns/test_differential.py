"""Our patterns beside V8's, case by case."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.core.patterns import cases, v8
from tests.core.patterns.compare import verdict
from tests.core.patterns.generator import Generator
from tests.support.patience import PATIENCE

_BATCH = 50


@pytest.fixture(scope="module")
def engine() -> Iterator[v8.Engine]:
    engine = v8.start()
    yield engine
    engine.close()


def differences(engine: v8.Engine, some: list[v8.Case]) -> list[str]:
    found = []
    for case, answer in zip(some, engine.ask(some), strict=True):
        result = verdict(case, answer)
        if not result.startswith(("same", "refused", "gave up")):
            found.append(f"{case!a}: {result!a}")
    return found


def test_the_hand_made_tables_hold_in_v8(engine: v8.Engine) -> None:
    rows = [*cases.STANDARD, *(cases.V8_ONLY if engine.is_node else [])]
    answers = engine.ask(
        [v8.Case(pattern, flags, text) for pattern, flags, text, _ in rows], PATIENCE
    )
    for (pattern, flags, _, expected), answer in zip(rows, answers, strict=True):
        shown = [(at, text, *groups) for at, text, groups, _ in answer["matches"]]
        assert shown == expected, (pattern, flags)


def test_v8_refuses_the_refused(engine: v8.Engine) -> None:
    if not engine.is_node:
        pytest.skip("a newer V8 takes duplicate names and modifiers")
    answers = engine.ask([v8.Case(pattern, flags, "") for pattern, flags, _ in cases.REFUSED])
    pairs = zip(cases.REFUSED, answers, strict=True)
    assert [row for row, answer in pairs if "error" not in answer] == []


@settings(max_examples=45, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
@example(20)
def test_generated_patterns_match_as_in_v8(engine: v8.Engine, seed: int) -> None:
    generator = Generator(Random(seed), newer=not engine.is_node)
    found = differences(engine, [generator.case() for _ in range(_BATCH)])
    assert found == []
