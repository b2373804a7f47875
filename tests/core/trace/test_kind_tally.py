"""Kinds of parts, counted as events come."""

import pytest

from tests.support.example_runs import example_events
from tests.support.made_events import HOOK, Events
from tripscope.chunks import Chunk
from tripscope.trace.events import Delivered, HookCalled, ModelChunk
from tripscope.trace.kind_tally import KindTally


def part(kind: str, payload: object) -> Chunk:
    return Chunk.from_wire({"type": kind, "runId": "r", "from": "AGENT", "payload": payload})


def called(events: Events, processor: str, given: Chunk, index: int) -> None:
    events.put(
        HookCalled, hook=HOOK, processor=processor, duration=1, outcome="pass", part=given,
        index=index,
    )  # fmt: skip


def test_a_part_counts_once_however_many_processors_it_went_through() -> None:
    events = Events()
    results = [
        part("tool-result", {"toolCallId": f"t{n}", "toolName": "x", "result": "r"})
        for n in range(3)
    ]
    for index, result in enumerate(results):
        for processor in ("a", "b"):
            called(events, processor, result, index)
        events.put(Delivered, chunk=result, index=index)
    note = Chunk.from_wire({"type": "data-note", "data": {"a": 1}})
    events.put(Delivered, chunk=note, index=None)
    tally = KindTally(events.all)
    assert tally.counts == {"tool-result": 3, "data-note": 1}
    assert tally.first["tool-result"][2] == 0
    assert tally.started is events.all[0]


def test_parts_of_the_model_that_enter_no_chain_count_one_by_one() -> None:
    events = Events()
    for text in ("a", "b"):
        delta = part("text-delta", {"id": "t", "text": text})
        events.put(ModelChunk, chunk=delta, index=None, call=0)
    assert KindTally(events.all).counts == {"text-delta": 2}


@pytest.mark.parametrize("name", ["support-agent", "tool-loop", "half-an-address"])
def test_event_by_event_gives_the_same(name: str) -> None:
    whole, grown = KindTally(example_events(name)), KindTally()
    for event in example_events(name):
        grown.extend((event,))
    assert grown.counts == whole.counts
    assert grown.first == whole.first
    assert whole.counts["text-delta"] > 3
