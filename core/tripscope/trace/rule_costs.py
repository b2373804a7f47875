"""What each rule did in a run and what it cost: hits, searches, time, time-outs.

Most text never meets a rule: a prefilter sees that nothing in it can match. What had to be searched
is counted where it happens and told once an attempt, as a span named `RULE_SEARCHES` whose
``attributes`` are ``{rules: {NAME: {searches, ns}}}``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct

from tripscope.processor import RULE_SEARCHES
from tripscope.trace.events import AnyEvent, FindingMade, SpanEnded

Key: TypeAlias = tuple[str, str]
"""(processor, rule)."""


class RuleCost(Struct):
    """Of one rule of one processor. ``nanoseconds`` is the time of all its ``searches``."""

    processor: str
    rule: str
    hits: int = 0
    searches: int = 0
    nanoseconds: int = 0
    time_outs: int = 0

    def to_wire(self) -> dict[str, str | int]:
        """As files spell it."""
        return {
            "processor": self.processor,
            "rule": self.rule,
            "hits": self.hits,
            "searches": self.searches,
            "ns": self.nanoseconds,
            "timeOuts": self.time_outs,
        }


class RuleCosts:
    """Costs by rule, fed with findings and spans in any order."""

    def __init__(self, events: Iterable[AnyEvent] = ()) -> None:
        self.by_rule: dict[Key, RuleCost] = {}
        for event in events:
            if isinstance(event, FindingMade):
                self.found(event)
            elif isinstance(event, SpanEnded):
                self.span(event)

    def of(self, processor: str, rule: str) -> RuleCost:
        """The costs of one rule; all zero if nothing was told of it."""
        return self.by_rule.get((processor, rule)) or RuleCost(processor, rule)

    def found(self, finding: FindingMade) -> None:
        """Count a hit, or a time-out."""
        cost = self._at(finding.processor, finding.rule)
        if finding.outcome == "timed-out":
            cost.time_outs += 1
        else:
            cost.hits += 1

    def span(self, span: SpanEnded) -> None:
        """Count the searches that a span tells of; other spans and what cannot be read are not."""
        if not is_rule_searches(span) or not isinstance(span.attributes, dict):
            return
        rules = span.attributes.get("rules")
        for rule, told in rules.items() if isinstance(rules, dict) else ():
            match told:
                case {"searches": int(searches), "ns": int(spent)}:
                    cost = self._at(span.processor, rule)
                    cost.searches += searches
                    cost.nanoseconds += spent

    def _at(self, processor: str | None, rule: str) -> RuleCost:
        key = (processor or "", rule)
        return self.by_rule.setdefault(key, RuleCost(*key))


def is_rule_searches(event: AnyEvent) -> bool:
    """Whether an event tells of costs only, which no two runs have in common."""
    return type(event) is SpanEnded and event.name == RULE_SEARCHES
