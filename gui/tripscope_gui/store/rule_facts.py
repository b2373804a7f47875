"""What a rule's author wants to know of its pattern, in words; lengths in UTF-16 units."""

from __future__ import annotations

from msgspec import Struct

from tripscope import patterns
from tripscope.session.filters import window_of
from tripscope.session.model import ProcessorSpec
from tripscope.trace.rule_costs import RuleCost
from tripscope.wording import many
from tripscope_gui.bars.formats import duration
from tripscope_gui.store.rule_edits import RuleRow, outgrows_window
from tripscope_gui.store.rule_preview import Preview


class Fact(Struct, frozen=True):
    """One line; ``warns`` marks what can go wrong."""

    label: str
    value: str
    warns: bool = False
    mono: bool = False


def rule_facts(
    row: RuleRow, spec: ProcessorSpec, preview: Preview, cost: RuleCost | None = None
) -> list[Fact]:
    """Bounds, context and overlaps of a rule, with the window of its processor.

    ``cost``: what it did in the run that is looked at.
    """
    try:
        facts = patterns.compile(row.rule.pattern, row.rule.flags).facts
    except patterns.PatternError as error:
        return [Fact("pattern", f"refused at {error.position}: {error.reason}", warns=True)]
    longest = "no limit" if facts.longest is None else f"{facts.longest:,}"
    found = [Fact("shortest, longest match", f"{facts.shortest:,} to {longest} UTF-16")]
    found += _window(row, spec, facts.longest)
    context = ", ".join(dict.fromkeys(facts.context))
    found.append(Fact("needs text around it", context or "no", mono=bool(context)))
    found.append(_overlaps(row, preview))
    found.append(
        Fact("can match nothing", "yes" if facts.can_be_empty else "no", facts.can_be_empty)
    )
    if cost is not None:
        found.append(_in_run(cost))
    return found


def _in_run(cost: RuleCost) -> Fact:
    words = many(cost.hits, "hit")
    if cost.searches:
        spent = duration(cost.nanoseconds)
        words += f", {spent} in {many(cost.searches, 'search', 'searches')}"
    if cost.time_outs:
        words += f", {many(cost.time_outs, 'time-out')}"
    return Fact("in the run", words, warns=bool(cost.time_outs))


def _window(row: RuleRow, spec: ProcessorSpec, longest: int | None) -> list[Fact]:
    if spec.type != "regex-filter" or spec.options.get("strategy") != "redact":
        return []
    if spec.options.get("streamHold") == "complete":
        return [Fact("stream hold", "complete: held until it is decided")]
    window = window_of(spec)
    label = f"can outgrow window {window}"
    if outgrows_window(spec, row.rule) is not None:
        return [Fact(label, "always, its start can leave undecided", warns=True)]
    if longest is None or longest > window:
        return [Fact(label, "yes, held while it grows", warns=True)]
    return [Fact(label, "no")]


def _overlaps(row: RuleRow, preview: Preview) -> Fact:
    names = preview.overlaps.get(row.key, {})
    words = ", ".join(f"{name} {count:,}\u00d7" for name, count in names.items())
    return Fact("overlaps on this text", words or "none")
