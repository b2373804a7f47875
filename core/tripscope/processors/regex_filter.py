"""RegexFilterProcessor: patterns that block, redact or flag text, in messages and in the stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from tripscope.chunks import Chunk, Delta
from tripscope.messages import Message
from tripscope.patterns.units import spread
from tripscope.processor import (
    MaybeAwaitable,
    ProcessInputArgs,
    Processor,
    ProcessOutputResultArgs,
    ProcessOutputStreamArgs,
    Whole,
)
from tripscope.rules.budget import DEFAULT_BUDGET, Budget
from tripscope.rules.carryover import STATE_KEY, FilterState, filter_state, text_of
from tripscope.rules.hold.stream import HoldStream
from tripscope.rules.message_filter import MessageFilter
from tripscope.rules.options import (
    CARRYOVER,
    DEFAULT_ID,
    FilterOptions,
    Phase,
    Strategy,
    StreamHold,
    arguments_from_wire,
)
from tripscope.rules.redaction import redact
from tripscope.rules.regions import merge
from tripscope.rules.reporting import Reporter
from tripscope.rules.rule import RegexRule
from tripscope.rules.search import Searcher
from tripscope.rules.stream_filter import StreamFilter
from tripscope.wire import JSON


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
        reporter = Reporter(self, self._searcher)
        self._messages = MessageFilter(reporter)
        self._stream = StreamFilter(reporter)
        self._hold = HoldStream(reporter) if stream_hold == "complete" else None
        self._redacts = strategy == "redact"
        self._stream_is_off = phase == "input"

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

    def prepare(self) -> None:
        """Work out now what the first text would wait for: a second for thousands of rules.

        Filters with the same rules share it; a host may have it done in a thread.
        """
        _ = self._searcher.prefilter

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
        """Apply the rules to a whole text at once, each with the time budget of one search.

        Raises:
            MatchTimeout: a rule's time is used up.
        """
        units = spread(text)
        found = self._searcher.find_at_once(units)
        redacting = self.options.strategy == "redact"
        let_out = redact(units, merge(found))[0] if redacting else text
        matches = tuple((m.rule.name, m.start, m.end) for m in found if m.end > m.start)
        return Whole(let_out, matches)

    def process_input(self, args: ProcessInputArgs) -> MaybeAwaitable[list[Message]]:
        """Filter the input messages; skipped with phase ``output``."""
        if self.options.phase == "output" or not self._messages.may_match(args.messages):
            return args.messages
        return self._messages.run(args, args.messages, "processInput")

    def process_output_result(self, args: ProcessOutputResultArgs) -> MaybeAwaitable[list[Message]]:
        """Filter the response messages; skipped with phase ``input``."""
        if self.options.phase == "input" or not self._messages.may_match(args.messages):
            return args.messages
        return self._messages.run(args, args.messages, "processOutputResult")

    def process_output_stream(
        self, args: ProcessOutputStreamArgs
    ) -> MaybeAwaitable[Chunk | list[Chunk] | None]:
        """Filter a text delta; under ``redact`` hold text back; skipped with phase ``input``."""
        part = args.part
        if self._stream_is_off:
            return part
        if self._hold is not None:
            return self._hold.run(args)
        own = args.state.get(STATE_KEY)
        if type(own) is not FilterState:
            own = filter_state(args.state)
        if own.attempt != args.retry_count:
            self._stream.enter(args, own)
        if part.type != "text-delta":
            return self._stream.pass_by(args, own)
        payload = part.payload
        text = payload.text if type(payload) is Delta else text_of(part)
        if not text:
            return part
        return (
            self._stream.take(args, own, text)
            if self._redacts
            else self._stream.check(args, own, text)
        )
