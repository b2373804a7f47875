"""What the rules of a chain find in a text, without a run; made for a worker thread, free of Qt.

Offsets are UTF-16 code units of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from time import perf_counter_ns
from typing import Final, TypeAlias

from tripscope import patterns
from tripscope.patterns.units import spread, utf16_len
from tripscope.rules.budget import DEFAULT_BUDGET
from tripscope.rules.presets import preset_rules
from tripscope.rules.redaction import redact
from tripscope.rules.regions import Found, merge
from tripscope.rules.rule import RegexRule
from tripscope.rules.search import Searcher
from tripscope.session.model import ProcessorSpec, Session
from tripscope_gui.store.rule_edits import processors_with_rules

Span: TypeAlias = tuple[int, int]
Check: TypeAlias = Callable[[str], bool]
Key: TypeAlias = tuple[str, str]
"""(processor, rule)."""
_GROUP_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The enabled rules of one processor; ``redacts``: its matches are replaced in text."""

    processor: str
    rules: tuple[RegexRule, ...]
    redacts: bool
    strategy: str


@dataclass(frozen=True, slots=True)
class PreviewMatch:
    """``covered_by``: place, in the list of all, of the match that wins its region."""

    processor: str
    rule: RegexRule
    start: int
    end: int
    covered_by: int | None = None
    wins: bool = False
    """It won over another match."""


@dataclass(frozen=True, slots=True)
class Preview:
    """All matches in a text, in order. ``spent``: ns by rule, of the search that found them."""

    text: str = ""
    matches: tuple[PreviewMatch, ...] = ()
    spent: dict[Key, int] = field(default_factory=dict)
    timed_out: frozenset[Key] = frozenset()
    nanoseconds: int = 0

    def of_rule(self, processor: str, rule: str) -> list[PreviewMatch]:
        """Matches of one rule."""
        return [m for m in self.matches if m.processor == processor and m.rule.name == rule]


@dataclass(frozen=True, slots=True)
class Replaced:
    """The text after all processors that redact: ``boxes`` are (start, end, rule)."""

    text: str = ""
    boxes: tuple[tuple[int, int, str], ...] = ()
    blocked_by: tuple[str, ...] = ()


def rule_sets(session: Session | None) -> tuple[RuleSet, ...]:
    """What there is to search for; rules that JavaScript refuses are left out."""
    if session is None:
        return ()
    return tuple(_rule_set(spec) for spec in processors_with_rules(session) if spec.enabled)


def _rule_set(spec: ProcessorSpec) -> RuleSet:
    presets = spec.options.get("presets")
    rules = preset_rules([*presets]) if isinstance(presets, list | tuple) else []
    for rule in spec.rules:
        if rule.enabled:
            try:
                rules.append(RegexRule(rule.name, rule.pattern, rule.flags, rule.replacement))
            except ValueError:
                continue
    strategy = str(spec.options.get("strategy") or "block")
    if spec.type == "redact-tool-result":
        strategy = "redact"
    redacts = spec.type == "regex-filter" and strategy == "redact"
    return RuleSet(spec.id, tuple(rules), redacts, strategy)


class Finder:
    """Searches texts for rules and keeps what it found while the text stays the same.

    One thread at a time may use it.
    """

    def __init__(self) -> None:
        self._units = ""
        self._text = ""
        self._known: dict[tuple[str, str, Check | None], tuple[list[Span] | None, int]] = {}

    def find(
        self, text: str, sets: Sequence[RuleSet], stop: Callable[[], bool] = lambda: False
    ) -> Preview | None:
        """All matches; None once ``stop`` holds, which is asked between rules."""
        begun = perf_counter_ns()
        if text != self._text or not self._units:
            self._text, self._units, self._known = text, spread(text), {}
        spent: dict[Key, int] = {}
        late: set[Key] = set()
        found: list[tuple[str, list[Found]]] = []
        for rules in sets:
            matches: list[Found] = []
            for rule in rules.rules:
                if stop():
                    return None
                spans, took = self._spans(rule)
                spent[rules.processor, rule.name] = took
                if spans is None:
                    late.add((rules.processor, rule.name))
                else:
                    matches += [Found(rule, start, end) for start, end in spans]
            found.append((rules.processor, matches))
        wanted = {_key(rule) for rules in sets for rule in rules.rules}
        self._known = {key: value for key, value in self._known.items() if key in wanted}
        took = perf_counter_ns() - begun
        return Preview(text, tuple(_listed(found)), spent, frozenset(late), took)

    def _spans(self, rule: RegexRule) -> tuple[list[Span] | None, int]:
        key = _key(rule)
        known = self._known.get(key)
        if known is None:
            begun = perf_counter_ns()
            spans = _search(rule, self._units)
            known = self._known[key] = (spans, perf_counter_ns() - begun)
        return known


