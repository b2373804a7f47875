"""Tests that stand beside a rule."""

from __future__ import annotations

import pytest

from tripscope.session import RuleTest, SessionRule, run_rule_test

EMAIL = SessionRule(name="email", pattern=r"[\w.]+@[\w.]+\w", replacement="[EMAIL]")


@pytest.mark.parametrize(
    ("test", "passed", "why"),
    [
        (RuleTest(text="to ann@example.test"), True, ""),
        (RuleTest(text="to ann"), False, "does not match"),
        (RuleTest(text="to ann", match=False), True, ""),
        (RuleTest(text="a@b.co", match=False), False, "matches 0-6"),
        (RuleTest(text="😀 a@b.co", span=(3, 9)), True, ""),
        (RuleTest(text="😀 a@b.co", span=(2, 8)), False, "matches 3-9, not 2-8"),
        (RuleTest(text="x a@b.co", replacement="x [EMAIL]"), True, ""),
        (RuleTest(text="x a@b.co", replacement="x"), False, "the text becomes 'x [EMAIL]'"),
    ],
)
def test_a_rule_test_says_what_differs(test: RuleTest, passed: bool, why: str) -> None:
    result = run_rule_test(EMAIL, test)
    assert (result.passed, result.why) == (passed, why)


def test_a_pattern_that_is_refused_fails_with_its_position() -> None:
    rule = SessionRule(name="bad", pattern="a{2,1}")
    result = run_rule_test(rule, RuleTest(text="aa"))
    assert not result.passed
    assert result.why.startswith("pattern, position ")


def test_a_pattern_that_never_ends_fails_in_time() -> None:
    rule = SessionRule(name="slow", pattern="(a|aa)+$")
    result = run_rule_test(rule, RuleTest(text="a" * 60 + "!", match=False))
    assert not result.passed
    assert result.why == "no answer within 250 ms"
