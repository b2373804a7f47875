import json
from typing import Any

import pytest

from tripscope.chunks import Chunk
from tripscope.models.chat_completions.tool_calls import ToolCalls


def delta(
    id: str | None = None, name: str | None = None, arguments: Any = None, index: Any = None
) -> dict[str, Any]:
    call: dict[str, Any] = {"function": {}}
    if id is not None:
        call["id"] = id
    if name is not None:
        call["function"]["name"] = name
    if arguments is not None:
        call["function"]["arguments"] = arguments
    if index is not None:
        call["index"] = index
    return call


def calls(*deltas: dict[str, Any]) -> list[tuple[str, str, Any]]:
    assembled = ToolCalls(streaming=False)
    for each in deltas:
        assert assembled.feed(each) == []
    return [
        (chunk.payload.tool_call_id, chunk.payload.tool_name, chunk.payload.args)
        for chunk in assembled.finish()
    ]


def test_as_documented() -> None:
    assert calls(
        delta("a", "look", "", index=0),
        delta(arguments='{"q"', index=0),
        delta("b", "find", "", index=1),
        delta(arguments=":1}", index=0),
        delta(arguments='{"r":2}', index=1),
    ) == [("a", "look", {"q": 1}), ("b", "find", {"r": 2})]


# P7, with the letters of its inputs.
TWO = [("a", "look", {"q": 1}), ("b", "find", {"r": 2})]


def test_a_two_calls_without_index() -> None:
    assert (
        calls(
            delta("a", "look"),
            delta(arguments='{"q"'),
            delta(arguments=":1}"),
            delta("b", "find"),
            delta(arguments='{"r":2}'),
        )
        == TWO
    )


def test_b_two_ids_both_with_index_0() -> None:
    assert (
        calls(
            delta("a", "look", "", index=0),
            delta(arguments='{"q":1}', index=0),
            delta("b", "find", "", index=0),
            delta(arguments='{"r":2}', index=0),
        )
        == TWO
    )


def test_c_a_mix_of_indexed_and_not() -> None:
    assert (
        calls(
            delta("a", "look", '{"q"', index=0),
            delta("b", "find"),
            delta(arguments=":1}", index=0),
            delta(arguments='{"r":2}'),
        )
        == TWO
    )
    assert (
        calls(
            delta("a", "look", '{"q"'),
            delta(arguments=":1}"),
            delta("b", "find", '{"r"', index=1),
            delta(arguments=":2}", index=1),
        )
        == TWO
    )


def test_d_the_index_is_missing_only_later() -> None:
    assert calls(
        delta("a", "look", "", index=0), delta(arguments='{"q"'), delta(arguments=":1}")
    ) == [("a", "look", {"q": 1})]


def test_an_id_that_is_repeated_opens_nothing() -> None:
    assert calls(delta("a", "look", '{"q"', index=0), delta("a", "look", ":1}", index=0)) == [
        ("a", "look", {"q": 1})
    ]


def test_an_id_made_anew_for_each_delta_opens_nothing() -> None:
    assert calls(
        delta("a", "look", "", index=0), delta("x", None, '{"q"', index=0), delta("y", "", ":1}", 0)
    ) == [("a", "look", {"q": 1})]


def test_whole_calls_without_ids_get_their_own() -> None:
    """As some servers send them: every call whole, no id, no index or always 0."""
    for index in (None, 0):
        made = calls(delta("", "look", {"q": 1}, index), delta("", "look", {"q": 2}, index))
        assert [call[1:] for call in made] == [("look", {"q": 1}), ("look", {"q": 2})]
        assert made[0][0] != made[1][0]
        assert all(id.startswith("call_") for id, _, _ in made)


@pytest.mark.parametrize("index", ["0", True, 1.5, [], {}])
def test_an_index_that_is_no_number_counts_as_none(index: Any) -> None:
    assert calls(delta("a", "look", "", index), delta(arguments='{"q":1}')) == [
        ("a", "look", {"q": 1})
    ]


def test_odd_shapes_do_not_crash() -> None:
    assert calls({}, {"function": None}, {"id": 3, "function": {"name": None}})[0][1:] == ("", {})


def test_arguments_grow_in_sight() -> None:
    assembled = ToolCalls(streaming=True)
    chunks: list[Chunk] = []
    for each in (delta("a", None, "{", 0), delta(None, "look", '"q":', 0), delta(None, None, "1}")):
        chunks += assembled.feed(each)
    chunks += assembled.finish()
    assert [chunk.to_wire()["type"] for chunk in chunks] == [
        "tool-call-input-streaming-start",
        "tool-call-delta",
        "tool-call-delta",
        "tool-call-delta",
        "tool-call-input-streaming-end",
        "tool-call",
    ]
    assert chunks[0].payload == {"toolCallId": "a", "toolName": "look"}
    grown = "".join(chunk.payload["argsTextDelta"] for chunk in chunks[1:4])
    assert json.loads(grown) == chunks[-1].payload.args == {"q": 1}
