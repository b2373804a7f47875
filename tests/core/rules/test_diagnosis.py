"""What is told about rules before they are used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.patience import WHOLE
from tests.support.patterns import PRESET_RULES
from tripscope.rules import v8
from tripscope.rules.blow_up import Attack, attack_on
from tripscope.rules.diagnosis import diagnose
from tripscope.rules.preset_rule import PresetRule
from tripscope.rules.presets import PRESETS
from tripscope.rules.rule import RegexRule
from tripscope.rules.v8 import measure_in_v8, v8_is_there


@pytest.fixture(autouse=True)
def slow_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that V8 runs in may take its time to start."""
    monkeypatch.setattr(v8, "_STARTING_SECONDS", WHOLE)


BENCH_RULES = json.loads((Path(__file__).parents[2] / "bench/rules.json").read_text())["rules"]


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
    slow = {one.rule: one.attack.degree for one in told.values() if one.attack is not None}
    assert slow == {"email": 2}, "on long runs of letters, in V8 too"
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
    assert attack.degree is None
    assert confirmed(rule, attack)
    (told,) = diagnose([rule])
    assert any("exponential time in JavaScript" in warning for warning in told.warnings)


@pytest.mark.parametrize(
    ("pattern", "degree"),
    [(r"\s+$", 2), (r"^\s+|\s+$", 2), (r"\d+x", 2), (r"\w+@\w+", 2), (r"<[^>]*>", 2),
     (r"https?://\S+x", 2), (r"(?:ab|cd)+e", 2), ("^a*a*b", 2), ("a*a*b", 3), (".*.*=", 3),
     (r"(?=.*a.*b)c", 3), (r"(\w+) \1x", 2)],
)  # fmt: skip
def test_time_that_grows_with_a_power_is_found(pattern: str, degree: int) -> None:
    rule = RegexRule("r", pattern)
    attack = attack_on(rule.compiled.tree)
    assert attack is not None
    assert attack.degree == degree
    (told,) = diagnose([rule])
    power = {2: "square", 3: "cube"}[degree]
    assert any(f"grows with the {power} of the length" in warning for warning in told.warnings)


@pytest.mark.parametrize("pattern", [r"\s+$", ".*.*="])
def test_v8_takes_such_time_too(pattern: str) -> None:
    rule = RegexRule("r", pattern)
    attack = attack_on(rule.compiled.tree)
    assert attack is not None
    assert confirmed(rule, attack)


@pytest.mark.parametrize(
    "pattern",
    ["(?:a{1,3}b)+", r"(?:\d{4}[-\s]?){3}\d{4}", "x", r"\d+", r"\b\w+\b", r"https?://\S+",
     r"(?<!\w)\w+x", r"\bx\d+y", r"[\w-]{1,64}@[\w-]{1,64}", r"key=\w+", r"(?:\d+,)*\d+",
     r"\w+x[]"],
)  # fmt: skip
def test_plain_rules_are_not_accused(pattern: str) -> None:
    assert attack_on(RegexRule("r", pattern).compiled.tree) is None


def test_what_begins_at_one_place_only_is_not_searched_from_all() -> None:
    rule = RegexRule("r", r"\d+x", "y")
    assert attack_on(rule.compiled.tree) is not None
    assert attack_on(rule.compiled.tree, sticky=True) is None
    assert diagnose([rule])[0].attack is None


def test_rules_of_teams_are_not_accused_wrongly() -> None:
    """Of the presets and 20 others V8 was seen to be slow with those named here, and no others."""
    rules = [RegexRule(one["name"], one["pattern"], one["flags"]) for one in BENCH_RULES]
    accused = {one.rule for one in diagnose(rules) if one.attack is not None}
    assert accused == {"private-key"}
    mine = [rule for rules in PRESETS.values() for rule in map(PresetRule.rule, rules)]
    accused = {one.rule for one in diagnose(mine) if one.attack is not None}
    assert accused == {"email", "private-key"}


@pytest.mark.skipif(not v8_is_there(), reason="needs tripscope[js]")
def test_v8_clears_a_plain_rule() -> None:
    measured = measure_in_v8(RegexRule("r", "a+b?"), Attack("", "a", "!", 2), seconds=2)
    assert measured is not None
    assert not measured.confirms
    assert measured.gave_up is None


@pytest.mark.skipif(not v8_is_there(), reason="needs tripscope[js]")
def test_a_match_without_end_is_given_up() -> None:
    rule = RegexRule("r", "(a|aa)+$")
    measured = measure_in_v8(rule, Attack("a" * 60, "a", "!"), seconds=0.1)
    assert measured is not None
    assert measured.points == ()
    assert measured.gave_up == 65
    assert measured.confirms


def confirmed(rule: RegexRule, attack: Attack) -> bool:
    measured = measure_in_v8(rule, attack, seconds=0.2)
    return measured is None or measured.confirms
