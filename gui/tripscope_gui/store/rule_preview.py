"""What the rules of a chain find in a text, without a run; made for a worker thread, free of Qt.

Offsets are UTF-16 code units of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, islice
from operator import attrgetter, itemgetter
from time import perf_counter_ns
from typing import Final, NamedTuple, TypeAlias

from tripscope import patterns
from tripscope.patterns.units import spread, utf16_len
from tripscope.rules.budget import DEFAULT_BUDGET, INLINE_SECONDS
from tripscope.rules.presets import preset_rules
from tripscope.rules.redaction import redact
from tripscope.rules.regions import Found, merge
from tripscope.rules.rule import RegexRule
from tripscope.rules.search import Searcher
from tripscope.session.model import ProcessorSpec, Session
from tripscope.trace.described_chain import presets_in
from tripscope_gui.store.rule_edits import Key, processors_with_rules

Span: TypeAlias = tuple[int, int]
_GROUP_SECONDS: Final = 0.05
_SHORT: Final = 4_000


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The enabled rules of one processor; ``redacts``: its matches are replaced in text."""

    processor: str
    rules: tuple[RegexRule, ...]
    redacts: bool
    strategy: str


class PreviewMatch(NamedTuple):
    """``covered_by``: place, in the list of all, of the match that wins its region.

    ``wins``: it won over another match. (A tuple, for there may be ten thousands of them.)
    """

    processor: str
    rule: RegexRule
    start: int
    end: int
    covered_by: int | None = None
    wins: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """All matches in a text, in order.

    ``spent``: ns by rule, of the search that found them; ``hits``: how many by rule. ``overlaps``:
    by rule, how many matches of other rules of its processor overlap one of its own.
    """

    text: str = ""
    matches: tuple[PreviewMatch, ...] = ()
    spent: dict[Key, int] = field(default_factory=dict)
    hits: dict[Key, int] = field(default_factory=dict)
    overlaps: dict[Key, dict[str, int]] = field(default_factory=dict)
    timed_out: frozenset[Key] = frozenset()
    nanoseconds: int = 0
    reach: Sequence[int] = ()
    """For each match the furthest end up to it."""
    units: str = field(default="", repr=False)
    """The text, one character for each UTF-16 unit."""


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
    rules = preset_rules(presets_in(spec.options))
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
        self._known: dict[_Key, tuple[list[Found] | None, int]] = {}

    def find(
        self, text: str, sets: Sequence[RuleSet], stop: Callable[[], bool] = lambda: False
    ) -> Preview | None:
        """All matches; None once ``stop`` holds, which is asked between rules."""
        begun = perf_counter_ns()
        if text != self._text or not self._units:
            self._text, self._units, self._known = text, spread(text), {}
        spent: dict[Key, int] = {}
        hits: dict[Key, int] = {}
        late: set[Key] = set()
        found: list[tuple[str, list[Found]]] = []
        for rules in sets:
            matches: list[Found] = []
            for rule in rules.rules:
                if stop():
                    return None
                key = (rules.processor, rule.name)
                mine, spent[key] = self._found(rule)
                if mine is None:
                    late.add(key)
                else:
                    hits[key] = len(mine)
                    matches += mine
            found.append((rules.processor, matches))
        wanted = {(rule, rule.check) for rules in sets for rule in rules.rules}
        self._known = {key: value for key, value in self._known.items() if key in wanted}
        shared: dict[Key, dict[str, int]] = {}
        listed = tuple(_listed(found, shared))
        reach = list(accumulate(map(attrgetter("end"), listed), max))
        took = perf_counter_ns() - begun
        return Preview(text, listed, spent, hits, shared, frozenset(late), took, reach, self._units)

    def _found(self, rule: RegexRule) -> tuple[list[Found] | None, int]:
        known = self._known.get((rule, rule.check))
        if known is None:
            begun = perf_counter_ns()
            found = _search(rule, self._units)
            known = self._known[rule, rule.check] = (found, perf_counter_ns() - begun)
        return known


_Key: TypeAlias = tuple[RegexRule, Callable[[str], bool] | None]
"""A rule does not count its check when it is compared."""


def _search(rule: RegexRule, units: str) -> list[Found] | None:
    """Matches of one rule, or None where its time budget is used up.

    What speeds up the search of a long text costs more than that of a short one.
    """
    if len(units) <= _SHORT:
        with suppress(patterns.MatchTimeout):
            found = rule.compiled.find_all(units, timeout=INLINE_SECONDS)
            spans = [(match.index, match.end) for match in found]
            return [Found(rule, *span) for span in spans if rule.accepts(units, *span)]
    try:
        return _searcher((rule, rule.check)).find_at_once(units)
    except patterns.MatchTimeout:
        return None


@lru_cache(maxsize=512)
def _searcher(key: _Key) -> Searcher:
    return Searcher((key[0],), DEFAULT_BUDGET)


def _listed(
    found: Iterable[tuple[str, list[Found]]], shared: dict[Key, dict[str, int]]
) -> list[PreviewMatch]:
    """In order of the text; who wins is settled among the rules of each processor.

    ``shared`` takes up the overlaps.
    """
    entries: list[tuple[int, str, Found, Found | None, bool]] = []
    for processor, matches in found:
        entries += _settled(processor, matches, shared)
    entries.sort(key=itemgetter(0))
    listed = [
        PreviewMatch(processor, one.rule, start, one.end, None, wins)
        for start, processor, one, _, wins in entries
    ]
    winners = {id(entry[2]): place for place, entry in enumerate(entries) if entry[4]}
    for place, entry in enumerate(entries):
        if entry[3] is not None:
            listed[place] = listed[place]._replace(covered_by=winners[id(entry[3])])
    return listed


def _settled(
    processor: str, matches: Sequence[Found], shared: dict[Key, dict[str, int]]
) -> Iterator[tuple[int, str, Found, Found | None, bool]]:
    """(start, processor, match, what it is covered by, whether it wins), as ``merge`` has it.

    `tripscope.rules.regions.merge` makes an object for each region; most are one match alone.
    """
    some = sorted((m for m in matches if m.end > m.start), key=attrgetter("end"), reverse=True)
    some.sort(key=attrgetter("start"))
    place, count = 0, len(some)
    while place < count:
        first = some[place]
        end, after = first.end, place + 1
        while after < count and some[after].start < end:
            end = max(end, some[after].end)
            after += 1
        if after == place + 1:
            yield first.start, processor, first, None, False
        else:
            region = some[place:after]
            _share(processor, region, shared)
            owner = max(region, key=lambda match: match.end - match.start)
            for one in region:
                own = one is owner
                yield one.start, processor, one, None if own else owner, own
        place = after


def _share(processor: str, region: Sequence[Found], shared: dict[Key, dict[str, int]]) -> None:
    """Count the pairs that overlap; the region is sorted by start."""
    for place, one in enumerate(region):
        for other in islice(region, place + 1, None):
            if other.start >= one.end:
                break
            a, b = one.rule.name, other.rule.name
            if a != b:
                for mine, theirs in ((a, b), (b, a)):
                    counts = shared.setdefault((processor, mine), {})
                    counts[theirs] = counts.get(theirs, 0) + 1


def replaced(text: str, sets: Sequence[RuleSet]) -> Replaced | None:
    """The text as the processors leave it, one after the other; None if a rule ran out of time."""
    boxes: list[tuple[int, int, str]] = []
    blocked: list[str] = []
    for rules in sets:
        units = spread(text)
        found: list[Found] = []
        for rule in rules.rules:
            matches = _search(rule, units)
            if matches is None:
                return None
            found += matches
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
