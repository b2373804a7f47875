"""RedactToolResult: what tools return, with the matches of rules replaced."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Self

from tripscope.errors import HookTimeout
from tripscope.patterns.units import spread
from tripscope.processor import Processor, ProcessToolResultArgs, Violation, tell
from tripscope.rules import findings
from tripscope.rules.budget import DEFAULT_BUDGET, Budget, BudgetUsedUp
from tripscope.rules.carryover import filter_state
from tripscope.rules.folds import Views
from tripscope.rules.options import FilterOptions, arguments_from_wire
from tripscope.rules.redaction import redact
from tripscope.rules.regions import merge
from tripscope.rules.report import redaction_detail, redaction_message
from tripscope.rules.rule import RegexRule
from tripscope.rules.search import Searcher
from tripscope.tool_texts import item_path, structure_of
from tripscope.wire import JSON

DEFAULT_ID: Final = "redact-tool-result"
HOOK: Final = "processToolResult"


class RedactToolResult(Processor):
    """Replaces the matches of rules in every string of a tool's result.

    Keys, numbers and the structure stay as they are, and so does the tool call itself. A string
    that holds a JSON object or array is treated as the structure that it spells, so that it stays
    JSON. The changed result is what the model, the client and later processors see.

    Args:
        rules: own rules.
        presets: names of rule sets, applied before the own rules.
        include_redacted_values: whether reports show what was replaced.
        id: the processor's id.
        budget: how long each rule may search.

    Raises:
        ValueError: no rules, or an option has no meaning.
    """

    TYPE: ClassVar[str] = "redact-tool-result"
    scans = ("tool-result",)
    name = "Redact Tool Result"

    def __init__(
        self,
        *,
        rules: Sequence[RegexRule] = (),
        presets: Sequence[str] = (),
        include_redacted_values: bool = False,
        id: str = DEFAULT_ID,
        budget: Budget = DEFAULT_BUDGET,
    ) -> None:
        self.options = FilterOptions(
            processor=type(self).__name__,
            rules=tuple(rules),
            presets=tuple(presets),
            strategy="redact",
            include_redacted_values=include_redacted_values,
            id=id,
            budget=budget,
        )
        self.id = id
        self.rules = self.options.all_rules
        self._searcher = Searcher(self.rules, self.options.budget)

    @classmethod
    def from_options(cls, options: dict[str, JSON], *, id: str = DEFAULT_ID) -> Self:
        """Make one from its options as files spell them; null means the default.

        Raises:
            ValueError: an option has no meaning; the message names the rule it is in.
        """
        keys = ("rules", "presets", "includeRedactedValues")
        return cls(**arguments_from_wire(options, keys, cls.TYPE), id=id)

    def describe(self) -> dict[str, JSON]:
        """Id, type and options."""
        wire = self.options.to_wire()
        keys = ("presets", "rules", "includeRedactedValues")
        return {"id": self.id, "type": self.TYPE} | {k: wire[k] for k in keys if k in wire}

    async def process_tool_result(self, args: ProcessToolResultArgs) -> None:
        """Put the redacted result into the message list, if anything in it matched."""
        try:
            new = await self._redacted(args, args.result, "")
        except BudgetUsedUp as over:
            args.probe.finding(over.rule.name, 0, over.units, "timed-out")
            raise HookTimeout(str(over), processor_id=self.id, hook=HOOK) from over
        if new is not args.result:
            invocation = {
                "state": "result",
                "toolCallId": args.tool_call_id,
                "toolName": args.tool_name,
                "args": args.args,
                "result": new,
            }
            args.message_list.update_tool_invocation(
                {"type": "tool-invocation", "toolInvocation": invocation}
            )

    async def _redacted(self, args: ProcessToolResultArgs, value: Any, path: str) -> Any:
        """``value`` itself where nothing matches, else a copy of what is on the way to a match."""
        if isinstance(value, str):
            return await self._redacted_text(args, value, path)
        if isinstance(value, dict):
            pairs = {
                key: await self._redacted(args, item, item_path(path, key))
                for key, item in value.items()
            }
            return pairs if any(pairs[key] is not value[key] for key in value) else value
        if isinstance(value, list | tuple):
            items = [
                await self._redacted(args, item, f"{path}[{place}]")
                for place, item in enumerate(value)
            ]
            return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
        return value

    async def _redacted_text(self, args: ProcessToolResultArgs, text: str, path: str) -> str:
        structure = structure_of(text)
        if structure is not None:
            new = await self._redacted(args, structure, path)
            return text if new is structure else json.dumps(new, ensure_ascii=False)
        units = spread(text)
        found = await self._searcher.find_patiently(Views(units), filter_state(args.state).ledger)
        regions = merge(found)
        if not regions:
            return text
        with_values = self.options.include_redacted_values
        redacted, redactions = redact(units, regions)
        findings.redacted(
            args.probe,
            redactions,
            units,
            with_values=with_values,
            tool_call_id=args.tool_call_id,
            path=path,
        )
        if self.on_violation is not None:
            detail = redaction_detail(HOOK, redactions, with_values=with_values)
            detail |= {"toolCallId": args.tool_call_id, "path": path}
            message = redaction_message(redactions)
            await tell(self.on_violation, Violation(self.id, message, detail))
        return redacted
