"""A match of which something left, or a stream that was not filtered as its whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from msgspec.structs import replace

from tripscope import patterns
from tripscope.context import Pace
from tripscope.rules.presets import preset_rules
from tripscope.rules.rule import RegexRule
from tripscope.session.filters import filter_of, holds_until_decided, window_of
from tripscope.session.model import ProcessorSpec, Session, SessionRule
from tripscope.session.remedies.changes import (
    MOST_UNITS,
    Advice,
    Remedy,
    with_option,
    with_processor,
)
from tripscope.session.remedies.switched_off import switched_off
from tripscope.session.remedies.trial import Trial, Tried
from tripscope.trace.blocks import Block

Match: TypeAlias = tuple[str, int, int]
"""(rule, start, end) in UTF-16 units of what a filter was given."""

_DOUBLINGS: Final = 4
"""Windows that are tried, each twice the one before: each sends the whole block again, and what
eight times a match does not mend is no matter of the window."""


async def for_leak(
    session: Session,
    block: Block,
    processor: str,
    match: Match | None,
    *,
    pace: Pace | None = None,
) -> Advice:
    """What keeps text in that ``processor`` let out.

    Args:
        session: as it stands now, which may differ from what ran.
        block: of the run.
        processor: a filter of the chain.
        match: of which something left; None: what left differs from the rules applied to the
            whole, whatever the rule.
        pace: awaited after each piece.
    """
    spec = filter_of(session, processor)
    if spec is None or block.model.length > MOST_UNITS:
        return Advice()
    trial = Trial(block.model.texts, processor, match[0] if match else None, pace)
    now = await trial.run(session)
    if now is not None and now.good:
        words = "The chain as it stands now lets nothing of it out:"
        if match is None:
            words = "The chain as it stands now gives what its rules make of the whole text:"
        return Advice("", (Remedy(words, "replay", "to see it."),))
    remedies: list[Remedy] = []
    for group in _groups(session, spec, block, match):
        for remedy in group:
            tried = None if remedy.session is None else await trial.run(remedy.session)
            if tried is not None and tried.good:
                remedies.append(_proven(remedy, tried, match))
                break
    return Advice(_why(spec, block, match), tuple(remedies))


def _groups(
    session: Session, spec: ProcessorSpec, block: Block, match: Match | None
) -> Iterator[Iterable[Remedy]]:
    """What may help, to be tried; of each group the first that helps is enough."""
    switches = [
        Remedy(f"{off.words} now:", off.link, "", with_processor(session, off.on), off.edit)
        for off in switched_off(spec)
        if off.rules is None or (match and match[0] in off.rules)
    ]
    if switches:
        yield switches
    elif not holds_until_decided(spec):
        if spec.options.get("strategy") == "redact":
            yield _wider_windows(session, spec, block, match)
        yield [_hold(session, spec)]


def _wider_windows(
    session: Session, spec: ProcessorSpec, block: Block, match: Match | None
) -> Iterator[Remedy]:
    """From the first power of two that holds the match, and at least twice today's."""
    window = window_of(spec)
    length = match[2] - match[1] if match else window + 1
    size = max(1 << (max(length, 1) - 1).bit_length(), 2 * window)
    for _ in range(_DOUBLINGS):
        yield Remedy(
            f"Raise the window of {spec.id} from {window:,}",
            f"to {size:,}",
            "UTF-16 units",
            with_option(session, spec, "streamCarryoverSize", size),
            f"set window of {spec.id}",
        )
        if size > block.model.length:
            return
        size *= 2


def _hold(session: Session, spec: ProcessorSpec) -> Remedy:
    return Remedy(
        f"Let {spec.id} hold text until it is decided:",
        "set streamHold to complete",
        "",
        with_option(session, spec, "streamHold", "complete"),
        f"set streamHold of {spec.id}",
    )


def _proven(remedy: Remedy, tried: Tried, match: Match | None) -> Remedy:
    """The remedy with what the trial showed."""
    shown = "nothing of it leaves" if match else "the stream equals its whole"
    if tried.tripped:
        shown = "the step is blocked before any of it leaves"
    held = f", {tried.held:,} UTF-16 units held at most" if tried.held else ""
    before = f"{remedy.after};" if remedy.after else "\N{EN DASH}"
    return replace(remedy, after=f"{before} {shown}{held}.")


def _why(spec: ProcessorSpec, block: Block, match: Match | None) -> str:
    """The cause, where the facts leave one only."""
    if not spec.enabled or match is None or holds_until_decided(spec):
        return ""
    name, start, end = match
    strategy = spec.options.get("strategy", "block")
    if strategy != "redact":
        flow = next((f for f in block.flows if f.processor == spec.id), None)
        pieces = len(flow.given.indexes_of(start, end)) if flow is not None else 1
        told = f"Under {strategy} each chunk is searched alone; this match came in {pieces} chunks."
        return told if pieces > 1 else ""
    window = window_of(spec)
    if end - start > window:
        return f"This match is {end - start:,} UTF-16 units long, the window {window:,}."
    if context := ", ".join(dict.fromkeys(_context(spec, name))):
        return f"{name} looks at text outside its match ({context}), which the window cuts off."
    return ""


def _context(spec: ProcessorSpec, name: str) -> tuple[str, ...]:
    """The parts of a rule's pattern that look at text outside its match."""
    presets = preset_rules(spec.options.get("presets") or [])
    rules: list[SessionRule | RegexRule] = [*spec.rules, *presets]
    found = next((rule for rule in rules if rule.name == name), None)
    if found is None:
        return ()
    try:
        return tuple(patterns.compile(found.pattern, found.flags).facts.context)
    except patterns.PatternError:
        return ()
