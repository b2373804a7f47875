"""Messages travel unchanged, whatever shape they have."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.json_values import TEXT, objects, spelled, values
from tripscope.messages import (
    Content,
    DataPart,
    Message,
    OtherPart,
    ReasoningPart,
    TextPart,
    ToolInvocationPart,
    part_from_wire,
    text_message,
)

INVOCATION = objects(
    ("state", "toolCallId", "toolName", "args", "result", "errorText"),
    {"state": TEXT, "toolCallId": TEXT, "toolName": TEXT, "errorText": TEXT},
)
PART = objects(
    ("type", "text", "reasoning", "details", "toolInvocation", "data", "providerMetadata"),
    {
        "type": st.sampled_from(
            ["text", "reasoning", "tool-invocation", "data-x", "step-start", "file"]
        ),
        "text": TEXT,
        "reasoning": TEXT,
        "toolInvocation": INVOCATION,
    },
)
CONTENT = objects(
    ("format", "parts", "metadata", "content"),
    {
        "format": st.sampled_from([2, 3]),
        "parts": st.lists(PART | values(), max_size=3),
        "content": TEXT,
    },
)
MESSAGE = objects(
    ("id", "content", "createdAt", "threadId", "resourceId", "type"),
    {"id": TEXT, "content": CONTENT | TEXT, "createdAt": TEXT},
)


@given(values() | TEXT, MESSAGE)
def test_a_message_is_written_as_it_was_read(role: Any, wire: dict[str, Any]) -> None:
    wire["role"] = role
    before = spelled(wire)
    message = Message.from_wire(wire)
    assert spelled(message.to_wire()) == before
    assert spelled(message.copy().to_wire()) == before
    assert spelled(wire) == before


@given(PART | values())
def test_a_part_is_written_as_it_was_read(wire: Any) -> None:
    before = spelled(wire)
    part = part_from_wire(wire)
    written = part.to_wire() if hasattr(part, "to_wire") else part
    assert spelled(written) == before


@pytest.mark.parametrize(
    ("wire", "shape"),
    [
        ({"type": "text", "text": "\ud83d"}, TextPart),
        ({"type": "text", "text": None}, OtherPart),
        ({"type": "text"}, OtherPart),
        ({"type": "reasoning", "reasoning": "r"}, ReasoningPart),
        ({"type": "reasoning", "text": "r"}, OtherPart),
        ({"type": "data-x", "data": None}, DataPart),
        ({"type": "data-x"}, OtherPart),
        ({"type": "tool-invocation", "toolInvocation": {"state": "call"}}, OtherPart),
        (
            {
                "type": "tool-invocation",
                "toolInvocation": {"state": "call", "toolCallId": "c", "toolName": "t"},
            },
            ToolInvocationPart,
        ),
        ({"type": 3}, dict),
        ("text", str),
        (None, type(None)),
    ],
)
def test_a_part_is_typed_only_where_it_has_the_shape(wire: Any, shape: type) -> None:
    assert type(part_from_wire(wire)) is shape


def test_text_is_that_of_the_text_parts() -> None:
    message = Message.from_wire(
        {
            "role": "assistant",
            "content": {
                "format": 2,
                "parts": [
                    {"type": "text", "text": "a"},
                    {"type": "reasoning", "reasoning": "hidden"},
                    {"type": "text", "text": "b"},
                ],
                "content": "flattened",
            },
        }
    )
    assert message.text == "ab"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"format": 2, "parts": [], "content": "flat"}, "flat"),
        ({"format": 2, "parts": [{"type": "text", "text": ""}], "content": "flat"}, "flat"),
        ("bare", "bare"),
        (None, ""),
        ([{"type": "text", "text": "x"}], ""),
    ],
)
def test_text_falls_back_to_the_flattened_content(content: Any, text: str) -> None:
    assert Message.from_wire({"role": "user", "content": content}).text == text


def test_parts_are_live() -> None:
    message = text_message("user", "a")
    message.parts.append(TextPart(text="b"))
    assert message.text == "ab"
    assert isinstance(message.content, Content)
    assert Message(role="user", content="bare").parts == []


def test_a_copy_shares_nothing() -> None:
    message = text_message("user", "a", id="m1")
    message.content.metadata = {"k": [1]}
    twin = message.copy()
    twin.parts[0].text = "b"
    twin.content.metadata["k"].append(2)
    assert message.text == "a"
    assert message.content.metadata == {"k": [1]}
