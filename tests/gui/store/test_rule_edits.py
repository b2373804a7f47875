"""Edits of a session's rules give a changed copy, and never touch the session given."""

from __future__ import annotations

import pytest

from tripscope.session.model import ProcessorSpec, RuleTest, Session, SessionRule
from tripscope_gui.store.rule_edits import (
    added_rule,
    changed_rule,
    moved_rule,
    outgrows_window,
    processors_with_rules,
    removed_rule,
    rule_rows,
    with_option,
)

RULES = [
    SessionRule(name="a", pattern="a+", tests=[RuleTest(text="a"), RuleTest(text="b")]),
    SessionRule(name="b", pattern="b"),
]


@pytest.fixture
def session() -> Session:
    return Session(
        name="s",
        chain=[
            ProcessorSpec(id="n", type="unicode-normalizer"),
            ProcessorSpec(
                id="f",
                type="regex-filter",
                options={"presets": ["urls"], "strategy": "redact"},
                rules=RULES,
            ),
        ],
    )


def spec_of(session: Session) -> ProcessorSpec:
    return session.chain[1]


def names(session: Session) -> list[str]:
    return [rule.name for rule in spec_of(session).rules]


def test_preset_rules_come_first_and_are_read_only(session: Session) -> None:
    rows = rule_rows(spec_of(session))
    assert [(row.rule.name, row.preset, row.place) for row in rows] == [
        ("url", "urls", -1),
        ("a", None, 0),
        ("b", None, 1),
    ]
    assert rows[1].tests == (1, 2)
    assert [spec.id for spec in processors_with_rules(session)] == ["f"]


def test_edits_leave_the_given_session_as_it_was(session: Session) -> None:
    before = session.model_copy(deep=True)
    spec = spec_of(session)
    assert names(added_rule(session, spec, RULES[0])) == ["a", "b", "a-2"]
    assert names(removed_rule(session, spec, 0)) == ["b"]
    assert names(moved_rule(session, spec, 0, 1)) == ["b", "a"]
    assert spec_of(changed_rule(session, spec, 1, pattern="c")).rules[1].pattern == "c"
    assert spec_of(with_option(session, spec, "strategy", "warn")).options["strategy"] == "warn"
    assert session == before


def test_a_rule_that_the_window_cannot_hold_is_named(session: Session) -> None:
    long = SessionRule(name="long", pattern="x{200}y")
    spec = spec_of(session)
    assert outgrows_window(spec, long) == 201
    for options in ({"streamCarryoverSize": 256}, {"streamHold": "complete"}, {"strategy": "warn"}):
        other = spec.model_copy(update={"options": {**spec.options, **options}})
        assert outgrows_window(other, long) is None
    assert outgrows_window(spec, SessionRule(name="bad", pattern="(")) is None