def _search(rule: RegexRule, units: str) -> list[Span] | None:
    """Spans of one rule, or None where its time budget is used up."""
    try:
        found = _searcher(*_key(rule)).find_at_once(units)
        return [(match.start, match.end) for match in found]
    except patterns.MatchTimeout:
        return None


@lru_cache(maxsize=512)
def _searcher(pattern: str, flags: str, check: Check | None) -> Searcher:
    return Searcher((RegexRule("", pattern, flags, None, check),), DEFAULT_BUDGET)


def _key(rule: RegexRule) -> tuple[str, str, Check | None]:
    """What decides where a rule matches."""
    return rule.pattern, rule.flags, rule.check


def _listed(found: Iterable[tuple[str, list[Found]]]) -> list[PreviewMatch]:
    """In order of the text; who wins is settled among the rules of each processor."""
    listed: list[tuple[str, Found, Found | None, bool]] = []
    for processor, matches in found:
        for region in merge(matches):
            for one in region.members:
                winner = None if one is region.owner else region.owner
                wins = winner is None and len(region.members) > 1
                listed.append((processor, one, winner, wins))
    listed.sort(key=lambda entry: (entry[1].start, -entry[1].end, entry[2] is not None))
    place = {id(entry[1]): number for number, entry in enumerate(listed)}
    return [
        PreviewMatch(
            processor,
            one.rule,
            one.start,
            one.end,
            place[id(winner)] if winner is not None else None,
            wins,
        )
        for processor, one, winner, wins in listed
    ]


def replaced(text: str, sets: Sequence[RuleSet]) -> Replaced | None:
    """The text as the processors leave it, one after the other; None if a rule ran out of time."""
    boxes: list[tuple[int, int, str]] = []
    blocked: list[str] = []
    for rules in sets:
        units = spread(text)
        found: list[Found] = []
        for rule in rules.rules:
            spans = _search(rule, units)
            if spans is None:
                return None
            found += [Found(rule, start, end) for start, end in spans]
        if not found:
            continue
        if not rules.redacts:
            if rules.strategy == "block":
                blocked.append(rules.processor)
            continue
        regions = merge(found)
        text, done = redact(units, regions)
        news = [
            (r.out_start, r.out_start + utf16_len(r.replacement), r.region.owner.rule.name)
            for r in done
        ]
        kept = _moved(boxes, [(r.region.start, r.region.end) for r in done], news)
        boxes = sorted(kept + news)
    return Replaced(text, tuple(boxes), tuple(blocked))


def _moved(
    boxes: Sequence[tuple[int, int, str]],
    regions: Sequence[Span],
    news: Sequence[tuple[int, int, str]],
) -> list[tuple[int, int, str]]:
    """Older boxes where they stand after later replacements; those that were replaced are gone."""
    kept: list[tuple[int, int, str]] = []
    place = shift = 0
    for start, end, rule in boxes:
        while place < len(regions) and regions[place][1] <= start:
            shift = news[place][1] - regions[place][1]
            place += 1
        if place == len(regions) or regions[place][0] >= end:
            kept.append((start + shift, end + shift, rule))
    return kept


def groups_of(text: str, match: PreviewMatch) -> patterns.Match | None:
    """The match with its groups, found once more at its place; None if that takes too long."""
    return _groups(text, match.rule.pattern, match.rule.flags, match.start, match.end)


@lru_cache(maxsize=256)
def _groups(text: str, pattern: str, flags: str, start: int, end: int) -> patterns.Match | None:
    try:
        found = patterns.compile(pattern, flags).search_from(text, start, timeout=_GROUP_SECONDS)
    except (patterns.MatchTimeout, patterns.PatternError):
        return None
    return found if found is not None and (found.index, found.end) == (start, end) else None
