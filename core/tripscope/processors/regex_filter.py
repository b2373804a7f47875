"""RegexFilterProcessor: patterns that block, redact or flag text, in messages and in the stream."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, ClassVar, Final, NoReturn, Self

from tripscope.chunks import Chunk
from tripscope.errors import HookTimeout
from tripscope.messages import Message
from tripscope.patterns.units import spread
from tripscope.processor import (
    HookArgs,
    ProcessInputArgs,
    Processor,
    ProcessOutputResultArgs,
    ProcessOutputStreamArgs,
    Violation,
    Whole,
)
from tripscope.rules import findings
from tripscope.rules.budget import DEFAULT_BUDGET, Budget, BudgetUsedUp
from tripscope.rules.carryover import FilterState, filter_state, text_of, with_text
from tripscope.rules.folds import Views
from tripscope.rules.message_texts import Place, rewritten, texts
from tripscope.rules.options import (
    CARRYOVER,
    DEFAULT_ID,
    FilterOptions,
    Phase,
    Strategy,
    StreamHold,
    arguments_from_wire,
)
from tripscope.rules.redaction import Redaction, redact
from tripscope.rules.regions import Found, merge
from tripscope.rules.report import match_list, names, redaction_detail, redaction_message, tell
from tripscope.rules.rule import RegexRule
from tripscope.rules.search import Searcher
from tripscope.wire import JSON

_LOG: Final = logging.getLogger(__name__)


class RegexFilterProcessor(Processor):
    """Applies patterns to user messages, to the stream of text deltas, and to the final messages.

    What it does is told in "RegexFilterProcessor" and, to the code unit, by the golden vectors. Own
    options: ``id`` (two filters in one chain need two), ``stream_hold`` and ``budget``.

    Raises:
        ValueError: an option has no meaning (`tripscope.patterns.PatternError` for a pattern).
    """

    TYPE: ClassVar[str] = "regex-filter"
    name = "Regex Filter"

    def __init__(
        self,
        *,
        rules: Sequence[RegexRule] = (),
        presets: Sequence[str] = (),
        strategy: Strategy = "block",
        phase: Phase = "all",
        include_redacted_values: bool = False,
        stream_carryover_size: int = CARRYOVER,
        stream_hold: StreamHold = "window",
        id: str = DEFAULT_ID,
        budget: Budget = DEFAULT_BUDGET,
    ) -> None:
        self.options = FilterOptions(
            rules=tuple(rules),
            presets=tuple(presets),
            strategy=strategy,
            phase=phase,
            include_redacted_values=include_redacted_values,
            stream_carryover_size=stream_carryover_size,
            stream_hold=stream_hold,
            id=id,
            budget=budget,
        )
        self.id = id
        self.rules = self.options.all_rules
        self._searcher = Searcher(self.rules, self.options.budget)

    @classmethod
    def from_options(cls, options: dict[str, JSON], *, id: str = DEFAULT_ID) -> Self:
        """Make one from its options as files spell them (camelCase; null means the default).

        Raises:
            ValueError: an option has no meaning; notes name the rule it is in.
        """
        return cls(**arguments_from_wire(options), id=id)

    def describe(self) -> dict[str, JSON]:
        """Id, type and options; `from_options` makes the same filter from them."""
        return {"id": self.id, "type": self.TYPE, **self.options.to_wire()}

    @property
    def scans(self) -> Sequence[str]:  # type: ignore[override]
        """Deltas of text; nothing of the stream with phase ``input``."""
        return () if self.options.phase == "input" else ("text-delta",)

    @property
    def block_kinds(self) -> Sequence[str]:
        """See `tripscope.processor.RuleBased`."""
        return () if self.options.phase == "input" else ("text",)

    @property
    def passes_matches(self) -> bool:
        """See `tripscope.processor.RuleBased`."""
        return self.options.strategy == "warn"

    def whole(self, text: str) -> Whole:
        """Apply the rules to a whole text at once, each with the time budget of one call.

        Raises:
            MatchTimeout: a rule's time is used up.
        """
        units = spread(text)
        found = self._searcher.find_at_once(units)
        redacting = self.options.strategy == "redact"
        let_out = redact(units, merge(found))[0] if redacting else text
        matches = tuple((m.rule.name, m.start, m.end) for m in found if m.end > m.start)
        return Whole(let_out, matches)

    async def process_input(self, args: ProcessInputArgs) -> list[Message]:
        """Filter the input messages; skipped with phase ``output``."""
        if self.options.phase == "output":
            return args.messages
        return await self._filter_messages(args, args.messages, "processInput")

    async def process_output_result(self, args: ProcessOutputResultArgs) -> list[Message]:
        """Filter the response messages; skipped with phase ``input``."""
        if self.options.phase == "input":
            return args.messages
        return await self._filter_messages(args, args.messages, "processOutputResult")

    async def process_output_stream(
        self, args: ProcessOutputStreamArgs
    ) -> Chunk | list[Chunk] | None:
        """Filter a text delta; under ``redact`` hold text back; skipped with phase ``input``."""
        if self.options.phase == "input":
            return args.part
        if self.options.strategy == "redact":
            return await self._redact_part(args)
        text = text_of(args.part)
        if text:
            await self._check_delta(args, text)
        return args.part

    async def _filter_messages(
        self, args: HookArgs, messages: list[Message], hook: str
    ) -> list[Message]:
        hits: list[tuple[Place, str, list[Found]]] = []
        for place in texts(messages):
            units = spread(place.text)
            found = await self._find(args, hook, units, place.message.id, place.part)
            if found:
                hits.append((place, units, found))
        if not hits:
            return messages
        if self.options.strategy == "redact":
            return await self._redact_messages(args, messages, hits, hook)
        outcome: Any = "blocked" if self.options.strategy == "block" else "flagged"
        for place, units, found in hits:
            findings.matched(
                args.probe,
                outcome,
                found,
                units,
                with_values=self.options.include_redacted_values,
                message_id=place.message.id,
                part_index=place.part,
            )
        everything = [match for _, _, found in hits for match in found]
        if self.options.strategy == "block":
            self._block(args, everything, "content")
        self._warn(args, f"Matched patterns: {names(everything)}")
        for _, units, found in hits:
            await self._report_warning(found, units)
        return messages

    async def _redact_messages(
        self,
        args: HookArgs,
        messages: list[Message],
        hits: list[tuple[Place, str, list[Found]]],
        hook: str,
    ) -> list[Message]:
        changed: dict[tuple[int, int | None], str] = {}
        for place, units, found in hits:
            text, redactions = redact(units, merge(found))
            changed[id(place.message), place.part] = text
            findings.redacted(
                args.probe,
                redactions,
                units,
                with_values=self.options.include_redacted_values,
                message_id=place.message.id,
                part_index=place.part,
            )
            where = {"message_id": place.message.id} if place.has_id else {}
            await self._report_redactions(hook, redactions, part_index=place.part, **where)
        return rewritten(
            messages,
            lambda place: changed.get((id(place.message), place.part), place.text),
        )

    async def _check_delta(self, args: ProcessOutputStreamArgs, text: str) -> None:
        units = spread(text)
        own = filter_state(args.state)
        self._enter_attempt(own, args)
        offset = own.given
        own.given += len(units)
        own.let_out += len(units)
        found = await self._find(args, "processOutputStream", units)
        if not found:
            return
        block = self.options.strategy == "block"
        findings.matched(
            args.probe,
            "blocked" if block else "flagged",
            found,
            units,
            offset=offset,
            with_values=self.options.include_redacted_values,
        )
        if block:
            self._block(args, found, "streaming content")
        self._warn(args, f"Matched streaming patterns: {names(found)}")
        await self._report_warning(found, units)

    async def _redact_part(self, args: ProcessOutputStreamArgs) -> Chunk | list[Chunk] | None:
        part = args.part
        own = filter_state(args.state)
        self._enter_attempt(own, args)
        if part.type != "text-delta":
            return await self._flush(args, own)
        text = text_of(part)
        if not text:
            return part
        if not own.held:
            own.first = part
        units = spread(text)
        own.given += len(units)
        own.held = held = own.held + units
        end = len(held) - self.options.stream_carryover_size
        if end <= 0:
            args.probe.held(len(held))
            return None
        found = await self._find(args, "processOutputStream", held)
        regions = merge(found)
        for region in regions:
            if region.start < end < region.end:
                end = region.start
        new = await self._let_out(args, own, end, [r for r in regions if r.end <= end])
        return with_text(part, new) if new else None

    async def _flush(self, args: ProcessOutputStreamArgs, own: FilterState) -> Chunk | list[Chunk]:
        part = args.part
        first = own.first
        if not own.held or first is None:
            if part.type == "text-start":
                own.new_block()
            return part
        found = await self._find(args, "processOutputStream", own.held)
        text = await self._let_out(args, own, len(own.held), merge(found))
        own.first = None
        if part.type == "text-start":
            own.new_block()
        return [with_text(first, text), part]

    async def _let_out(
        self, args: ProcessOutputStreamArgs, own: FilterState, end: int, regions: list[Any]
    ) -> str:
        units = own.held[:end]
        start = own.given - len(own.held)
        text, redactions = redact(units, regions)
        findings.redacted(
            args.probe,
            redactions,
            units,
            offset=start,
            with_values=self.options.include_redacted_values,
        )
        args.probe.emit(list(findings.intervals(redactions, end, given=start, let_out=own.let_out)))
        own.held = own.held[end:]
        own.let_out += len(spread(text))
        args.probe.held(len(own.held))
        await self._report_redactions("processOutputStream", redactions)
        return text

    def _enter_attempt(self, own: FilterState, args: ProcessOutputStreamArgs) -> None:
        """Drop what a rejected attempt left: it is no part of the text that follows."""
        part = args.part
        rejected = own.attempt != args.retry_count
        if part.type == "step-finish" and getattr(part.payload, "reason", None) == "retry":
            rejected = True
        if rejected:
            own.attempt = args.retry_count
            own.held, own.first = "", None
            own.new_block()
            args.probe.held(0)

    async def _find(
        self,
        args: HookArgs,
        hook: str,
        units: str,
        message_id: str | None = None,
        part_index: int | None = None,
    ) -> list[Found]:
        try:
            return await self._searcher.find_patiently(
                Views(units), filter_state(args.state).ledger
            )
        except BudgetUsedUp as over:
            args.probe.finding(
                over.rule.name,
                0,
                over.units,
                "timed-out",
                message_id=message_id,
                part_index=part_index,
            )
            if self.options.strategy != "warn":
                raise HookTimeout(str(over), processor_id=self.id, hook=hook) from over
            args.probe.warning(str(over), {"rule": over.rule.name, "units": over.units})
            return []

    def _block(self, args: HookArgs, found: Sequence[Found], what: str) -> NoReturn:
        args.abort(
            f"Regex filter: blocked {what} matching patterns: {names(found)}",
            retry=False,
            metadata={"processorId": self.id, "matches": match_list(found), "strategy": "block"},
        )

    def _warn(self, args: HookArgs, line: str) -> None:
        args.probe.warning(f"[RegexFilterProcessor] {line}")
        _LOG.warning("[RegexFilterProcessor] %s", line)

    async def _report_warning(self, found: Sequence[Found], units: str) -> None:
        if self.on_violation is None:
            return
        shown = units if self.options.include_redacted_values else None
        detail: JSON = {"strategy": "warn", "matches": match_list(found, shown)}
        message = f"Regex filter: matched patterns: {names(found)}"
        await tell(self.on_violation, Violation(self.id, message, detail))

    async def _report_redactions(
        self, phase: str, redactions: Sequence[Redaction], **where: Any
    ) -> None:
        if self.on_violation is None or not redactions:
            return
        detail = redaction_detail(
            phase, redactions, with_values=self.options.include_redacted_values, **where
        )
        message = redaction_message(redactions)
        await tell(self.on_violation, Violation(self.id, message, detail))
