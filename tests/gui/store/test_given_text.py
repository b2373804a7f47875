"""Offsets of findings in all units, in the text that their processor was given."""

import json

import pytest

from tests.support.made_events import HOOK, Events
from tests.support.window import session_wire
from tripscope.chunks import text_delta
from tripscope.session import session_from_wire, start_run
from tripscope.trace.events import (
    AnyEvent,
    FindingMade,
    MessagesChanged,
    ToolEnded,
    ToolStarted,
)
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.store.followed import StreamSource
from tripscope_gui.store.given_text import GivenTexts
from tripscope_gui.store.origins import model_span
from tripscope_gui.store.text_ranges import DeepRange, selected_range
from tripscope_gui.store.text_sources import follow_source


def test_a_stream_counts_all_that_the_processor_was_given() -> None:
    made = Events()
    made.begin_attempt()
    for index, text in enumerate(("💳 ", "é a", "nn@x \ud83d", "\ude00 b@y")):
        part = made.chunk(index, text_delta(text))
        made.hook(index, part, (part,), held=0)
    one = made.put(FindingMade, hook=HOOK, processor="pii", rule="email", start=5, end=10,
                   outcome="changed", block="t1", index=2)  # fmt: skip
    two = made.put(FindingMade, hook=HOOK, processor="pii", rule="email", start=14, end=17,
                   outcome="changed", block="t1", index=3)  # fmt: skip
    texts = GivenTexts(RunStore(made.all))
    assert texts.of(one) == "💳 é ann@x 😀 b@y"
    assert (texts.value(one), texts.value(two)) == ("ann@x", "b@y")
    assert texts.code_points(one) == (4, 9)
    assert texts.utf8(one) == (8, 13)
    assert texts.code_points(two) == (12, 15)
    assert texts.utf8(two) == (19, 22)


@pytest.mark.parametrize(("seq_of", "value"), [(0, "bo@x"), (1, "[EMA")])
def test_a_message_is_read_as_it_was_then(seq_of: int, value: str) -> None:
    made = Events()
    found = []
    for version, text in enumerate(("ß bo@x", "ß [EMAIL]")):
        parts = {"format": 2, "parts": [{"type": "text", "text": text}]}
        made.put(MessagesChanged, order=((f"m1@{version}", "input"),),
                 versions=((f"m1@{version}", {"role": "user", "content": parts}),))  # fmt: skip
        found.append(made.put(FindingMade, hook="processInput", processor="pii", rule="r", start=2,
                              end=6, outcome="changed", message_id="m1", part_index=0))  # fmt: skip
    texts = GivenTexts(RunStore(made.all))
    assert texts.value(found[seq_of]) == value
    assert texts.utf8(found[seq_of]) == (3, 7)


@pytest.mark.parametrize(("result", "points"), [({"a": ["x" * 9, "yy"]}, (0, 8)),
                                                ({"a": "x" * 9, "b": "é" * 9}, None)])  # fmt: skip
def test_units_agree_where_only_ascii_can_be_meant(result: object, points: object) -> None:
    made = Events()
    made.put(ToolStarted, tool_call_id="c", tool_name="t", args={})
    made.put(ToolEnded, tool_call_id="c", tool_name="t", duration=1, result=result)
    found = made.put(FindingMade, hook="processToolResult", processor="p", rule="r", start=0,
                     end=8, outcome="changed")  # fmt: skip
    texts = GivenTexts(RunStore(made.all))
    assert texts.code_points(found) == points
    assert texts.utf8(found) == points


def test_a_span_of_a_later_processor_goes_back_to_the_model() -> None:
    made = Events()
    made.begin_attempt()
    part = made.chunk(0, text_delta("to ann@x now"))
    out = text_delta("to [EMAIL] now")
    made.hook(0, part, (out,), held=0, outcome="changed", intervals=(
        (0, 3, 0, 3, None), (3, 8, 3, 10, "email"), (8, 12, 10, 14, None)))  # fmt: skip
    made.hook(0, out, (out,), "secrets", held=0)
    (block,) = RunStore(made.all).blocks.values()
    assert model_span(block, "pii", 3, 8) == (3, 8)
    assert model_span(block, "secrets", 11, 14) == (9, 12)
    assert model_span(block, "secrets", 4, 6) == (3, 8)
    assert model_span(block, "secrets", 0, 14) == (0, 12)


