import pytest

from tripscope.session.model import RuleTest, SessionRule
from tripscope.session.rule_tests import run_rule_test
from tripscope_gui.store.rule_test_words import expected_words, failure_words, got_words


@pytest.mark.parametrize(
    ("pattern", "test", "got", "what"),
    [
        ("neil", RuleTest(text="o'neil", span=(0, 6)), "2–6", "starts 2 too late"),
        ("a+", RuleTest(text="baaa", span=(2, 3)), "1–4", "starts 1 too early, ends 1 too late"),
        ("a", RuleTest(text="b"), "none", "does not match"),
        ("a", RuleTest(text="aXa", match=False), "0–1 and 1 more", "matches 0–1"),
        ("a", RuleTest(text="a", replacement="b"), "0–1", "another text comes out"),
        ("(", RuleTest(text="a"), "no answer", "pattern, position"),
    ],
)
def test_a_failure_in_words(pattern: str, test: RuleTest, got: str, what: str) -> None:
    result = run_rule_test(SessionRule(name="r", pattern=pattern), test)
    assert not result.passed
    assert got_words(result) == got
    assert what in failure_words(test, result)[0]


def test_what_is_expected() -> None:
    assert expected_words(RuleTest(text="", span=(0, 3))) == "match 0–3"
    assert expected_words(RuleTest(text="")) == "match"
    assert expected_words(RuleTest(text="", match=False)) == "no match"
