"""What is told about rules before they are used."""

from __future__ import annotations

import shutil

import pytest

from tests.support.patterns import PRESET_RULES
from tripscope.rules.blow_up import attack_on
from tripscope.rules.diagnosis import diagnose
from tripscope.rules.rule import RegexRule
from tripscope.rules.v8 import confirm_in_v8


def test_presets_are_told_as_they_are() -> None:
    told = {one.rule: one for one in diagnose(PRESET_RULES, sample="pay 4111111111111111 now")}
    assert (told["phone"].shortest, told["phone"].longest) == (10, 17)
    assert (told["ssn"].shortest, told["ssn"].longest) == (11, 11)
    assert told["email"].longest is None
    assert told["email"].outgrows_window
    assert told["ssn"].context == (r"\b",)
    assert told["phone"].overlaps == (("credit-card", 1),)
    assert told["credit-card"].overlaps == (("phone", 1),)
    assert told["url"].matches == 0
    assert not any(one.attack for one in told.values())
    assert told["phone"].warnings == ()


def test_a_rule_that_can_match_nothing_or_looks_around() -> None:
    empty, looks = diagnose([RegexRule("e", "x*"), RegexRule("l", r"(?<=key=)\w{8}(?!\w)")])
    assert empty.can_be_empty
    assert "can match nothing" in empty.warnings[0]
    assert looks.context == ("lookbehind", "negative lookahead")
    assert "looks at text outside its match" in looks.warnings[0]
    assert (
        diagnose([looks_rule := RegexRule("l", r"(?<=key=)\w{8}")], complete=True)[0].warnings == ()
    )
    assert looks_rule.name == "l"


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|aa)+$", "(a|a)*b", "(x+x+)+y", r"([a-z]+)*\d", r"(\w+\s?)*$", "(a*)*b",
     r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(?:\d+|[0-9a-f]+)*z"],
)  # fmt: skip
def test_an_attack_is_found_and_works(pattern: str) -> None:
    rule = RegexRule("r", pattern)
    attack = attack_on(rule.compiled.tree)
    assert attack is not None
    assert confirm_in_v8(rule, attack, seconds=0.3) in (True, None)
    (told,) = diagnose([rule])
    assert any("exponential time in JavaScript" in warning for warning in told.warnings)


@pytest.mark.parametrize(
    "pattern", ["a+b+c", "(?:ab|cd)+e", r"\w+@\w+", "(?:a{1,3}b)+", r"(?:\d{4}[-\s]?){3}\d{4}", "x"]
)
def test_plain_rules_are_not_accused(pattern: str) -> None:
    assert attack_on(RegexRule("r", pattern).compiled.tree) is None


@pytest.mark.skipif(shutil.which("node") is None, reason="tripscope[v8] or node tells")
def test_v8_answers_at_once_for_a_plain_rule() -> None:
    from tripscope.rules.blow_up import Attack

    assert confirm_in_v8(RegexRule("r", "a+b"), Attack("", "a", "!"), seconds=2) in (False, None)