async def test_findings_in_tool_results_have_all_units_whatever_stands_beside_them() -> None:
    result = {
        "a": ["\U0001f4b3 \u00e9 ann@example.test", "ann@example.test \u00e9\u00e9\u00e9"],
        "nested": json.dumps({"b": "\U0001f4b3\U0001f4b3 bo@example.test, ORD-204417"}),
    }
    wire = session_wire(
        model={"use": "scripted", "script": [
            {"chunks": [
                {"type": "tool-call", "toolCallId": name, "toolName": "t", "input": "{}"}
                for name in ("c1", "c2")
            ] + [{"type": "finish", "finishReason": "tool-calls"}]},
            {"text": ["done"]},
        ]},
        tools=[{"name": "t", "results": [result, {"x": "\u00e9 eve@example.test"}]}],
        chain=[
            {"id": "one", "type": "redact-tool-result", "options": {"presets": ["pii"]}},
            {"id": "two", "type": "redact-tool-result",
             "rules": [{"name": "order", "pattern": "ORD-\\d{6}"}]},
        ],
    )  # fmt: skip
    events: list[AnyEvent] = []
    stream = await start_run(session_from_wire(wire), trace=events.append, real_time=False)
    await stream.result()
    store = RunStore(events)
    texts = GivenTexts(store)
    found = [
        (one.tool_call_id, one.path, texts.value(one), (one.start, one.end),
         texts.code_points(one), texts.utf8(one))
        for one in store.findings
    ]  # fmt: skip
    assert found == [
        ("c1", "a[0]", "ann@example.test", (5, 21), (4, 20), (8, 24)),
        ("c1", "a[1]", "ann@example.test", (0, 16), (0, 16), (0, 16)),
        ("c1", "nested.b", "bo@example.test", (5, 20), (3, 18), (9, 24)),
        # the second processor was given what the first one left
        ("c1", "nested.b", "ORD-204417", (14, 24), (12, 22), (18, 28)),
        ("c2", "x", "eve@example.test", (2, 18), (2, 18), (3, 19)),
    ]


def test_a_step_is_looked_at_by_the_text_that_it_delivered() -> None:
    """Not with what earlier steps or its reasoning said."""
    made = Events()
    for step, text in enumerate(("Let me look. ", "Here is the deploy key: abc")):
        made.begin_attempt(step)
        part = made.chunk(step, text_delta(text))
        made.hook(step, part, (part,), held=0)
        made.deliver(step, part)
        wire = {"id": "m1", "role": "assistant", "content": [{"type": "text", "text": "both"}]}
        made.put(MessagesChanged, order=((f"m1@{step}", "response"),),
                 versions=((f"m1@{step}", wire),))  # fmt: skip
        if step == 0:
            made.end_attempt()
    found = made.put(FindingMade, hook="processOutputStep", processor="check", rule="check",
                     start=12, end=22, outcome="blocked")  # fmt: skip
    beyond = made.put(FindingMade, hook="processOutputStep", processor="own", rule="own",
                      start=12, end=220, outcome="flagged")  # fmt: skip
    store = RunStore(made.all)
    texts = GivenTexts(store)
    assert texts.of(found) == "Here is the deploy key: abc"
    assert texts.value(found) == "deploy key"
    assert texts.code_points(found) == (12, 22)
    assert texts.of(beyond) is None
    followed = follow_source(store, StreamSource((1, 0, "text", "t1")))
    assert followed is not None
    selection = Selection(run=1, step=1, attempt=0, finding=found.seq)
    assert selected_range(store, followed, selection) == DeepRange(12, 22, 0)
    other = follow_source(store, StreamSource((0, 0, "text", "t1")))
    assert other is not None
    assert selected_range(store, other, selection) is None
