"""AnswerCheck: a pattern that an answer must match, or must not; else the model is asked again."""

from __future__ import annotations

from typing import ClassVar, Final, Self

from tripscope.errors import HookTimeout
from tripscope.options import given_options
from tripscope.patterns.units import spread
from tripscope.processor import Processor, ProcessOutputStepArgs
from tripscope.rules.budget import DEFAULT_BUDGET, Budget, BudgetUsedUp
from tripscope.rules.carryover import filter_state
from tripscope.rules.folds import Views
from tripscope.rules.rule import RegexRule
from tripscope.rules.search import Searcher
from tripscope.wire import JSON

DEFAULT_ID: Final = "answer-check"
_KEYS: Final = ("pattern", "flags", "mustMatch", "reason")


class AnswerCheck(Processor):
    """Rejects a response whose text does (or does not) match, with a reason as feedback.

    Args:
        pattern: a JavaScript pattern.
        flags: its flags.
        must_match: whether the text has to match, or must not. A response that calls tools is no
            answer yet and need not match.
        reason: what the model is told; made from the pattern if None.
        id: the processor's id.
        budget: how long the pattern may search.

    Raises:
        ValueError: an option has no meaning (`tripscope.patterns.PatternError` for the pattern).
    """

    TYPE: ClassVar[str] = "answer-check"
    scans = ("text-delta",)
    name = "Answer Check"

    def __init__(
        self,
        *,
        pattern: str,
        flags: str = "",
        must_match: bool = True,
        reason: str | None = None,
        id: str = DEFAULT_ID,
        budget: Budget = DEFAULT_BUDGET,
    ) -> None:
        if not isinstance(must_match, bool):
            raise ValueError(f"{self.TYPE}: mustMatch is true or false, not {must_match!r:.60}")
        if not (reason is None or isinstance(reason, str)):
            raise ValueError(f"{self.TYPE}: reason must be a string, not {reason!r:.60}")
        self.id = id
        self.must_match = must_match
        self.reason = reason
        self._rule = RegexRule(id, pattern, flags)
        self._searcher = Searcher((self._rule,), budget)

    @classmethod
    def from_options(cls, options: dict[str, JSON], *, id: str = DEFAULT_ID) -> Self:
        """Make one from its options as files spell them; null means the default.

        Raises:
            ValueError: there is no pattern, or an option has no meaning.
        """
        given = given_options(options, _KEYS, cls.TYPE)
        if "pattern" not in given:
            raise ValueError(f"{cls.TYPE} needs a pattern")
        if "mustMatch" in given:
            given["must_match"] = given.pop("mustMatch")
        return cls(**given, id=id)

    def describe(self) -> dict[str, JSON]:
        """Id, type and options."""
        return {
            "id": self.id,
            "type": self.TYPE,
            "pattern": self._rule.pattern,
            "flags": self._rule.flags,
            "mustMatch": self.must_match,
            **({} if self.reason is None else {"reason": self.reason}),
        }

    async def process_output_step(self, args: ProcessOutputStepArgs) -> None:
        """Ask for another attempt unless the text of this response is as it must be."""
        if self.must_match and args.tool_calls:
            return
        try:
            found = await self._searcher.find_patiently(
                Views(spread(args.text)), filter_state(args.state).ledger
            )
        except BudgetUsedUp as over:
            args.probe.finding(self.id, 0, over.units, "timed-out")
            raise HookTimeout(str(over), processor_id=self.id, hook="processOutputStep") from over
        if bool(found) == self.must_match:
            return
        for match in found:
            args.probe.finding(self.id, match.start, match.end, "blocked")
        args.abort(self.reason or self._told(), retry=True, metadata={"pattern": str(self)})

    def _told(self) -> str:
        verb = "does not match" if self.must_match else "matches"
        return f"the answer {verb} {self}"

    def __str__(self) -> str:
        return f"/{self._rule.shown_source}/{self._rule.shown_flags}"
