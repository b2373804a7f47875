"""The tests that stand beside a rule: does it match this text, where, and what comes out?"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from tripscope import patterns
from tripscope.rules.budget import DEFAULT_BUDGET
from tripscope.rules.rule import DEFAULT_REPLACEMENT
from tripscope.session.model import RuleTest, SessionRule

BUDGET_SECONDS: Final = DEFAULT_BUDGET.call
"""What a filter gives one search of a rule."""


class RuleTestResult(Struct, frozen=True):
    """``spans``: every match found, in UTF-16 units; ``why`` says in words what differs."""

    passed: bool
    spans: tuple[tuple[int, int], ...] = ()
    replaced: str | None = None
    why: str = ""


def run_rule_test(rule: SessionRule, test: RuleTest) -> RuleTestResult:
    """Run one test of ``rule``; a pattern that is refused or takes too long is a failed test."""
    template = DEFAULT_REPLACEMENT if rule.replacement is None else rule.replacement
    replaced = None
    try:
        pattern = patterns.compile(rule.pattern, rule.flags)
        matches = pattern.find_all(test.text, timeout=BUDGET_SECONDS)
        if test.replacement is not None:
            replaced = pattern.replace(test.text, template, timeout=BUDGET_SECONDS)
    except patterns.PatternError as error:
        return RuleTestResult(False, why=f"pattern, position {error.position}: {error.reason}")
    except patterns.MatchTimeout:
        return RuleTestResult(False, why=f"no answer within {BUDGET_SECONDS * 1000:.0f} ms")
    spans = tuple((match.index, match.end) for match in matches)
    if bool(spans) != test.match:
        found = f"matches {_spell(spans)}" if spans else "does not match"
        return RuleTestResult(False, spans, why=found)
    if test.span is not None and test.span not in spans:
        expected = _spell((test.span,))
        return RuleTestResult(False, spans, why=f"matches {_spell(spans)}, not {expected}")
    if replaced != test.replacement:
        return RuleTestResult(False, spans, replaced, f"the text becomes {replaced!r}")
    return RuleTestResult(True, spans, replaced)


def _spell(spans: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"{start}-{end}" for start, end in spans)
