"""A call of a hook on record: what entered, what came out, as exact copies, and its outcome."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engine import agent, read, text
from tests.support.traced import STREAM, in_stream, on_delta, shout, stream_calls, traced, unchanged
from tripscope.chunks import Chunk, Delta
from tripscope.errors import HookTimeout
from tripscope.trace.events import Delivered, ModelChunk
from tripscope.trace.recorder import EventLog


async def test_every_call_is_on_record_also_one_that_changed_nothing() -> None:
    log = await traced(in_stream(unchanged, "Hel", "lo", names="ab"))
    parts = ["step-start", "text-start", "text-delta", "text-delta", "text-end", "finish"]
    parts.append("step-finish")
    for name in "ab":
        events = stream_calls(log, name)
        assert [event.part.type for event in events if event.part] == parts
        assert [event.index for event in events] == list(range(7))
        assert {event.outcome for event in events} == {"pass"}


async def test_unchanged_parts_share_one_copy_all_the_way() -> None:
    log = await traced(in_stream(unchanged, "Hello", names="ab"))
    model = next(e for e in log.of(ModelChunk) if e.chunk.type == "text-delta")
    first, second = (stream_calls(log, name)[2] for name in "ab")
    delivered = next(e for e in log.of(Delivered) if e.index == 2)
    assert first.part is second.part is model.chunk is delivered.chunk
    assert first.out is second.out
    assert first.out == (model.chunk,)


async def test_copies_keep_what_entered_when_hooks_edit_in_place() -> None:
    log = await traced(in_stream(shout))
    call = stream_calls(log)[2]
    assert call.outcome == "changed"
    assert call.part is not None
    assert (call.part.payload.text, call.out[0].payload.text) == ("a", "A")  # type: ignore[index]
    model = next(e for e in log.of(ModelChunk) if e.chunk.type == "text-delta")
    assert model.chunk.payload.text == "a"


async def test_client_and_model_cannot_reach_the_trace() -> None:
    stream = await agent(text("a")).stream("hi", trace=(log := EventLog()))
    for chunk in await read(stream):
        if chunk.type == "text-delta":
            chunk.payload.text = "edited"
    assert "edited" not in str(log.events)


@pytest.mark.parametrize(
    ("change", "outcome", "out"),
    [
        (lambda args: args.part, "pass", 1),
        (lambda args: None, "changed", 0),
        (lambda args: [], "changed", 0),
        (lambda args: [args.part], "pass", 1),
        (lambda args: [args.part, args.part.copy()], "changed", 2),
        (lambda args: args.part.copy(), "changed", 1),
        (lambda args: args.abort("no"), "blocked", None),
    ],
)
async def test_outcomes(change: Any, outcome: str, out: int | None) -> None:
    call = stream_calls(await traced(in_stream(on_delta(change))))[2]
    assert call.outcome == outcome
    assert (None if call.out is None else len(call.out)) == out


async def test_outcomes_of_failures() -> None:
    def time_out(args: Any) -> Any:
        raise HookTimeout("too slow", processor_id="p", hook=STREAM)

    def fail(args: Any) -> Any:
        raise ValueError("boom")

    for hook, outcome in ((time_out, "timed-out"), (fail, "errored")):
        call = stream_calls(await traced(in_stream(on_delta(hook))))[-1]
        assert call.outcome == outcome
        assert call.error is not None


def hold(args: Any) -> Any:
    """Holds deltas and tells the probe."""
    part, probe, state = args.part, args.probe, args.state
    held = state.setdefault("held", "")
    if part.type == "text-delta":
        state["held"] = held + part.payload.text
        probe.held(len(state["held"]))
        return None
    if part.type == "text-end" and held:
        state["held"] = ""
        probe.held(0)
        probe.emit([(0, len(held), 0, len(held), None)])
        return [Chunk("text-delta", Delta(id="t1", text=held)), part]
    return part


async def test_holding_and_releasing_unchanged_text_is_a_pass() -> None:
    events = stream_calls(await traced(in_stream(hold, "Hel", "lo")))
    assert {event.outcome for event in events} == {"pass"}
    assert [event.held for event in events] == [None, None, 3, 5, 0, None, None]
    assert events[4].intervals == ((0, 5, 0, 5, None),)


async def test_flagged_makes_the_run_flagged() -> None:
    def warn(args: Any) -> Any:
        args.probe.finding("rule", 0, 1, "flagged")
        return args.part

    log = EventLog()
    result = await (await in_stream(on_delta(warn)).stream("hi", trace=log)).result()
    assert result.status == "flagged"
    assert stream_calls(log)[2].outcome == "flagged"
