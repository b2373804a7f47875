"""What can be told about a rule before it is used: its reach, its needs, its dangers."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tripscope.patterns import MatchTimeout
from tripscope.patterns.units import spread
from tripscope.rules.blow_up import Attack, attack_on
from tripscope.rules.budget import DEFAULT_BUDGET, Budget
from tripscope.rules.options import CARRYOVER
from tripscope.rules.regions import merge
from tripscope.rules.rule import RegexRule
from tripscope.rules.search import Searcher


class Diagnosis(Struct, frozen=True):
    """Of one rule among a set. Lengths are UTF-16 units; ``longest`` None: no bound.

    ``outgrows_window``: a match can be longer than the window, so the front of one that shows only
    when it is complete leaves unredacted. ``context``: constructs that look outside the match,
    which the window can cut off. ``overlaps``: other rules, with how many regions of the sample
    they shared. ``unchecked``: the sample took longer than the budget. ``attack``: makes JavaScript
    slow.
    """

    rule: str
    shortest: int
    longest: int | None
    can_be_empty: bool
    outgrows_window: bool
    context: tuple[str, ...]
    overlaps: tuple[tuple[str, int], ...]
    matches: int
    unchecked: bool
    attack: Attack | None
    warnings: tuple[str, ...]


def diagnose(
    rules: Sequence[RegexRule],
    *,
    window: int = CARRYOVER,
    complete: bool = False,
    sample: str = "",
    budget: Budget = DEFAULT_BUDGET,
) -> list[Diagnosis]:
    """One diagnosis for each rule.

    Args:
        rules: the rules of one filter, in order.
        window: its ``streamCarryoverSize``.
        complete: whether its ``streamHold`` is ``complete``; then no window cuts anything off.
        sample: a text on which overlaps and matches are counted.
        budget: how long each rule may search in it.
    """
    searchers = [Searcher((rule,), budget) for rule in rules]
    units = spread(sample)
    found, unchecked = [], set()
    for place, searcher in enumerate(searchers):
        try:
            found.append(searcher.find_at_once(units))
        except MatchTimeout:
            found.append([])
            unchecked.add(place)
    shared: list[dict[str, int]] = [{} for _ in rules]
    for region in merge([match for matches in found for match in matches]):
        here = {id(member.rule): member.rule for member in region.members}
        for place, rule in enumerate(rules):
            if id(rule) in here:
                for other in here.values():
                    if other is not rule:
                        shared[place][other.name] = shared[place].get(other.name, 0) + 1
    return [
        _diagnosis(
            rule,
            window=None if complete else window,
            matches=len(found[place]),
            overlaps=shared[place],
            unchecked=place in unchecked,
        )
        for place, rule in enumerate(rules)
    ]


def _diagnosis(
    rule: RegexRule,
    *,
    window: int | None,
    matches: int,
    overlaps: dict[str, int],
    unchecked: bool,
) -> Diagnosis:
    facts = rule.compiled.facts
    outgrows = window is not None and (facts.longest is None or facts.longest > window)
    attack = attack_on(rule.compiled.tree, sticky="y" in rule.flags)
    diagnosis = Diagnosis(
        rule=rule.name,
        shortest=facts.shortest,
        longest=facts.longest,
        can_be_empty=facts.can_be_empty,
        outgrows_window=outgrows,
        context=facts.context,
        overlaps=tuple(sorted(overlaps.items())),
        matches=matches,
        unchecked=unchecked,
        attack=attack,
        warnings=(),
    )
    return _with_warnings(diagnosis, window)


def _with_warnings(one: Diagnosis, window: int | None) -> Diagnosis:
    told: list[str] = []
    if one.can_be_empty:
        told.append("can match nothing: block and warn then act on every text, redact on none")
    if one.outgrows_window:
        length = "without bound" if one.longest is None else f"up to {one.longest} UTF-16 units"
        told.append(
            f"a match ({length}) can be longer than the window of {window}: the front of one that "
            "shows only when it is complete leaves unredacted; raise streamCarryoverSize or set "
            "streamHold to complete"
        )
    if one.context and window is not None:
        told.append(
            f"looks at text outside its match ({', '.join(one.context)}), which may have left the "
            "window: in a stream it can match where it must not, or miss; set streamHold to "
            "complete"
        )
    if one.attack is not None:
        told.append(slowness(one.attack))
    if one.unchecked:
        told.append("did not finish on the sample within its time budget")
    return replace(one, warnings=tuple(told))


def slowness(attack: Attack) -> str:
    """The warning of a rule that JavaScript is slow with."""
    if attack.degree is None:
        return (
            f"can take exponential time in JavaScript, for example on {attack.text(24)!r:.80}; "
            "make the alternatives of its loops exclude one another"
        )
    front, end = (f"{text!r:.40}" if text else "" for text in (attack.prefix, attack.suffix))
    parts = " + ".join(filter(None, (front, f"{attack.pump!r:.40} many times", end)))
    return (
        f"can take time in JavaScript that grows {attack.growth}, for example on {parts}; give its "
        "repetitions an upper bound, or let them exclude what follows"
    )
