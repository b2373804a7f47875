import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.core.trace.strategies import events as event_strategy
from tripscope.chunks import Chunk, Delta, text_delta
from tripscope.trace.codec import (
    Decoder,
    Encoder,
    event_from_wire,
    event_to_wire,
)
from tripscope.trace.events import (
    AnyEvent,
    Delivered,
    HookCalled,
    ModelChunk,
    ToolStarted,
    UnknownEvent,
    Warned,
)
from tripscope.trace.shapes import KINDS

BASE = (None, None, None, None)


def through_json(events: list[AnyEvent]) -> list[AnyEvent]:
    """What is loaded again; both ways of writing and of reading say the same."""
    to_wire, to_line = Encoder(), Encoder()
    wires = [json.loads(json.dumps(to_wire.encode(event))) for event in events]
    lines = [to_line.line(event) for event in events]
    assert [json.loads(line) for line in lines] == wires
    assert b"".join(lines).isascii()
    loaded = list(map(Decoder().decode, wires))
    assert list(map(Decoder().line, lines)) == loaded
    return loaded


@pytest.mark.parametrize("kind", [*KINDS, "unknown"])
def test_an_event_of_each_kind_makes_the_round_trip(kind: str) -> None:
    @settings(max_examples=30)
    @given(event_strategy(kind))
    def check(event: AnyEvent) -> None:
        loaded = event_from_wire(json.loads(json.dumps(event_to_wire(event))))
        assert loaded == event
        assert through_json([event]) == [event]
        assert type(loaded) is type(event)

    check()


@settings(max_examples=50)
@given(st.lists(event_strategy(), max_size=6))
def test_a_sequence_makes_the_round_trip(events: list[AnyEvent]) -> None:
    events = [replace(event, seq=number) for number, event in enumerate(events)]
    assert through_json(events) == events


def test_the_spelling_of_a_hook_call() -> None:
    part = text_delta("x")
    event = HookCalled(
        7,
        8,
        0,
        1,
        "processOutputStream",
        "p",
        9,
        "pass",
        3,
        part,
        (part,),
        ((0, 1, 0, 1, None),),
        0,
    )
    assert event_to_wire(event) == {
        "kind": "hook",
        "seq": 7,
        "time": 8,
        "step": 0,
        "attempt": 1,
        "hook": "processOutputStream",
        "processor": "p",
        "duration": 9,
        "outcome": "pass",
        "index": 3,
        "part": {"type": "text-delta", "from": "AGENT", "payload": {"id": "t1", "text": "x"}},
        "out": "same",
        "intervals": ((0, 1, 0, 1, None),),
        "held": 0,
    }


def test_a_field_with_its_default_is_left_out() -> None:
    wire = event_to_wire(ToolStarted(1, 2, *BASE, tool_call_id="c", tool_name="n", args=None))
    assert wire == {
        "kind": "tool-started",
        "seq": 1,
        "time": 2,
        "toolCallId": "c",
        "toolName": "n",
        "args": None,
    }


def stream_through_two(part: Chunk, changed: Chunk) -> list[AnyEvent]:
    return [
        ModelChunk(0, 0, *BASE, call=0, index=0, chunk=part),
        HookCalled(1, 0, *BASE, 1, "pass", 0, part, (part,)),
        HookCalled(2, 0, *BASE, 1, "changed", 0, part, (part, changed)),
        Delivered(3, 0, *BASE, chunk=changed, index=0),
    ]


def test_shared_chunks_are_written_once_and_shared_again() -> None:
    events = stream_through_two(text_delta("a"), text_delta("b"))
    encoder = Encoder()
    wires = [encoder.encode(event) for event in events]
    assert [w.get("part", w.get("chunk")) for w in wires[1:]] == [0, 1, 2]
    assert wires[1]["out"] == "same"
    assert wires[2]["out"] == ["same", text_delta("b").to_wire()]
    model, first, second, delivered = map(Decoder().decode, wires)
    assert first.part is model.chunk
    assert first.out[0] is first.part
    assert second.part is first.part
    assert second.out[0] is second.part
    assert delivered.chunk is second.out[1]


def test_equal_copies_of_a_delta_are_written_once() -> None:
    encoder = Encoder()
    encoder.encode(ModelChunk(0, 0, *BASE, call=0, index=0, chunk=text_delta("a")))
    wire = encoder.encode(Delivered(1, 0, *BASE, chunk=text_delta("a"), index=0))
    assert wire["chunk"] == 0


@pytest.mark.parametrize(
    "other",
    [
        text_delta("b"),
        text_delta("a", id="t2"),
        text_delta("a", type="reasoning-delta"),
        Chunk("text-delta", Delta(id="t1", text="a"), run_id="r"),
        Chunk("text-delta", Delta(id="t1", text="a"), from_=None),
        Chunk("text-delta", Delta(id="t1", text="a", provider_metadata={})),
        Chunk("text-delta", Delta(id="t1", text="a", extra={"x": 1})),
        Chunk("text-delta", Delta(id="t1", text="a"), extra={"x": 1}),
    ],
)
def test_a_chunk_that_differs_is_written(other: Chunk) -> None:
    events: list[AnyEvent] = [
        ModelChunk(0, 0, *BASE, call=0, index=0, chunk=text_delta("a")),
        Delivered(1, 0, *BASE, chunk=other, index=0),
    ]
    assert through_json(events) == events


