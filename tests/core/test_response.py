"""What is delivered of an answer, part by part, in the message."""

from __future__ import annotations

from typing import Any

from tests.support.engine import calls
from tripscope.chunks import BlockEdge, Chunk, Delta
from tripscope.message_list import MessageList
from tripscope.response import Answer


def edge(kind: str, id: str) -> Chunk:
    return Chunk(kind, BlockEdge(id=id))


def delta(id: str, text: str, kind: str = "text") -> Chunk:
    return Chunk(f"{kind}-delta", Delta(id=id, text=text))


def parts(messages: MessageList) -> list[Any]:
    found = messages.get.response.db()
    return [getattr(p, "text", None) or p.type for m in found for p in m.parts]


def taken(*chunks: Chunk) -> tuple[Answer, MessageList]:
    messages = MessageList()
    answer = Answer(messages)
    for chunk in chunks:
        answer.take(chunk)
    return answer, messages


def test_text_enters_when_its_block_ends() -> None:
    answer, messages = taken(edge("text-start", "a"), delta("a", "Hel"))
    assert parts(messages) == []
    answer.take(delta("a", "lo"))
    answer.take(edge("text-end", "a"))
    assert parts(messages) == ["Hello"]
    assert answer.text == "Hello"


def test_blocks_may_overlap_and_are_cut() -> None:
    answer, messages = taken(
        edge("text-start", "a"),
        edge("text-start", "b"),
        delta("b", "two"),
        delta("a", "one"),
        edge("text-end", "a"),
    )
    assert parts(messages) == ["one"]
    answer.close()
    answer.close()
    assert parts(messages) == ["one", "two"]
    assert answer.text == "twoone"


def test_text_without_a_start_and_empty_blocks() -> None:
    answer, messages = taken(
        delta("a", "x"), edge("text-end", "a"), edge("text-start", "b"), edge("text-end", "b")
    )
    assert parts(messages) == ["x"]
    assert answer.text == "x"


def test_order_of_parts_is_that_of_entering() -> None:
    _, messages = taken(
        edge("text-start", "a"),
        delta("a", "text"),
        Chunk("data-x", data=1),
        Chunk("data-x", data=1),
        Chunk("data-y", data=2, transient=True),
        edge("text-end", "a"),
        calls("tool")[0],
        edge("reasoning-start", "r"),
        delta("r", "hm", "reasoning"),
        edge("reasoning-end", "r"),
    )
    assert parts(messages) == ["data-x", "text", "tool-invocation", "reasoning"]
