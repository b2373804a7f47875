"""What filters share: finding with time budgets, and telling of it on all ways at once."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn, Protocol

from tripscope.errors import HookTimeout
from tripscope.processor import HookArgs, OnViolation, Violation, tell
from tripscope.rules.budget import BudgetUsedUp
from tripscope.rules.carryover import filter_state
from tripscope.rules.folds import Views
from tripscope.rules.options import FilterOptions
from tripscope.rules.redaction import Redaction
from tripscope.rules.regions import Found
from tripscope.rules.report import match_list, names, redaction_detail, redaction_message
from tripscope.rules.search import Searcher

_LOG: Final = logging.getLogger("tripscope.rules")


class Owner(Protocol):
    """The processor in whose name a filter acts."""

    id: str
    on_violation: OnViolation | None
    options: FilterOptions


class Reporter:
    """Searches and reports for one filter."""

    def __init__(self, owner: Owner, searcher: Searcher) -> None:
        self.owner = owner
        self.options = owner.options
        self.searcher = searcher

    async def find(
        self,
        args: HookArgs,
        hook: str,
        views: Views,
        *,
        offset: int = 0,
        message_id: str | None = None,
        part_index: int | None = None,
    ) -> list[Found]:
        """All matches; none, with a warning, if a ``warn`` filter could not check.

        ``offset``: place of the text in its block.

        Raises:
            HookTimeout: a filter that must not let unchecked text pass could not check.
        """
        try:
            return await self.searcher.find_patiently(views, filter_state(args.state).ledger)
        except BudgetUsedUp as over:
            where = {"message_id": message_id, "part_index": part_index}
            self.timed_out(args, hook, over, offset=offset, **where)
            return []

    def timed_out(
        self, args: HookArgs, hook: str, over: BudgetUsedUp, *, offset: int = 0, **where: Any
    ) -> None:
        """Record that a rule was not checked on the text at ``offset`` of its block.

        Raises:
            HookTimeout: unless the strategy is ``warn``.
        """
        args.probe.finding(over.rule.name, offset, offset + over.units, "timed-out", **where)
        if self.options.strategy != "warn":
            raise HookTimeout(str(over), processor_id=self.owner.id, hook=hook) from over
        args.probe.warning(
            str(over), {"rule": over.rule.name, "start": offset, "units": over.units}
        )

    def block(self, args: HookArgs, found: Sequence[Found], what: str) -> NoReturn:
        """Abort; ``what`` was blocked."""
        args.abort(
            f"Regex filter: blocked {what} matching patterns: {names(found)}",
            retry=False,
            metadata={
                "processorId": self.owner.id,
                "matches": match_list(found),
                "strategy": "block",
            },
        )

    async def warn(
        self, args: HookArgs, what: str, texts: Iterable[tuple[str, Sequence[Found]]]
    ) -> None:
        """One line of warning, and one report for each text (its units, its matches)."""
        texts = list(texts)
        line = f"[RegexFilterProcessor] {what}: {names(m for _, found in texts for m in found)}"
        args.probe.warning(line)
        _LOG.warning("%s", line)
        if self.owner.on_violation is None:
            return
        for units, found in texts:
            shown = units if self.options.include_redacted_values else None
            detail = {"strategy": "warn", "matches": match_list(found, shown)}
            message = f"Regex filter: matched patterns: {names(found)}"
            await tell(self.owner.on_violation, Violation(self.owner.id, message, detail))

    async def redacted(self, phase: str, redactions: Sequence[Redaction], **where: Any) -> None:
        """Report what was replaced in one text, if anything was."""
        if self.owner.on_violation is None or not redactions:
            return
        detail = redaction_detail(
            phase, redactions, with_values=self.options.include_redacted_values, **where
        )
        message = redaction_message(redactions)
        await tell(self.owner.on_violation, Violation(self.owner.id, message, detail))