def test_half_a_character_per_chunk_is_kept() -> None:
    events: list[AnyEvent] = [
        ModelChunk(0, 0, *BASE, call=0, index=0, chunk=text_delta("\ud83e")),
        ModelChunk(1, 0, *BASE, call=0, index=1, chunk=text_delta("\udd80")),
    ]
    assert through_json(events) == events


def test_what_fails_while_it_is_written_leaves_no_false_reference() -> None:
    bad = Chunk("text-delta", Delta(id=3, text="a"), "r")  # type: ignore[arg-type]
    encoder = Encoder()
    for seq in (0, 1):
        wire = json.loads(encoder.line(Delivered(seq, 0, *BASE, chunk=bad)))
        assert wire["chunk"] == (bad.to_wire() if seq == 0 else 0)


def test_names_and_numbers_are_shared_again() -> None:
    lines = [
        json.dumps(HOOK | {"seq": n, "hook": "h", "processor": "p", "index": 10**6}).encode()
        for n in range(2)
    ]
    decoder = Decoder()
    one, other = map(decoder.line, lines)
    assert isinstance(one, HookCalled)
    assert isinstance(other, HookCalled)
    for name in ("hook", "processor", "index", "outcome"):
        assert getattr(one, name) is getattr(other, name)


def test_an_unknown_kind_loads_and_is_written_as_it_was() -> None:
    wire = {"kind": "from-the-future", "seq": 1, "time": 2, "step": 0, "shape": {"a": [1]}}
    event = event_from_wire(wire)
    assert event == UnknownEvent(
        1, 2, 0, None, None, None, "from-the-future", {"shape": {"a": [1]}}
    )
    assert event_to_wire(event) == wire


def test_a_key_of_a_newer_version_does_not_hurt() -> None:
    wire = {"kind": "warning", "seq": 1, "time": 2, "message": "m", "colour": "red"}
    assert event_from_wire(wire) == Warned(1, 2, *BASE, message="m")


LONG_WAY = {
    "half a character": r'"message":"\ud83d"',
    "half a character in a key": r'"message":"m","detail":{"\ud83d":1}',
    "half a character in an unknown key": r'"message":"m","\ud83d":1',
    "not a number": '"message":"m","detail":[NaN,-Infinity]',
    "beyond a double": '"message":"m","detail":1e999',
    "many digits": f'"message":"m","detail":{10**4000}',
    "null for a default": '"message":"m","detail":null,"step":null,"processor":null',
}


@pytest.mark.parametrize("name", LONG_WAY)
def test_what_only_json_reads_is_the_same_event(name: str) -> None:
    line = '{"kind":"warning","seq":1,"time":2,' + LONG_WAY[name] + "}"
    wire = json.loads(line)
    event = Decoder().line(line.encode())
    assert repr(event) == repr(Warned(1, 2, *BASE, wire["message"], wire.get("detail")))


HOOK = {"kind": "hook", "seq": 1, "time": 2, "duration": 3, "outcome": "pass"}


@pytest.mark.parametrize(
    ("wire", "message"),
    [
        (None, "JSON object"),
        ([], "JSON object"),
        ({}, "string 'kind'"),
        ({"kind": ["hook"]}, "string 'kind'"),
        ({"kind": "hook", "seq": 1, "time": 2, "outcome": "pass"}, "hook event lacks 'duration'"),
        (HOOK | {"seq": "1"}, "hook event: Expected `int`, got `str` - at `\\$.seq`"),
        (HOOK | {"step": 1.5}, "Expected `int | null`, got `float` - at `\\$.step`"),
        (HOOK | {"processor": 3}, "Expected `str | null`, got `int` - at `\\$.processor`"),
        (HOOK | {"intervals": {}}, "Expected `array | null`, got `object` - at `\\$.intervals`"),
        (HOOK | {"part": "x"}, "a chunk is an object"),
        (HOOK | {"part": 5}, "refers to the chunk of event 5"),
        (HOOK | {"out": "same"}, "'out' is a list"),
        (HOOK | {"out": ["same"]}, "a chunk is an object"),
        (HOOK | {"out": 3}, "'out' is a list"),
        (HOOK | {"seq": -1}, "Expected `int` >= 0 - at `\\$.seq`"),
        (HOOK | {"time": 1 << 60}, "Expected `int` <= 1152921504606846975 - at `\\$.time`"),
        (HOOK | {"index": 1 << 26}, "Expected `int` <= 67108863 - at `\\$.index`"),
        (HOOK | {"held": 10**30}, "hook event: .* at `\\$.held`"),
        ({"kind": "newer", "seq": None, "time": 1}, "integers 'seq' and 'time'"),
        ({"kind": "newer", "seq": 0, "time": 1 << 60}, "'seq' or 'time' is out of range"),
    ],
)
def test_what_is_no_event_is_refused_with_the_reason(wire: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        event_from_wire(wire)


def test_every_kind_is_known() -> None:
    assert len(KINDS) == 21
    assert "unknown" not in KINDS
