"""What rules find in a text is what a run of them finds; results are kept while the text stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tripscope.patterns.units import spread
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.budget import DEFAULT_BUDGET
from tripscope.rules.rule import RegexRule
from tripscope.rules.search import Searcher
from tripscope.session.build import build_processor
from tripscope.session.model import ProcessorSpec, Session, SessionRule
from tripscope.trace.rule_costs import RuleCost
from tripscope_gui.store import rule_preview
from tripscope_gui.store.rule_edits import RuleRow
from tripscope_gui.store.rule_facts import rule_facts
from tripscope_gui.store.rule_preview import Finder, groups_of, replaced, rule_sets

TEXT = "Card 💳 4111111111111111 and ann.lee@example.test, call (415) 555-0132."
WORDS = st.lists(st.sampled_from(["ab", "abc", "bc", " ", "💳", "x", "\ud83d"])).map("".join)


def session(*specs: ProcessorSpec) -> Session:
    return Session(name="s", chain=list(specs))


def redacting(id_: str = "f", *rules: SessionRule, **options: object) -> ProcessorSpec:
    given = {"strategy": "redact", **options}
    return ProcessorSpec(id=id_, type="regex-filter", options=given, rules=list(rules))


def test_overlaps_name_their_winner() -> None:
    found = Finder().find(TEXT, rule_sets(session(redacting(presets=["pii"]))))
    assert found is not None
    shown = [(m.rule.name, m.start, m.end, m.covered_by, m.wins) for m in found.matches]
    assert shown == [
        ("credit-card", 8, 24, None, True),
        ("phone", 8, 18, 0, False),
        ("email", 29, 49, None, False),
        ("phone", 56, 70, None, False),
    ]
    assert set(found.spent) == {("f", n) for n in ("email", "phone", "ssn", "credit-card")}


@settings(max_examples=60, deadline=None)
@given(WORDS)
def test_the_replaced_text_is_that_of_the_processors(text: str) -> None:
    first = redacting("a", SessionRule(name="ab", pattern="ab", replacement="bb"))
    second = redacting("b", SessionRule(name="bc", pattern="bb?c", replacement="[$&]"))
    expected = text
    for spec in (first, second):
        processor = build_processor(spec)
        assert isinstance(processor, RegexFilterProcessor)
        expected = processor.whole(expected).text
    after = replaced(text, rule_sets(session(first, second)))
    assert after is not None
    assert after.text == expected
    units = after.text.encode("utf-16-le", "surrogatepass")
    for start, end, rule in after.boxes:
        box = units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")
        assert box == "bb" if rule == "ab" else box.startswith("[")


def test_a_text_that_would_be_blocked_says_by_whom() -> None:
    blocks = redacting("guard", SessionRule(name="x", pattern="Card"), strategy="block")
    after = replaced(TEXT, rule_sets(session(blocks)))
    assert after is not None
    assert (after.text, after.blocked_by) == (TEXT, ("guard",))


def test_only_the_rule_that_was_edited_is_searched_again(monkeypatch: object) -> None:
    searched: list[str] = []
    real = rule_preview._search

    def counted(rule, units):  # type: ignore[no-untyped-def]
        searched.append(rule.name)
        return real(rule, units)

    monkeypatch.setattr(rule_preview, "_search", counted)  # type: ignore[attr-defined]
    finder, a = Finder(), SessionRule(name="a", pattern="a")
    finder.find(TEXT, rule_sets(session(redacting("f", a, SessionRule(name="b", pattern="b")))))
    finder.find(TEXT, rule_sets(session(redacting("f", a, SessionRule(name="b", pattern="bb")))))
    assert searched == ["a", "b", "b"]
    finder.find("another", rule_sets(session(redacting("f", a))))
    assert searched == ["a", "b", "b", "a"]


def test_a_search_out_of_time_is_told_and_the_others_stand() -> None:
    slow = SessionRule(name="slow", pattern=r"(?=(a|aa)+$b)a", flags="g")
    text = "a" * 5000 + "!"
    found = Finder().find(
        text, rule_sets(session(redacting("f", slow, SessionRule(name="e", pattern="!"))))
    )
    assert found is not None
    assert found.timed_out == {("f", "slow")}
    assert [m.rule.name for m in found.matches] == ["e"]
    assert replaced(text, rule_sets(session(redacting("f", slow)))) is None


def test_a_stale_search_stops() -> None:
    assert Finder().find(TEXT, rule_sets(session(redacting(presets=["pii"]))), lambda: True) is None


def test_checks_of_a_preset_hold_here_too() -> None:
    text = "4111111111111112 and 4111111111111111"
    found = Finder().find(text, rule_sets(session(redacting(presets=["pii-strict"]))))
    assert found is not None
    cards = [m.start for m in found.matches if "card" in m.rule.name]
    assert cards == [21]


def test_groups_are_those_of_the_match_at_its_place() -> None:
    rule = SessionRule(name="g", pattern=r"(?<=x)(?<l>\w)(\d)?", flags="g")
    found = Finder().find("xa xb2", rule_sets(session(redacting("f", rule))))
    assert found is not None
    groups = [groups_of(found.text, match) for match in found.matches]
    assert [g.groups if g else None for g in groups] == [["a", None], ["b", "2"]]


def test_what_is_switched_off_or_refused_is_left_out() -> None:
    off = SessionRule(name="off", pattern="a", enabled=False)
    bad = SessionRule(name="bad", pattern="(")
    [rules] = rule_sets(session(redacting("f", off, bad, SessionRule(name="a", pattern="a"))))
    assert [rule.name for rule in rules.rules] == ["a"]
    assert rule_sets(session(redacting("f").model_copy(update={"enabled": False}))) == ()
    assert rule_sets(None) == ()


def test_overlaps_are_counted_by_rule() -> None:
    wide, word, digit = (
        SessionRule(name=name, pattern=pattern)
        for name, pattern in (("wide", "a.*z"), ("word", r"[a-z]+"), ("digit", r"\d"))
    )
    found = Finder().find("ab1 c2z de", rule_sets(session(redacting("f", wide, word, digit))))
    assert found is not None
    assert found.hits == {("f", "wide"): 1, ("f", "word"): 4, ("f", "digit"): 2}
    assert found.overlaps == {
        ("f", "wide"): {"word": 3, "digit": 2},
        ("f", "word"): {"wide": 3},
        ("f", "digit"): {"wide": 2},
    }
    row = RuleRow("f", word, place=1)
    facts = {fact.label: fact for fact in rule_facts(row, redacting("f", word), found)}
    assert facts["overlaps on this text"].value == "wide 3×"
    assert "in the run" not in facts
    cost = RuleCost("f", "word", hits=1, searches=1200, nanoseconds=2_000_000, time_outs=2)
    told = rule_facts(row, redacting("f", word), found, cost)[-1]
    assert told.value == "1 hit, 2.0 ms in 1,200 searches, 2 time-outs"
    assert told.warns


@pytest.mark.parametrize("flags", ["g", "", "gu", "y", "gi"])
def test_a_short_text_is_searched_with_the_same_result(flags: str) -> None:
    units = spread("Ann 💳 ann@x.test, card 4111 1111 1111 1111; ann@y.test \ud83d x" * 3)
    for pattern in (r"\w+@[\w.]+", r"(?:\d{4} ?){4}", "ann", "💳|x", r"(?<=card )\d+", "[^a]?"):
        rule = RegexRule("r", pattern, flags)
        spans = [(f.start, f.end) for f in rule_preview._search(rule, units) or []]
        long_way = Searcher((rule,), DEFAULT_BUDGET).find_at_once(units)
        assert spans == [(f.start, f.end) for f in long_way]
