from tripscope.chunks import Chunk, text_delta
from tripscope.models.base import RawFrame
from tripscope.models.whole import join_deltas


def test_each_block_is_one_delta() -> None:
    parts = [
        RawFrame("1"),
        text_delta("a", id="1"),
        RawFrame("2"),
        text_delta("b", id="1"),
        text_delta("c", id="2"),
        text_delta("think", id="2", type="reasoning-delta"),
    ]
    assert join_deltas(parts) == [
        RawFrame("1"),
        text_delta("ab", id="1"),
        RawFrame("2"),
        text_delta("c", id="2"),
        text_delta("think", id="2", type="reasoning-delta"),
    ]
    assert parts[1] == text_delta("a", id="1")


def test_a_block_that_was_interrupted_goes_on_as_another_delta() -> None:
    parts = [text_delta("a"), Chunk("source", {"id": "s"}), text_delta("b")]
    assert join_deltas(parts) == parts


def test_growing_tool_calls_are_left_out() -> None:
    parts = [Chunk("tool-call-delta", {"toolCallId": "c", "argsTextDelta": "{"})]
    assert join_deltas(parts) == []
