"""The half of a filter that works on whole messages."""

from __future__ import annotations

from tripscope.messages import Content, Message, TextPart
from tripscope.patterns.units import spread
from tripscope.processor import HookArgs, Outcome
from tripscope.rules import findings
from tripscope.rules.folds import Views
from tripscope.rules.message_texts import Place, rewritten, texts
from tripscope.rules.redaction import redact
from tripscope.rules.regions import Found, merge
from tripscope.rules.reporting import Reporter

_Hit = tuple[Place, str, list[Found]]


class MessageFilter:
    """Blocks, redacts or flags the texts of messages, in the name of a processor."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._options = reporter.options
        self._searcher = reporter.searcher

    def may_match(self, messages: list[Message]) -> bool:
        """Whether anything has to be searched; False is certain."""
        may_match = self._searcher.prefilter.may_match
        for message in messages:
            content = message.content
            if isinstance(content, Content):
                for part in content.parts:
                    if type(part) is TextPart and may_match(part.text):
                        return True
            elif isinstance(content, str) and may_match(content):
                return True
        return False

    async def run(self, args: HookArgs, messages: list[Message], hook: str) -> list[Message]:
        """The messages, or under ``redact`` copies with the matches replaced.

        Raises:
            TripWire: something matched under ``block``.
            HookTimeout: see `Reporter.find`.
        """
        hits: list[_Hit] = []
        for place in texts(messages):
            units = spread(place.text)
            if not self._searcher.prefilter.may_match(units):
                continue
            found = await self._reporter.find(
                args, hook, Views(units), message_id=place.message.id, part_index=place.part
            )
            if found:
                hits.append((place, units, found))
        if not hits:
            return messages
        if self._options.strategy == "redact":
            return await self._redact(args, messages, hits, hook)
        self._tell_findings(args, hits)
        if self._options.strategy == "block":
            self._reporter.block(
                args, [match for _, _, found in hits for match in found], "content"
            )
        await self._reporter.warn(
            args, "Matched patterns", [(units, found) for _, units, found in hits]
        )
        return messages

    def _tell_findings(self, args: HookArgs, hits: list[_Hit]) -> None:
        outcome: Outcome = "blocked" if self._options.strategy == "block" else "flagged"
        for place, units, found in hits:
            findings.matched(
                args.probe,
                outcome,
                found,
                units,
                with_values=self._options.include_redacted_values,
                message_id=place.message.id,
                part_index=place.part,
            )

    async def _redact(
        self, args: HookArgs, messages: list[Message], hits: list[_Hit], hook: str
    ) -> list[Message]:
        changed: dict[tuple[int, int | None], str] = {}
        for place, units, found in hits:
            text, redactions = redact(units, merge(found))
            changed[id(place.message), place.part] = text
            findings.redacted(
                args.probe,
                redactions,
                units,
                with_values=self._options.include_redacted_values,
                message_id=place.message.id,
                part_index=place.part,
            )
            where = {"message_id": place.message.id} if place.has_id else {}
            await self._reporter.redacted(hook, redactions, part_index=place.part, **where)
        return rewritten(
            messages,
            lambda place: changed.get((id(place.message), place.part), place.text),
        )
