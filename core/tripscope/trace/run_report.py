"""What a report of a run tells, in whatever form: facts, checks, attempts, findings, texts, chain.

Matched text is masked unless raw text is asked for; spans are in UTF-16 units.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tripscope.trace.blocks import BlockCollector
from tripscope.trace.checks import Check, run_checks
from tripscope.trace.events import (
    AdvisoryRaised,
    AnyEvent,
    AttemptEnded,
    ModelRequested,
    RunEnded,
    RunStarted,
)
from tripscope.trace.finding_lines import FindingLine, finding_lines
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
class RunReport:
    """``facts``: (name, value) about the run. ``masked``: matched text is hidden."""

    title: str
    masked: bool
    facts: tuple[tuple[str, str], ...]
    checks: tuple[Check, ...]
    attempts: tuple[AttemptLine, ...]
    findings: tuple[FindingLine, ...]
    rules: tuple[RuleCost, ...]
    texts: tuple[TextLine, ...]
    prompts: tuple[tuple[str, JSON], ...]
    chain: JSON
    advisories: tuple[str, ...]

    def to_wire(self) -> dict[str, Any]:
        """One JSON object; offsets are in UTF-16 units, as ``offsetUnit`` says."""
        return {
            "title": self.title,
            "masked": self.masked,
            "offsetUnit": "utf-16",
            "facts": dict(self.facts),
            "checks": [check.to_wire() for check in self.checks],
            "attempts": [asdict(attempt) for attempt in self.attempts],
            "findings": [finding.to_wire() for finding in self.findings],
            "rules": [cost.to_wire() for cost in self.rules],
            "texts": [asdict(text) for text in self.texts],
            "prompts": [{"call": call, "messages": prompt} for call, prompt in self.prompts],
            "chain": self.chain,
            "advisories": list(self.advisories),
        }

    def to_json(self) -> str:
        """`to_wire` as ASCII JSON."""
        return json.dumps(self.to_wire(), indent=2, default=str)

    def to_text(self) -> str:
        """For a mail or an issue."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield self.title
        for name, value in self.facts:
            yield f"  {name}: {value}"
        yield ""
        yield "Checks (UTF-16 units)"
        for check in self.checks:
            yield f"  {check.name}: {check.verdict.replace('fail', 'FAIL')}  {check.detail}"
        yield ""
        yield "Attempts"
        for a in self.attempts:
            by = f" by {a.by}: {a.reason}" if a.by else ""
            yield f"  step {a.step}, attempt {a.attempt}: {a.outcome}{by}"
        yield ""
        yield f"Findings: {len(self.findings)} (spans in UTF-16 units)"
        for f in self.findings:
            became = f" -> {became_of(f)}" if became_of(f) else ""
            yield f"  {f.rule} {f.start}-{f.end} {f.words}{became}  {f.processor}, {place_of(f)}"
        if self.rules:
            yield ""
            yield "Rules (searches are of text that a prefilter let through)"
        for r in self.rules:
            spent = f"{r.nanoseconds / 1e6:.1f} ms in {r.searches} searches"
            yield f"  {r.rule}: {r.hits} hits, {spent}, {r.time_outs} time-outs  {r.processor}"
        for text in self.texts:
            yield ""
            yield f"{text.title}: model"
            yield from (f"  {line}" for line in text.given.splitlines())
            yield f"{text.title}: client"
            yield from (f"  {line}" for line in text.delivered.splitlines())
        if self.masked:
            yield ""
            yield "Matched text is masked."


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
        checks=tuple(run_checks(events)),
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
        advisories=tuple(
            dict.fromkeys(f"{e.row}: {e.sentence}" for e in events if isinstance(e, AdvisoryRaised))
        ),
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
    if events:
        yield "time", f"{events[-1].time / 1e6:,.1f} ms"
        yield "events", f"{len(events):,}"
    usage = ended.usage if ended is not None else None
    for key, name in (("inputTokens", "tokens in"), ("outputTokens", "tokens out")):
        if isinstance(usage, dict) and isinstance(usage.get(key), int):
            yield name, f"{usage[key]:,}"


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
        title = f"step {step}, attempt {(attempt or 0) + 1}, {kind}"
        given, delivered = block.model.text, block.delivered.text
        yield TextLine(title, masker.text(given), masker.text(delivered))
