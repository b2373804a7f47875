"""A match of which something left, or a stream that was not filtered as its whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tripscope import patterns
from tripscope.context import Pace
from tripscope.rules.presets import PRESETS
from tripscope.session.filters import FILTER, holds_until_decided, window_of
from tripscope.session.model import ProcessorSpec, Session, SessionRule
from tripscope.session.remedies.changes import (
    MOST_UNITS,
    Advice,
    Remedy,
    with_option,
    with_processor,
)
from tripscope.session.remedies.trial import Trial, Tried
from tripscope.trace.blocks import Block

_DOUBLINGS: Final = 4


async def for_leak(
    session: Session,
    block: Block,
    processor: str,
    match: tuple[str, int, int] | None,
    *,
    pace: Pace | None = None,
) -> Advice:
    """What keeps text in that ``processor`` let out.

    Args:
        session: as it stands now, which may differ from what ran.
        block: of the run.
        processor: a filter of the chain.
        match: (rule, start, end) in UTF-16 units of what it was given; None: what left it differs
            from its rules applied to the whole, whatever the rule.
        pace: awaited after each piece.
    """
    place = next((n for n, spec in enumerate(session.chain) if spec.id == processor), -1)
    if place < 0 or session.chain[place].type != FILTER or block.model.length > MOST_UNITS:
        return Advice()
    spec = session.chain[place]
    trial = Trial(block.model.texts, processor, match[0] if match else None, pace)
    now = await trial.run(session)
    if now is not None and now.good:
        words = "The chain as it stands now lets nothing of it out:"
        if match is None:
            words = "The chain as it stands now gives what its rules make of the whole text:"
        return Advice("", (Remedy(words, "replay", "to see it."),))
    remedies: list[Remedy] = []
    for changed, remedy in _candidates(session, spec, block, match):
        if remedies and remedies[-1].edit == remedy.edit:
            continue  # the smallest window that does is enough
        tried = await trial.run(changed)
        if tried is not None and tried.good:
            remedies.append(_proven(remedy, changed, tried, match is not None))
    return Advice(_why(spec, block, match), tuple(remedies))


def _candidates(
    session: Session, spec: ProcessorSpec, block: Block, match: tuple[str, int, int] | None
) -> Iterator[tuple[Session, Remedy]]:
    if not spec.enabled:
        yield (
            with_processor(session, spec.model_copy(update={"enabled": True})),
            Remedy(
                f"{spec.id} is switched off now:", "switch it on", "", None, f"switch {spec.id} on"
            ),
        )
        return
    if spec.options.get("phase") == "input":
        yield (
            with_option(session, spec, "phase", "all"),
            Remedy(
                f"{spec.id} looks at input only now:",
                "set its phase to all",
                "",
                None,
                f"set phase of {spec.id}",
            ),
        )
        return
    off = _switched_off(spec, match[0]) if match else None
    if off is not None:
        yield (
            _with_rule(session, spec, off),
            Remedy(f"Rule {off.name} is switched off now:", "switch it on", "", None,
                   f"switch {off.name} on"),
        )  # fmt: skip
        return
    if holds_until_decided(spec):
        return
    if spec.options.get("strategy") == "redact":
        window = window_of(spec)
        length = match[2] - match[1] if match else window + 1
        size = max(1 << (max(length, 1) - 1).bit_length(), 2 * window)
        for _ in range(_DOUBLINGS):
            yield (
                with_option(session, spec, "streamCarryoverSize", size),
                Remedy(
                    f"Raise the window of {spec.id} from {window:,}",
                    f"to {size:,}",
                    "UTF-16 units",
                    None,
                    f"set window of {spec.id}",
                ),
            )
            if size > block.model.length:
                break
            size *= 2
    yield (
        with_option(session, spec, "streamHold", "complete"),
        Remedy(
            f"Let {spec.id} hold text until it is decided:",
            "set streamHold to complete",
            "",
            None,
            f"set streamHold of {spec.id}",
        ),
    )


def _proven(remedy: Remedy, changed: Session, tried: Tried, leak: bool) -> Remedy:
    """The remedy with what the trial showed."""
    shown = "nothing of it leaves" if leak else "the stream equals its whole"
    if tried.tripped:
        shown = "the step is blocked before any of it leaves"
    held = f", {tried.held:,} UTF-16 units held at most" if tried.held else ""
    after = f"{remedy.after}; {shown}{held}." if remedy.after else f"\N{EN DASH} {shown}{held}."
    return Remedy(remedy.before, remedy.link, after, changed, remedy.edit)


def _why(spec: ProcessorSpec, block: Block, match: tuple[str, int, int] | None) -> str:
    """The cause, where the facts leave one only."""
    if not spec.enabled or match is None or holds_until_decided(spec):
        return ""
    name, start, end = match
    window = window_of(spec)
    flow = next((f for f in block.flows if f.processor == spec.id), None)
    if spec.options.get("strategy") == "redact":
        if end - start > window:
            return f"This match is {end - start:,} UTF-16 units long, the window {window:,}."
        context = _context(spec, name)
        if context:
            told = ", ".join(dict.fromkeys(context))
            return f"{name} looks at text outside its match ({told}), which the window cuts off."
        return ""
    pieces = len(flow.given.indexes_of(start, end)) if flow is not None else 1
    strategy = spec.options.get("strategy", "block")
    if pieces > 1:
        return f"Under {strategy} each chunk is searched alone; this match came in {pieces} chunks."
    return ""


def _switched_off(spec: ProcessorSpec, name: str) -> SessionRule | None:
    return next((r for r in spec.rules if r.name == name and not r.enabled), None)


def _context(spec: ProcessorSpec, name: str) -> tuple[str, ...]:
    sources = [(r.name, r.pattern, r.flags) for r in spec.rules]
    for preset in spec.options.get("presets") or ():
        sources += [(r.name, r.source, r.flags) for r in PRESETS.get(preset, ())]
    for rule, pattern, flags in sources:
        if rule == name:
            try:
                return tuple(patterns.compile(pattern, flags).facts.context)
            except patterns.PatternError:
                return ()
    return ()


def _with_rule(session: Session, spec: ProcessorSpec, rule: SessionRule) -> Session:
    rules = [
        r.model_copy(update={"enabled": True}) if r.name == rule.name else r for r in spec.rules
    ]
    return with_processor(session, spec.model_copy(update={"rules": rules}))
