"""What a report of a run tells, in whatever form: facts, checks, attempts, findings, texts, chain.

Matched text is masked unless raw text is asked for; spans are in UTF-16 units.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tripscope.trace.blocks import BlockCollector
from tripscope.trace.checks import Check, run_checks
from tripscope.trace.events import (
    AdvisoryRaised,
    AnyEvent,
    AttemptEnded,
    EditedByHand,
    ModelRequested,
    RunEnded,
    RunStarted,
)
from tripscope.trace.finding_lines import FindingLine, finding_lines
from tripscope.trace.leaks import ChunkNumbers
from tripscope.trace.masking import Masker, NoMasker
from tripscope.trace.rule_costs import RuleCost, RuleCosts
from tripscope.wire import JSON


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """How one attempt ended; ``attempt`` counts from 1 here, as people do."""

    step: int
    attempt: int
    outcome: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class TextLine:
    """One text block: what the model gave and what the client got."""

    title: str
    given: str
    delivered: str


@dataclass(frozen=True, slots=True)
class CheckLine:
    """A stream check. ``where``: it fails first, in words; empty if nowhere."""

    check: Check
    where: str


@dataclass(frozen=True, slots=True)
class AdvisoryLine:
    """One sentence about the deployed runtime, and how often it was told."""

    row: str
    sentence: str
    times: int

    @property
    def words(self) -> str:
        """The sentence, with how often it was told if that was more than once."""
        return f"{self.sentence} ({self.times} times)" if self.times > 1 else self.sentence


@dataclass(frozen=True, slots=True)
class RunReport:
    """``facts``: (name, value) about the run. ``masked``: matched text is hidden."""

    title: str
    masked: bool
    facts: tuple[tuple[str, str], ...]
    checks: tuple[CheckLine, ...]
    attempts: tuple[AttemptLine, ...]
    findings: tuple[FindingLine, ...]
    rules: tuple[RuleCost, ...]
    texts: tuple[TextLine, ...]
    prompts: tuple[tuple[str, JSON], ...]
    chain: JSON
    advisories: tuple[AdvisoryLine, ...]

    def to_wire(self) -> dict[str, Any]:
        """One JSON object; offsets are in UTF-16 units, as ``offsetUnit`` says."""
        return {
            "title": self.title,
            "masked": self.masked,
            "offsetUnit": "utf-16",
            "facts": dict(self.facts),
            "checks": [line.check.to_wire() for line in self.checks],
            "attempts": [asdict(attempt) for attempt in self.attempts],
            "findings": [finding.to_wire() for finding in self.findings],
            "rules": [cost.to_wire() for cost in self.rules],
            "texts": [asdict(text) for text in self.texts],
            "prompts": [{"call": call, "messages": prompt} for call, prompt in self.prompts],
            "chain": self.chain,
            "advisories": [f"{line.row}: {line.sentence}" for line in self.advisories],
        }

    def to_json(self) -> str:
        """`to_wire` as ASCII JSON."""
        return json.dumps(self.to_wire(), indent=2, default=str)


def became_of(finding: FindingLine) -> str:
    """What stands in its place, in words."""
    return finding.replacement or (f"inside {finding.winner}" if finding.winner else "")


def place_of(finding: FindingLine) -> str:
    """Step and attempt of a stream, else the hook."""
    return finding.where if finding.in_stream else finding.hook


def make_report(events: Sequence[AnyEvent], *, title: str = "", raw: bool = False) -> RunReport:
    """Gather the report of a run; ``raw`` leaves matched text as it is."""
    events = list(events)  # gone through several times, which takes longer where they are packed
    started = next((e for e in events[:1] if isinstance(e, RunStarted)), None)
    ended = next((e for e in events[-1:] if isinstance(e, RunEnded)), None)
    masker: Masker = NoMasker() if raw else Masker(events)
    return RunReport(
        title=title or (started.agent if started is not None else "run"),
        masked=not raw,
        facts=tuple(_facts(started, ended, events)),
        checks=tuple(_checks(events)),
        attempts=tuple(_attempts(events, masker)),
        findings=tuple(finding_lines(events)),
        rules=tuple(RuleCosts(events).by_rule.values()),
        texts=tuple(_texts(events, masker)),
        prompts=tuple(
            (f"request {event.call + 1}", masker.json(list(event.prompt)))
            for event in events
            if isinstance(event, ModelRequested)
        ),
        chain=started.chain if started is not None else {},
        advisories=tuple(_advisories(events)),
    )


def _facts(
    started: RunStarted | None, ended: RunEnded | None, events: Sequence[AnyEvent]
) -> Iterator[tuple[str, str]]:
    yield "status", ended.status if ended is not None else "running"
    if started is not None:
        yield "kind", started.mode
        yield "model", started.model
        yield "started", started.started_at
        yield "run", started.run_id
        yield "chain", started.chain_hash
    if edits := [event.what for event in events if isinstance(event, EditedByHand)]:
        yield "edited by hand", "; ".join(edits)
    if events:
        yield "time", f"{events[-1].time / 1e6:,.1f} ms"
        yield "events", f"{len(events):,}"
    usage = ended.usage if ended is not None else None
    for key, name in (("inputTokens", "tokens in"), ("outputTokens", "tokens out")):
        if isinstance(usage, dict) and isinstance(usage.get(key), int):
            yield name, f"{usage[key]:,}"


def _checks(events: Sequence[AnyEvent]) -> Iterator[CheckLine]:
    numbers = ChunkNumbers(events)
    for check in run_checks(events):
        place = check.place
        chunk = numbers.words(place.index) if place is not None else ""
        where = f"{chunk}, {_attempt_words(place.step, place.attempt)}" if place and chunk else ""
        yield CheckLine(check, where)


def _advisories(events: Sequence[AnyEvent]) -> Iterator[AdvisoryLine]:
    told = Counter((e.row, e.sentence) for e in events if isinstance(e, AdvisoryRaised))
    for (row, sentence), times in told.items():
        yield AdvisoryLine(row, sentence, times)


def _attempt_words(step: int | None, attempt: int | None) -> str:
    """Attempts count from 1 for people, as in the window."""
    return f"step {step}, attempt {(attempt or 0) + 1}"


def _attempts(events: Sequence[AnyEvent], masker: Masker) -> Iterator[AttemptLine]:
    for event in events:
        if isinstance(event, AttemptEnded):
            words = {"pass": "accepted", "blocked": "rejected"}
            yield AttemptLine(
                event.step or 0,
                (event.attempt or 0) + 1,
                words.get(event.outcome, event.outcome),
                event.processor or "",
                masker.text(event.reason or ""),
            )


def _texts(events: Sequence[AnyEvent], masker: Masker) -> Iterator[TextLine]:
    for block in BlockCollector(events).blocks.values():
        step, attempt, kind, _ = block.key
        title = f"{_attempt_words(step, attempt)}, {kind}"
        given, delivered = block.model.text, block.delivered.text
        yield TextLine(title, masker.text(given), masker.text(delivered))
