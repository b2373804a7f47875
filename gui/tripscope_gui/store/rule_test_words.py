"""Why a rule's test fails, in few words; spans are UTF-16 code units."""

from __future__ import annotations

from tripscope.session.model import RuleTest
from tripscope.session.rule_tests import RuleTestResult


def expected_words(test: RuleTest) -> str:
    """``match 0-19``, ``match``, ``no match``."""
    if not test.match:
        return "no match"
    return f"match {span_words(test.span)}" if test.span is not None else "match"


def got_words(result: RuleTestResult) -> str:
    """``0-19``, ``0-19 and 2 more``, ``none``; what stopped the search, if it was."""
    if result.spans:
        more = len(result.spans) - 1
        return span_words(result.spans[0]) + (f" and {more} more" if more else "")
    return "none" if result.passed or result.why == "does not match" else "no answer"


def misses(test: RuleTest, result: RuleTestResult) -> bool:
    """Whether the rule should match and was found to match nothing."""
    return test.match and result.why == "does not match"


def span_words(span: tuple[int, int]) -> str:
    """``0-19`` with the dash of a range."""
    return f"{span[0]}\N{EN DASH}{span[1]}"


def nearest(test: RuleTest, result: RuleTestResult) -> tuple[int, int] | None:
    """The span found that comes closest to the one expected."""
    if not result.spans:
        return None
    if test.span is None:
        return result.spans[0]
    start, end = test.span
    return min(result.spans, key=lambda got: abs(got[0] - start) + abs(got[1] - end))


def failure_words(test: RuleTest, result: RuleTestResult) -> tuple[str, str]:
    """(what is wrong, what was expected) of a failed test."""
    expected = f"expected {expected_words(test)}"
    if test.match and test.span is not None:
        expected = f"expected {span_words(test.span)} UTF-16"
    got = nearest(test, result)
    if not test.match and got is not None:
        return f"matches {span_words(got)}", "expected no match"
    if test.match and got is None:
        what = result.why or "does not match"
        return what, expected
    if test.span is not None and got is not None and test.span not in result.spans:
        return _apart(test.span, got), expected
    if test.replacement is not None and result.replaced != test.replacement:
        return "another text comes out", f"expected {test.replacement}, got {result.replaced}"
    return result.why, expected


def _apart(expected: tuple[int, int], got: tuple[int, int]) -> str:
    parts: list[str] = []
    for word, want, found in zip(("starts", "ends"), expected, got, strict=True):
        if want != found:
            when = "late" if found > want else "early"
            parts.append(f"{word} {abs(found - want)} too {when}")
    return ", ".join(parts)
