"""Runs a filter without an engine: texts and streams in, what comes out, what it told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from inspect import isawaitable
from types import SimpleNamespace
from typing import Any, NoReturn

from tripscope.chunks import BlockEdge, Chunk, delta_text, text_delta
from tripscope.errors import TripWire
from tripscope.messages import Message, text_message
from tripscope.patterns.units import join_surrogates, spread
from tripscope.processor import Violation
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.redaction import redact
from tripscope.rules.regions import Found, merge
from tripscope.rules.rule import RegexRule


@dataclass
class Told:
    """Everything that a filter said beside its answer."""

    findings: list[dict[str, Any]] = field(default_factory=list)
    intervals: list[tuple[int, int, int, int, str | None]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    held_units: int = 0

    def finding(self, rule: str, start: int, end: int, outcome: str, **more: Any) -> None:
        self.findings.append({"rule": rule, "span": (start, end), "outcome": outcome, **more})

    def emit(self, intervals: Iterable[tuple[int, int, int, int, str | None]]) -> None:
        self.intervals += intervals

    def held(self, units: int) -> None:
        self.held_units = units

    def warning(self, message: str, detail: object = None) -> None:
        self.warnings.append(message)


def hook_args(told: Told, state: dict[str, Any], **more: Any) -> Any:
    def abort(
        reason: str | None = None, *, retry: bool | None = None, metadata: Any = None
    ) -> NoReturn:
        raise TripWire(reason or "", processor_id="f", retry=retry, metadata=metadata)

    return SimpleNamespace(
        **{"abort": abort, "retry_count": 0, "probe": told, "state": state} | more
    )


async def answer(value: Any) -> Any:
    return await value if isawaitable(value) else value


class Stream:
    """One stream through one filter. ``out`` is all that left, in order."""

    def __init__(self, filter: RegexFilterProcessor) -> None:
        self.filter = filter
        self.state: dict[str, Any] = {}
        self.told = Told()
        self.out: list[Chunk] = []
        self.reports: list[Violation] = []
        self.retry_count = 0
        filter.on_violation = self.reports.append

    async def send(self, part: Chunk | str) -> list[Chunk]:
        """A part, or the text of a delta; gives what left."""
        chunk = text_delta(part) if isinstance(part, str) else part
        args = hook_args(
            self.told, self.state, part=chunk, stream_parts=[], retry_count=self.retry_count
        )
        got = await answer(self.filter.process_output_stream(args))
        left = got if isinstance(got, list) else [] if got is None else [got]
        self.out += left
        return left

    async def send_all(self, texts: Sequence[Chunk | str], *, end: bool = True) -> str:
        """Parts, then the end of the block; gives the joined text."""
        for text in texts:
            await self.send(text)
        if end:
            await self.send(Chunk("text-end", BlockEdge(id="t1")))
        return self.text

    @property
    def text(self) -> str:
        return join_surrogates("".join(spread(delta_text(chunk) or "") for chunk in self.out))


async def filter_text(filter: RegexFilterProcessor, text: str) -> tuple[str, Told]:
    """The text of one input message behind the filter."""
    told = Told()
    messages = [text_message("user", text, id="m1")]
    args = hook_args(told, {}, messages=messages, system_messages=[])
    after: list[Message] = await answer(filter.process_input(args))
    return after[0].text, told


def all_matches(rules: Sequence[RegexRule], units: str) -> list[Found]:
    """By the plainest means: every rule searches the whole text."""
    return [
        Found(rule, match.index, match.end)
        for rule in rules
        for match in rule.compiled.find_all(units, timeout=1)
    ]


def redacted_whole(rules: Sequence[RegexRule], text: str) -> str:
    """What the rules make of a whole text, by the plainest means."""
    units = spread(text)
    return redact(units, merge(all_matches(rules, units)))[0]


def cuts(text: str, size: int) -> list[str]:
    """The text in pieces of so many UTF-16 units."""
    units = spread(text)
    return [units[at : at + size] for at in range(0, len(units), size)]
