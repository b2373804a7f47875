"""One block's pieces sent through a changed chain, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tripscope.context import Pace
from tripscope.errors import SessionError
from tripscope.patterns import MatchTimeout
from tripscope.processor import RuleBased
from tripscope.session.build import build_chain
from tripscope.session.model import Session
from tripscope.trace.blocks import BlockCollector
from tripscope.trace.events import AnyEvent, HookCalled
from tripscope.trace.leaks import leaks_among
from tripscope.trace.rechunk import passage_events


class Tried(Struct, frozen=True):
    """What came of one passage. ``leaked``, ``wrong``: UTF-16 units; ``held``: at most at once."""

    leaked: int
    joined: bool
    tripped: bool
    held: int

    @property
    def good(self) -> bool:
        """Whether nothing leaves that must not."""
        return not self.leaked and (self.joined or self.tripped)


class Trial:
    """A block of a run, to be sent through other chains; what ``processor`` lets out is judged.

    Args:
        pieces: of the model's text, as they came.
        processor: a filter.
        rule: only units of its matches count; None: of any rule's.
        pace: awaited after each piece.
    """

    def __init__(
        self, pieces: Sequence[str], processor: str, rule: str | None, pace: Pace | None
    ) -> None:
        self._pieces, self._processor, self._rule, self._pace = pieces, processor, rule, pace

    async def run(self, session: Session) -> Tried | None:
        """None: the chain cannot be built, the processor does not look, or something raised."""
        try:
            chain = build_chain(session.chain).output
        except SessionError:
            return None
        rules = next((p for p in chain if getattr(p, "id", "") == self._processor), None)
        if not isinstance(rules, RuleBased) or "text" not in rules.block_kinds:
            return None
        events = await passage_events(self._pieces, chain, name="trial", pace=self._pace)
        return self._judge(events, rules)

    def _judge(self, events: Sequence[AnyEvent], rules: RuleBased) -> Tried | None:
        held, outcomes = 0, set()
        for event in events:
            if isinstance(event, HookCalled) and event.processor == self._processor:
                held = max(held, event.held or 0)
                outcomes.add(event.outcome)
        if outcomes & {"errored", "timed-out"}:
            return None
        tripped = "blocked" in outcomes
        leaked, joined = 0, True
        for block in BlockCollector(events).blocks.values():
            for flow in block.flows:
                if flow.processor != self._processor:
                    continue
                try:
                    whole = rules.whole(flow.given.text)
                except MatchTimeout:
                    return None
                out = flow.out.text
                joined = joined and (whole.text.startswith(out) if block.cut else whole.text == out)
                if rules.passes_matches:
                    continue
                leaked += sum(
                    end - start
                    for leak in leaks_among(whole.matches, block, flow)
                    if self._rule in (None, leak.rule)
                    for start, end in leak.out
                )
        return Tried(leaked, joined, tripped, held)
