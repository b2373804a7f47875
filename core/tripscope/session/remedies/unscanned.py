"""Text that left with nobody looking at it, though the session has rules that match in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tripscope.errors import SessionError
from tripscope.patterns import MatchTimeout
from tripscope.session.build import build_processor
from tripscope.session.filters import FILTER
from tripscope.session.model import ProcessorSpec, Session
from tripscope.session.remedies.changes import (
    MOST_UNITS,
    Advice,
    Remedy,
    with_processor,
)
from tripscope.session.remedies.switched_off import switched_off
from tripscope.tool_texts import texts_of


def for_off(session: Session, delivered: Sequence[str]) -> Advice:
    """Rules and filters that are switched off and match what left.

    Args:
        session: as it stands now.
        delivered: the text blocks that the client got.
    """
    if sum(len(text) for text in delivered) > MOST_UNITS:
        return Advice()
    remedies: list[Remedy] = []
    for spec in session.chain:
        if spec.type != FILTER:
            continue
        for off in switched_off(spec):
            hits = _matches(off.on, off.rules, delivered)
            if not hits:
                continue
            remedies.append(
                Remedy(
                    f"{off.words} and matches {_times(hits)} in what left:",
                    off.link,
                    "",
                    with_processor(session, off.on),
                    off.edit,
                )
            )
    return Advice("", tuple(remedies))


def for_tool_results(session: Session, results: Iterable[Any]) -> Advice:
    """Whether rules of the chain match in tool results that no processor looks at."""
    if any(spec.type == "redact-tool-result" and spec.enabled for spec in session.chain):
        return Advice()
    spec = next((s for s in session.chain if s.type == FILTER and s.enabled), None)
    texts = [text for result in results for _path, text in texts_of(result)]
    if spec is None or sum(map(len, texts)) > MOST_UNITS:
        return Advice()
    hits = _matches(spec, None, texts)
    if not hits:
        return Advice()
    taken = {s.id for s in session.chain}
    identity = next(
        name for n in range(1, len(taken) + 2)
        if (name := "redact-tool-result" if n == 1 else f"redact-tool-result-{n}") not in taken
    )  # fmt: skip
    options = {k: v for k, v in spec.options.items() if k == "presets"}
    added = ProcessorSpec(
        id=identity, type="redact-tool-result", options=options, rules=list(spec.rules)
    )
    return Advice(
        "",
        (
            Remedy(
                f"Tool results are not scanned; the rules of {spec.id} match "
                f"{_times(hits)} in them:",
                "add redact-tool-result",
                "with the same rules.",
                session.model_copy(update={"chain": [*session.chain, added]}),
                f"add {identity}",
            ),
        ),
    )


def _matches(spec: ProcessorSpec, rules: set[str] | None, texts: Iterable[str]) -> int:
    try:
        built = build_processor(spec)
        return sum(
            rules is None or rule in rules
            for text in texts
            for rule, _start, _end in built.whole(text).matches
        )
    except (SessionError, MatchTimeout):
        return 0


def _times(hits: int) -> str:
    return "once" if hits == 1 else f"{hits:,} times"
