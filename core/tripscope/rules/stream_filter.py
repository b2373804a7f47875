"""The half of a filter that works on a stream of text deltas."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeAlias

from tripscope.chunks import Chunk
from tripscope.patterns.units import spread, utf16_len
from tripscope.processor import ProcessOutputStreamArgs
from tripscope.rules import findings
from tripscope.rules.budget import BudgetUsedUp, TooSlow
from tripscope.rules.carryover import FilterState, is_rejection, with_text
from tripscope.rules.folds import Views
from tripscope.rules.matcher import Span
from tripscope.rules.redaction import Redaction, redact
from tripscope.rules.regions import merge
from tripscope.rules.reporting import Reporter
from tripscope.rules.window import Decision, Window

HOOK: Final = "processOutputStream"
Answer: TypeAlias = Chunk | list[Chunk] | None


class StreamFilter:
    """Blocks, redacts or flags the text deltas of a stream, in the name of a processor.

    Methods that mostly need not wait return their answer, or a coroutine that gives it.
    """

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._options = reporter.options
        self._searcher = reporter.searcher
        self._alarm_char: str | None = None
        self._alarm: Callable[[str], object] | None = None
        self._window = Window(reporter.searcher, reporter.options.stream_carryover_size)
        self._size = reporter.options.stream_carryover_size

    # -- block and warn: each delta by itself ------------------------------------------------------

    def check(
        self, args: ProcessOutputStreamArgs, own: FilterState, text: str
    ) -> Answer | Coroutine[Any, Any, Answer]:
        """Look at one delta with text and let it out, or not at all."""
        units = utf16_len(text)
        own.given += units
        own.let_out += units
        if self._searcher.prefilter.may_match(text):
            return self._check(args, own.given - units, text)
        return args.part

    async def _check(self, args: ProcessOutputStreamArgs, offset: int, text: str) -> Answer:
        units = spread(text)
        found = await self._reporter.find(args, HOOK, Views(units), offset=offset)
        if not found:
            return args.part
        block = self._options.strategy == "block"
        findings.matched(
            args.probe,
            "blocked" if block else "flagged",
            found,
            units,
            offset=offset,
            with_values=self._options.include_redacted_values,
        )
        if block:
            self._reporter.block(args, found, "streaming content")
        await self._reporter.warn(args, "Matched streaming patterns", [(units, found)])
        return args.part

    # -- redact: hold text back --------------------------------------------------------------------

    def take(
        self, args: ProcessOutputStreamArgs, own: FilterState, text: str
    ) -> Answer | Coroutine[Any, Any, Answer]:
        """Take in a delta with text and let out what no match can reach any more."""
        units = text if text.isascii() else spread(text)
        at = own.at
        end = at + len(units)
        char = self._alarm_char
        if (
            end > own.safe
            or (char is not None and char in units)
            or (self._alarm is not None and self._alarm(units))
        ):
            if not self._nothing_matches(own, units):
                return self._take_in(args, own, units)
            at, end = 0, len(units)
        else:
            own.pieces.append(units)
        # As many units go out as came in, and no match can begin in them.
        own.at = end
        probe = args.probe
        if not getattr(probe, "silent", False):
            given, start = own.given - self._size, own.let_out
            probe.emit([(given + at, given + end, start + at, start + end, None)])
        probe.held(self._size)
        return with_text(args.part, own.held[at:end])

    def _nothing_matches(self, own: FilterState, units: str) -> bool:
        """Whether no rule can match what is held with ``units`` behind it; adds them if so.

        False also where more than usual is held, or less.
        """
        if own.size != self._size or (own.pieces and not own.at):
            return False
        held = own.held[own.at :] + "".join(own.pieces) + units
        prefilter = self._searcher.prefilter
        if prefilter.may_match(held):
            return False
        own.given += own.at
        own.let_out += own.at
        own.held = held
        own.pieces = []
        own.safe = len(held) - self._window.undecided
        self._alarm_char, self._alarm = prefilter.alarm_char, prefilter.alarm
        return True

    def _take_in(
        self, args: ProcessOutputStreamArgs, own: FilterState, units: str
    ) -> Answer | Coroutine[Any, Any, Answer]:
        if own.at:
            own.joined()
        count = len(units)
        if own.size == self._size and not own.pieces:
            own.held += units
            own.size += count
            own.given += count
            return self._decide(args, own)
        if self._size < own.size + count < own.wait:
            own.pieces.append(units)
            own.size += count
            own.given += count
            args.probe.held(own.size)
            return None
        return self._hold(args, own, units)

    def _hold(
        self, args: ProcessOutputStreamArgs, own: FilterState, units: str
    ) -> Answer | Coroutine[Any, Any, Answer]:
        own.take_in(args.part, units)
        if own.size <= self._size or own.size < own.wait or self._window.still_grows(own):
            args.probe.held(own.size)
            return None
        return self._decide(args, own)

    def _decide(
        self, args: ProcessOutputStreamArgs, own: FilterState
    ) -> Answer | Coroutine[Any, Any, Answer]:
        try:
            decision = self._window.decide(own)
        except TooSlow as slow:
            return self._decide_patiently(args, own, slow)
        except BudgetUsedUp as over:
            self._reporter.timed_out(args, HOOK, over, offset=own.given - own.size)
            raise
        text, redactions = self._let_out(args, own, decision)
        out = with_text(args.part, text) if text else None
        if redactions and self._reporter.owner.on_violation is not None:
            return self._after_report(redactions, out)
        return out

    async def _decide_patiently(
        self, args: ProcessOutputStreamArgs, own: FilterState, slow: TooSlow
    ) -> Answer:
        known: dict[int, list[Span]] = {}
        try:
            while True:
                known[slow.place] = await self._reporter.searcher.in_thread(
                    slow.place, Views(own.joined()), own.ledger
                )
                try:
                    decision = self._window.decide(own, known)
                    break
                except TooSlow as another:
                    slow = another
        except BudgetUsedUp as over:
            self._reporter.timed_out(args, HOOK, over, offset=own.given - own.size)
            raise
        text, redactions = self._let_out(args, own, decision)
        return await self._after_report(redactions, with_text(args.part, text) if text else None)

    async def _after_report(self, redactions: list[Redaction], answer: Answer) -> Answer:
        await self._reporter.redacted(HOOK, redactions)
        return answer

    def pass_by(
        self, args: ProcessOutputStreamArgs, own: FilterState
    ) -> Answer | Coroutine[Any, Any, Answer]:
        """Let a part that is no text delta pass, behind all that is held."""
        part = args.part
        if is_rejection(part):
            self.enter(args, own)
        if own.size:
            return self._flush(args, own)
        if part.type == "text-start":
            own.new_block()
        return part

    async def _flush(self, args: ProcessOutputStreamArgs, own: FilterState) -> Answer:
        part, first = args.part, own.first
        units = own.joined()
        offset = own.given - own.size
        found = await self._reporter.find(args, HOOK, Views(units), offset=offset)
        text, redactions = self._let_out(args, own, Decision(len(units), merge(found)))
        own.drop()
        if part.type == "text-start":
            own.new_block()
        await self._reporter.redacted(HOOK, redactions)
        return [with_text(first or part, text), part]

    def _let_out(
        self, args: ProcessOutputStreamArgs, own: FilterState, decision: Decision
    ) -> tuple[str, list[Redaction]]:
        start = own.given - own.size
        units = own.cut(decision.end)
        prefilter = self._searcher.prefilter
        self._alarm_char, self._alarm = prefilter.alarm_char, prefilter.alarm
        text, redactions = redact(units, decision.regions)
        probe = args.probe
        if redactions or not findings.is_silent(probe):
            findings.redacted(
                probe,
                redactions,
                units,
                offset=start,
                with_values=self._options.include_redacted_values,
            )
            told = findings.intervals(redactions, decision.end, given=start, let_out=own.let_out)
            probe.emit(list(told))
        probe.held(own.size)
        own.let_out += utf16_len(text)
        return text, redactions

    def enter(self, args: ProcessOutputStreamArgs, own: FilterState) -> None:
        """Drop what a rejected attempt left: it is no part of the text that follows."""
        own.attempt = args.retry_count
        own.drop()
        own.new_block()
        args.probe.held(0)
