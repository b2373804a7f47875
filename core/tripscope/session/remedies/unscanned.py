"""Text that left with nobody looking at it, though the session has rules that match in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tripscope.errors import SessionError
from tripscope.patterns import MatchTimeout
from tripscope.session.build import build_processor
from tripscope.session.model import ProcessorSpec, Session
from tripscope.session.remedies.changes import (
    FILTER,
    MOST_UNITS,
    Advice,
    Remedy,
    with_processor,
)


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
        for words, changed, rules in _turned_on(spec):
            hits = _matches(changed, rules, delivered)
            if not hits:
                continue
            times = "once" if hits == 1 else f"{hits:,} times"
            link = "set its phase to all" if words.endswith("input only") else "switch it on"
            edit = link.replace("its phase", f"phase of {spec.id}")
            edit = edit.replace("it on", f"{words.split(' is ')[0].removeprefix('Rule ')} on")
            remedies.append(
                Remedy(
                    f"{words} and matches {times} in what left:",
                    link,
                    "",
                    with_processor(session, changed),
                    edit,
                )
            )
    return Advice("", tuple(remedies))


def for_tool_results(session: Session, results: Iterable[Any]) -> Advice:
    """Whether rules of the chain match in tool results that no processor looks at."""
    if any(spec.type == "redact-tool-result" and spec.enabled for spec in session.chain):
        return Advice()
    spec = next((s for s in session.chain if s.type == FILTER and s.enabled), None)
    texts = [text for result in results for text in _strings(result)]
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
    times = "once" if hits == 1 else f"{hits:,} times"
    return Advice(
        "",
        (
            Remedy(
                f"Tool results are not scanned; the rules of {spec.id} match {times} in them:",
                "add redact-tool-result",
                "with the same rules.",
                session.model_copy(update={"chain": [*session.chain, added]}),
                f"add {identity}",
            ),
        ),
    )


def _turned_on(spec: ProcessorSpec) -> Iterator[tuple[str, ProcessorSpec, set[str] | None]]:
    """(what is off, the processor with that on, the rules that are new then; None: all)."""
    if not spec.enabled:
        yield f"{spec.id} is switched off", spec.model_copy(update={"enabled": True}), None
        return
    if spec.options.get("phase") == "input":
        options = {**spec.options, "phase": "all"}
        on = spec.model_copy(update={"options": options})
        yield f"{spec.id} looks at input only", on, None
        return
    for place, rule in enumerate(spec.rules):
        if not rule.enabled:
            rules = list(spec.rules)
            rules[place] = rule.model_copy(update={"enabled": True})
            on = spec.model_copy(update={"rules": rules})
            yield f"Rule {rule.name} is switched off", on, {rule.name}


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


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)
