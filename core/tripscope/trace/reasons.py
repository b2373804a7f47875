"""Why a finding is there in one run and not in the other, as far as the two chains tell it."""

from __future__ import annotations

from tripscope.trace.chain_diff import Chain
from tripscope.trace.diff import FindingChange
from tripscope.trace.events import FindingMade


def reason(change: FindingChange, before: Chain, after: Chain) -> str:
    """In a few words; empty where neither chain tells it."""
    one, other = change.before, change.after
    if change.change == "added" and other is not None:
        return _appeared(other, before, after, gone=False)
    if change.change == "removed" and one is not None:
        return _appeared(one, after, before, gone=True)
    if one is None or other is None:
        return ""
    if change.change == "moved":
        return _moved(one, other, before, after)
    return _replaced(one, other, before, after) if change.change == "replaced" else ""


def _appeared(finding: FindingMade, without: Chain, with_: Chain, *, gone: bool) -> str:
    """``without`` is the chain of the run that lacks the finding."""
    identity = finding.processor or ""
    if identity not in without.processors:
        return f"{identity} removed" if gone else f"{identity} is new"
    old, new = without.rules(identity), with_.rules(identity)
    if finding.rule not in old:
        return "rule removed" if gone else "new rule"
    if _pattern(old[finding.rule]) != _pattern(new.get(finding.rule, {})):
        return "pattern edited"
    for option in ("strategy", "phase"):
        one, other = without.option(identity, option), with_.option(identity, option)
        if one != other:
            now = one if gone else other
            return f"{option} is {now} now"
    narrow, wide = (chain.option(identity, "streamCarryoverSize") for chain in (without, with_))
    if narrow != wide and isinstance(narrow, int) and isinstance(wide, int):
        length = finding.end - finding.start
        if narrow < length <= wide:
            return f"window {narrow} is too small" if gone else f"window {wide} holds all of it"
        return f"window {narrow if gone else wide}"
    return _upstream(identity, without, with_)


def _moved(one: FindingMade, other: FindingMade, before: Chain, after: Chain) -> str:
    by = other.start - one.start
    if _upstream(other.processor or "", before, after):
        return f"{'longer' if by > 0 else 'shorter'} text before it"
    if _pattern(before.rules(one.processor or "").get(one.rule, {})) != _pattern(
        after.rules(other.processor or "").get(other.rule, {})
    ):
        return "pattern edited"
    longer = other.end - other.start - (one.end - one.start)
    if longer:
        return f"{abs(longer)} units {'longer' if longer > 0 else 'shorter'}"
    return f"{abs(by)} units {'later' if by > 0 else 'earlier'}"


def _replaced(one: FindingMade, other: FindingMade, before: Chain, after: Chain) -> str:
    identity = other.processor or ""
    if one.winner != other.winner:
        return f"now inside {other.winner}" if other.winner else f"no longer inside {one.winner}"
    if one.outcome != other.outcome:
        strategy = after.option(identity, "strategy")
        if before.option(identity, "strategy") != strategy:
            return f"strategy is {strategy} now"
        return f"{one.outcome} before"
    old, new = (chain.rules(identity).get(other.rule, {}) for chain in (before, after))
    if old.get("replacement") != new.get("replacement"):
        return "replacement edited"
    return "pattern edited" if _pattern(old) != _pattern(new) else "other text matched"


def _upstream(identity: str, before: Chain, after: Chain) -> str:
    """The processor before this one that was edited, in words."""
    for other in after.processors:
        if other == identity:
            return ""
        if before.processors.get(other) != after.processors.get(other):
            return f"other text comes from {other}"
    return ""


def _pattern(rule: dict[str, object]) -> tuple[object, object]:
    return rule.get("pattern"), rule.get("flags", "g")
