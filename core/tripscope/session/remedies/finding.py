"""A match that was blocked or only flagged, and a search that ran out of time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from tripscope.errors import SessionError
from tripscope.patterns import MatchTimeout
from tripscope.session.build import build_processor
from tripscope.session.filters import filter_of
from tripscope.session.model import ProcessorSpec, RuleTest, Session
from tripscope.session.remedies.changes import (
    MOST_UNITS,
    Advice,
    Remedy,
    with_option,
    with_processor,
)
from tripscope.session.rule_tests import run_rule_test

_TO_MODEL: Final = ("processInput", "processInputStep", "processLLMRequest", "processToolResult")


def for_finding(
    session: Session,
    processor: str,
    rule: str,
    outcome: str,
    text: str | None,
    span: tuple[int, int],
    *,
    hook: str,
) -> Advice:
    """What can be done about a match that was blocked or only flagged.

    Args:
        session: as it stands now.
        processor: a filter of the chain.
        rule: of it.
        outcome: ``blocked`` or ``flagged``.
        text: what the rule was applied to; None if it is not on record.
        span: of the match in ``text``, UTF-16 units.
        hook: in which it was found.
    """
    spec = filter_of(session, processor)
    if spec is None or text is None or len(text) > MOST_UNITS or not _hits(spec, text, span):
        return Advice()
    remedies: list[Remedy] = []
    if spec.options.get("strategy", "block") != "redact":
        changed = with_option(session, spec, "strategy", "redact")
        who = "model" if hook in _TO_MODEL else "client"
        remedies.append(
            Remedy(
                f"Set {processor} to",
                "redact",
                f"and replay to see what the {who} would be given.",
                changed,
                f"set strategy of {processor}",
            )
        )
        if outcome == "flagged":
            changed = with_option(session, spec, "strategy", "block")
            remedies.append(
                Remedy(
                    f"Set {processor} to",
                    "block",
                    "to stop the step at this match.",
                    changed,
                    f"set strategy of {processor}",
                )
            )
    remedies += _as_test(session, spec, rule, text, span)
    why = "Strategy warn reports a match and lets it through." if outcome == "flagged" else ""
    return Advice(why, tuple(remedies))


def for_time_out(session: Session, processor: str, rule: str, text: str | None) -> Advice:
    """What can be done about a rule whose search ran out of time.

    Args:
        session: as it stands now.
        processor: a filter of the chain.
        rule: of it.
        text: what it was applied to; None if it is not on record.
    """
    spec = filter_of(session, processor)
    if spec is None or text is None or len(text) > MOST_UNITS:
        return Advice()
    if (spent := _milliseconds(spec, text)) is not None:
        words = f"The rules as they stand now take {spent:,.0f} ms on this text:"
        return Advice("", (Remedy(words, "replay", "to see it."),))
    why = f"{rule} takes longer on this text than a rule may; the text was not checked."
    place = next((n for n, own in enumerate(spec.rules) if own.name == rule), -1)
    if place < 0 or not spec.rules[place].enabled:
        return Advice(why)
    rules = list(spec.rules)
    rules[place] = rules[place].model_copy(update={"enabled": False})
    without = spec.model_copy(update={"rules": rules})
    spent = _milliseconds(without, text)
    if spent is None:
        return Advice(why)
    remedy = Remedy(
        "To see what the others find,",
        f"switch {rule} off",
        f"\N{EN DASH} they take {spent:,.0f} ms on this text.",
        with_processor(session, without),
        f"switch {rule} off",
    )
    return Advice(why, (remedy,))


def _milliseconds(spec: ProcessorSpec, text: str) -> float | None:
    """What the rules of a filter take on a text; None if one does not end within its time."""
    try:
        built = build_processor(spec)
        began = time.perf_counter()
        built.whole(text)
    except (SessionError, MatchTimeout):
        return None
    return (time.perf_counter() - began) * 1000


def _hits(spec: ProcessorSpec, text: str, span: tuple[int, int]) -> bool:
    """Whether the filter as it stands now matches there."""
    try:
        whole = build_processor(spec).whole(text)
    except (SessionError, MatchTimeout):
        return False
    return any(start < span[1] and span[0] < end for _rule, start, end in whole.matches)


def _as_test(
    session: Session, spec: ProcessorSpec, rule: str, text: str, span: tuple[int, int]
) -> Iterator[Remedy]:
    place = next((n for n, own in enumerate(spec.rules) if own.name == rule), -1)
    if place < 0:
        return
    own = spec.rules[place]
    test = RuleTest(text=text, match=True, span=span)
    if any((t.text, t.span) == (test.text, test.span) for t in own.tests):
        return
    if not run_rule_test(own, test).passed:
        return
    rules = list(spec.rules)
    rules[place] = own.model_copy(update={"tests": [*own.tests, test]})
    yield Remedy(
        "",
        "Keep this text as a test case:",
        f"rule {rule}, span {span[0]}\N{EN DASH}{span[1]} UTF-16.",
        with_processor(session, spec.model_copy(update={"rules": rules})),
        f"add test to {rule}",
    )
