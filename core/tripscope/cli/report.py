"""A run as text and as one JSON object, made from its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tripscope.trace.checks import Check, run_checks
from tripscope.trace.events import (
    AdvisoryRaised,
    AnyEvent,
    AttemptEnded,
    AttemptStarted,
    HeldDropped,
    HookCalled,
    ModelRequested,
    ResultDiscarded,
    RunEnded,
    RunStarted,
    ToolEnded,
    Warned,
)
from tripscope.trace.finding_lines import FindingLine, finding_lines
from tripscope.trace.leaks import ChunkNumbers
from tripscope.trace.rule_costs import RuleCosts

_E = TypeVar("_E")

_MARKS = {"pass": "ok  ", "fail": "FAIL", "not made": "-   ", "unscanned": "note"}


@dataclass(slots=True)
class Report:
    """What the command line says of a run."""

    events: Sequence[AnyEvent]
    steps: list[dict[str, Any]] = field(default_factory=list)
    _checks: list[Check] | None = field(default=None, init=False)
    _findings: list[FindingLine] | None = field(default=None, init=False)

    @property
    def ended(self) -> RunEnded | None:
        """The run's last event, if it came to an end."""
        return next((e for e in reversed(self.events) if isinstance(e, RunEnded)), None)

    @property
    def checks(self) -> list[Check]:
        """The stream checks, worked out once."""
        if self._checks is None:
            self._checks = run_checks(self.events)
        return self._checks

    @property
    def findings(self) -> list[FindingLine]:
        """All findings, matches that left undecided included; worked out once."""
        if self._findings is None:
            self._findings = finding_lines(self.events)
        return self._findings

    def of(self, kind: type[_E]) -> list[_E]:
        """All events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def to_wire(self) -> dict[str, Any]:
        """The ``--json`` object: status, text, tripwire, findings, ...; spans in UTF-16 units."""
        ended = self.ended
        return {
            "status": ended.status if ended else "running",
            "text": ended.text if ended else "",
            "tripwire": ended.tripwire if ended else None,
            "error": ended.error if ended else None,
            "findings": [line.to_wire() for line in self.findings],
            "rules": [cost.to_wire() for cost in RuleCosts(self.events).by_rule.values()],
            "advisories": [{"row": a.row, "sentence": a.sentence} for a in self.of(AdvisoryRaised)],
            "checks": [check.to_wire() for check in self.checks],
            "steps": self.steps,
        }

    def lines(self) -> Iterator[str]:
        """The readable report."""
        yield from _lifecycle(self.events)
        yield from self._finding_lines()
        yield from self._rules()
        yield ""
        yield "checks (UTF-16 units)"
        numbers = ChunkNumbers(self.events)
        for check in self.checks:
            place = _place(check, numbers)
            yield f"  {_MARKS[check.verdict]}  {check.name}: {check.detail}{place}"
        if advisories := self.of(AdvisoryRaised):
            yield ""
            yield "advisories: where the deployed runtime goes another way"
            counted = Counter((a.row, a.sentence) for a in advisories)
            for (row, sentence), times in counted.items():
                yield f"  {row}  {sentence}{f' ({times} times)' if times > 1 else ''}"
        ended = self.ended
        if ended is None:
            return
        yield ""
        yield "text"
        for line in ended.text.splitlines() or ["(none)"]:
            yield f"  {line}"
        yield ""
        yield f"status: {ended.status}{_ending(ended)}"

    def _finding_lines(self) -> Iterator[str]:
        findings = self.findings
        yield ""
        left = sum(finding.outcome is None for finding in findings)
        undecided = f", {left} of them left undecided" if left else ""
        yield f"findings: {len(findings)}{undecided}" + (
            "; spans in UTF-16 units" if findings else ""
        )
        width = max((len(finding.words) for finding in findings), default=0)
        for finding in findings:
            span = f"{finding.start}-{finding.end}"
            became = finding.replacement if finding.replacement is not None else ""
            if finding.winner:
                became = f"in {finding.winner}"
            where = f", {finding.where}" if finding.where else ""
            yield (
                f"  {finding.rule:<16} {span:>9}  {finding.words:<{width}} {became:<16} "
                f"{finding.processor} {finding.hook}{where}"
            ).rstrip()

    def _rules(self) -> Iterator[str]:
        costs = RuleCosts(self.events).by_rule.values()
        if not costs:
            return
        yield ""
        yield "rules"
        for cost in costs:
            hits = _count(cost.hits, "hit")
            searches = _count(cost.searches, "search", "searches")
            late = f", {_count(cost.time_outs, 'time-out')}" if cost.time_outs else ""
            spent = f"{cost.nanoseconds / 1e6:.1f} ms in {searches}"
            yield f"  {cost.rule:<16} {hits:>9}, {spent}{late}  {cost.processor}"


def _place(check: Check, numbers: ChunkNumbers) -> str:
    place = check.place
    chunk = numbers.words(place.index) if place is not None else ""
    if place is None or not chunk:
        return ""
    return f" (first at {chunk}, step {place.step}, attempt {_nth(place.attempt)})"


def _ending(ended: RunEnded) -> str:
    if ended.tripwire:
        return f" by {ended.tripwire.get('processorId')}: {ended.tripwire.get('reason')}"
    if ended.error:
        error = ended.error
        return f": {error.get('message') if isinstance(error, dict) else error}"
    return ""


@dataclass(slots=True)
class _StreamCalls:
    """The calls of one processor on the parts of one attempt."""

    outcomes: Counter[str] = field(default_factory=Counter)
    held: int = 0
    duration: int = 0

    def add(self, event: HookCalled) -> None:
        self.outcomes[event.outcome] += 1
        self.held = max(self.held, event.held or 0)
        self.duration += event.duration

    def __str__(self) -> str:
        calls = ", ".join(f"{n} {outcome}" for outcome, n in sorted(self.outcomes.items()))
        held = f", held up to {self.held} units" if self.held else ""
        return f"{calls}{held}{_spent(self.duration)}"


def _lifecycle(events: Sequence[AnyEvent]) -> Iterator[str]:
    stream: dict[str, _StreamCalls] = {}
    for event in events:
        if isinstance(event, HookCalled) and event.hook == "processOutputStream":
            stream.setdefault(event.processor or "", _StreamCalls()).add(event)
            continue
        line = _line(event)
        if line is None:
            continue
        for processor, calls in stream.items():
            yield f"  processOutputStream  {processor:<20} {calls}"
        stream.clear()
        yield line


def _line(event: AnyEvent) -> str | None:
    match event:
        case RunStarted():
            return f"{event.agent}: {event.mode} run {event.run_id}, model {event.model}"
        case AttemptStarted():
            return f"step {event.step}, attempt {_nth(event.attempt)}"
        case HookCalled():
            error = f": {event.error}" if event.error else ""
            spent = _spent(event.duration)
            place = f"  {event.hook or '':<20} {event.processor or '':<20}"
            return f"{place} {event.outcome}{spent}{error}"
        case ModelRequested():
            differs = ", prompt differs from the recorded one" if event.differs else ""
            cached = ", from cache" if event.from_cache else ""
            messages, tools = len(event.prompt), len(event.tools)
            count = f"{_count(messages, 'message')}, {_count(tools, 'tool')}"
            return f"  {'model request':<20} {event.model:<20} {count}{cached}{differs}"
        case ToolEnded():
            outcome = f"error: {event.error}" if event.error else "returned"
            return f"  {'tool':<20} {event.tool_name:<20} {outcome}{_spent(event.duration)}"
        case HeldDropped():
            dropped = f"{event.units} held units dropped: {event.reason}"
            return f"  {'held text':<20} {event.processor or '':<20} {dropped}"
        case ResultDiscarded():
            return f"  {'result discarded':<20} {event.tool_name:<20} ran in a rejected attempt"
        case Warned():
            return f"  {'warning':<20} {event.processor or '':<20} {event.message}"
        case AttemptEnded(outcome="blocked"):
            then = "asked again" if event.retried else "the end"
            return f"  {'rejected':<20} {event.processor or '':<20} {event.reason}; {then}"
    return None


def _nth(attempt: int | None) -> int:
    """Attempts count from 1 for people, as in the window."""
    return (attempt or 0) + 1


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def _spent(duration: int) -> str:
    return f", {duration / 1e6:.1f} ms"
