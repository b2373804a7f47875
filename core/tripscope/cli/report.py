"""A run as text and as one JSON object, made from its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tripscope.trace.events import (
    AdvisoryRaised,
    AnyEvent,
    AttemptEnded,
    AttemptStarted,
    EditedByHand,
    HeldDropped,
    HookCalled,
    ModelRequested,
    ResultDiscarded,
    RunEnded,
    RunStarted,
    ToolEnded,
    Warned,
)
from tripscope.trace.report_text import (
    Row,
    advisory_section,
    check_section,
    finding_section,
    laid_out,
    rule_section,
)
from tripscope.trace.run_report import RunReport, make_report
from tripscope.wording import many


class Report:
    """What the command line says of a run.

    Args:
        events: of the run, its matched text included.
        steps: of its result, as files spell them.
    """

    def __init__(self, events: Sequence[AnyEvent], steps: Sequence[dict[str, Any]] = ()) -> None:
        self._events = events
        self._steps = steps

    @property
    def ended(self) -> RunEnded | None:
        """The run's last event, if it came to an end."""
        return next((e for e in reversed(self._events) if isinstance(e, RunEnded)), None)

    @property
    def failed(self) -> bool:
        """Whether a stream check fails."""
        return any(line.check.verdict == "fail" for line in self._run.checks)

    @property
    def _edits(self) -> list[EditedByHand]:
        return [event for event in self._events if isinstance(event, EditedByHand)]

    @cached_property
    def _run(self) -> RunReport:
        return make_report(self._events, raw=True)

    def to_wire(self) -> dict[str, Any]:
        """The ``--json`` object: status, text, tripwire, findings, ...; spans in UTF-16 units."""
        ended = self.ended
        told = [event for event in self._events if isinstance(event, AdvisoryRaised)]
        return {
            "status": ended.status if ended else "running",
            "text": ended.text if ended else "",
            "tripwire": ended.tripwire if ended else None,
            "error": ended.error if ended else None,
            "findings": [line.to_wire() for line in self._run.findings],
            "rules": [cost.to_wire() for cost in self._run.rules],
            "advisories": [{"row": a.row, "sentence": a.sentence} for a in told],
            "edits": [{"what": e.what, "detail": e.detail} for e in self._edits],
            "checks": [line.check.to_wire() for line in self._run.checks],
            "steps": list(self._steps),
        }

    def lines(self) -> Iterator[str]:
        """The readable report."""
        yield from laid_out(_lifecycle(self._events))
        for section in (finding_section, rule_section, check_section, advisory_section):
            yield from section(self._run)
        ended = self.ended
        if ended is None:
            return
        yield ""
        yield "text"
        for line in ended.text.splitlines() or ["(none)"]:
            yield f"  {line}"
        yield ""
        yield f"status: {ended.status}{_ending(ended)}"


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
        held = f", held up to {many(self.held, 'unit')}" if self.held else ""
        return f"{calls}{held}{_spent(self.duration)}"


def _lifecycle(events: Sequence[AnyEvent]) -> Iterator[str | Row]:
    stream: dict[str, _StreamCalls] = {}
    for event in events:
        if isinstance(event, HookCalled) and event.hook == "processOutputStream":
            stream.setdefault(event.processor or "", _StreamCalls()).add(event)
            continue
        line = _head(event) or _row(event)
        if line is None:
            continue
        for processor, calls in stream.items():
            yield "processOutputStream", processor, str(calls)
        stream.clear()
        yield line


def _head(event: AnyEvent) -> str | None:
    match event:
        case RunStarted():
            return f"{event.agent}: {event.mode} run {event.run_id}, model {event.model}"
        case AttemptStarted():
            return f"step {event.step}, attempt {(event.attempt or 0) + 1}"
    return None


def _row(event: AnyEvent) -> Row | None:
    match event:
        case EditedByHand():
            return "edited by hand", event.processor or "", event.what
        case HookCalled():
            error = f": {event.error}" if event.error else ""
            told = f"{event.outcome}{_spent(event.duration)}{error}"
            return event.hook or "", event.processor or "", told
        case ModelRequested():
            differs = ", prompt differs from the recorded one" if event.differs else ""
            cached = ", from cache" if event.from_cache else ""
            sent = f"{many(len(event.prompt), 'message')}, {many(len(event.tools), 'tool')}"
            return "model request", event.model, f"{sent}{cached}{differs}"
        case ToolEnded():
            outcome = f"error: {event.error}" if event.error else "returned"
            return "tool", event.tool_name, f"{outcome}{_spent(event.duration)}"
        case HeldDropped():
            dropped = f"{many(event.units, 'held unit')} dropped: {event.reason}"
            return "held text", event.processor or "", dropped
        case ResultDiscarded():
            return "result discarded", event.tool_name, "ran in a rejected attempt"
        case Warned():
            return "warning", event.processor or "", event.message
        case AttemptEnded(outcome="blocked"):
            then = "asked again" if event.retried else "the end"
            return "rejected", event.processor or "", f"{event.reason}; {then}"
    return None


def _spent(duration: int) -> str:
    return f", {duration / 1e6:.1f} ms"
