"""A string of a tool's result as it goes through the processors that look at tool results."""

from __future__ import annotations

from collections.abc import Sequence

from tripscope.trace.blocks import Block
from tripscope.trace.events import FindingMade, HookCalled
from tripscope.trace.flows import Flow
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.calls import STOPPING
from tripscope_gui.store.followed import Followed, ToolSource
from tripscope_gui.store.given_text import GivenTexts
from tripscope_gui.store.text_replacing import intervals_between, replaced_text


def follow_tool(
    store: RunStore, source: ToolSource, findings: Sequence[FindingMade]
) -> Followed | None:
    """Put its block together out of the findings in it; None if the run doesn't have it."""
    text = GivenTexts(store).of(findings[0]) if findings else None
    if text is None:
        return None
    block = Block((source.step, source.attempt, "message", source.call), closed=True)
    block.model.add(0, text)
    cuts: dict[str, HookCalled] = {}
    for processor in dict.fromkeys(finding.processor or "" for finding in findings):
        made = [finding for finding in findings if finding.processor == processor]
        flow = Flow(processor, probed=True)
        flow.given.add(0, text)
        block.flows.append(flow)
        call = _ended_by(store, source, made)
        if call is not None:
            flow.refused = flow.given.length
            cuts[processor] = call
            break
        after = replaced_text(text, made)
        flow.out.add(0, after)
        flow.intervals.extend(intervals_between(text, after, made))
        text = after
    block.delivered.add(0, block.flows[-1].out.text)
    return Followed(source, block, findings, cuts, "tool")


def _ended_by(
    store: RunStore, source: ToolSource, findings: Sequence[FindingMade]
) -> HookCalled | None:
    """The call that let nothing of it through, if there is one."""
    last = findings[-1]
    tally = store.calls.tallies.get((last.processor or "", source.hook))
    for seq in tally.seqs if tally is not None else ():
        event = store.event(seq)
        if seq > last.seq and isinstance(event, HookCalled):
            return event if event.outcome in STOPPING else None
    return None
