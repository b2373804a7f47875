"""What is offered where a match was blocked or only flagged."""

from typing import Any

from tripscope.session.model import Session
from tripscope.session.remedies import Advice, for_finding, for_time_out
from tripscope.session.rule_tests import run_rule_test

KEY = {"name": "key", "pattern": "AKIA[A-Z0-9]{16}"}
TEXT = "Deploy with AKIAIOSFODNN7EXAMPLE and go"
SPAN = (12, 32)
HOOK = "processInput"


def session(*rules: dict[str, Any], **options: Any) -> Session:
    chain = [{"id": "secrets", "type": "regex-filter", "options": options, "rules": list(rules)}]
    return Session.model_validate({"name": "s", "chain": chain})


def test_a_block_can_be_redacted_instead_and_kept_as_a_test() -> None:
    advice = for_finding(session(KEY), "secrets", "key", "blocked", TEXT, SPAN, hook=HOOK)
    redact, test = advice.remedies
    assert str(redact) == ("Set secrets to redact and replay to see what the model would be given.")
    assert redact.session is not None
    assert redact.session.chain[0].options["strategy"] == "redact"
    assert test.session is not None
    (rule,) = test.session.chain[0].rules
    (kept,) = rule.tests
    assert (kept.text, kept.span, kept.match) == (TEXT, SPAN, True)
    assert run_rule_test(rule, kept).passed
    # once it is kept it is not offered again
    again = for_finding(test.session, "secrets", "key", "blocked", TEXT, SPAN, hook=HOOK)
    assert [one.link for one in again.remedies] == ["redact"]


def test_a_flag_can_be_a_redaction_or_a_block() -> None:
    advice = for_finding(
        session(KEY, strategy="warn"), "secrets", "key", "flagged", TEXT, SPAN, hook=HOOK
    )
    assert advice.why == "Strategy warn reports a match and lets it through."
    assert [one.link for one in advice.remedies][:2] == ["redact", "block"]


def test_nothing_is_offered_that_the_rule_as_it_stands_does_not_do() -> None:
    other = KEY | {"pattern": "sk-[a-z]+"}
    assert (
        for_finding(session(other), "secrets", "key", "blocked", TEXT, SPAN, hook=HOOK) == Advice()
    )
    assert for_finding(session(KEY), "secrets", "key", "blocked", None, SPAN, hook=HOOK) == Advice()
    assert for_finding(session(KEY), "gone", "key", "blocked", TEXT, SPAN, hook=HOOK) == Advice()


SLOW = {"name": "slow", "pattern": "(a|aa)+(?=$)"}
HARD = "a" * 60 + "b"


def test_a_rule_that_ran_out_of_time_can_be_switched_off_to_see_the_others() -> None:
    advice = for_time_out(session(KEY, SLOW), "secrets", "slow", HARD)
    assert advice.why.startswith("slow takes longer on this text than a rule may")
    (off,) = advice.remedies
    assert off.link == "switch slow off"
    assert off.session is not None
    assert [rule.enabled for rule in off.session.chain[0].rules] == [True, False]
    # with that done the others are done in time, which a replay shows
    (replay,) = for_time_out(off.session, "secrets", "slow", HARD).remedies
    assert (replay.link, replay.session) == ("replay", None)
    assert for_time_out(session(KEY, SLOW), "secrets", "slow", None) == Advice()


def test_switching_off_is_not_offered_where_another_rule_is_as_slow() -> None:
    twice = session(SLOW, SLOW | {"name": "slow too"})
    assert for_time_out(twice, "secrets", "slow", HARD).remedies == ()
