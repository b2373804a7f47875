"""The model's side of an attempt."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engine import agent, read, text
from tripscope.chunks import Chunk


@pytest.mark.parametrize(
    "part",
    [
        Chunk("finish", {"finishReason": "stop"}),
        Chunk("tool-call", None),
        Chunk("text-delta", {"delta": "x"}),
        Chunk("text-end"),
        Chunk(5),  # type: ignore[arg-type]
    ],
)
async def test_a_part_of_the_wrong_shape_is_a_failed_call(part: Any) -> None:
    stream = await agent([*text("Hel", end=False, finish=None), part]).stream("hi")
    chunks = await read(stream)
    assert [chunk.type for chunk in chunks][-3:] == ["error", "step-finish", "finish"]
    result = await stream.result()
    assert "the model gave a" in str(result.error)
    assert result.text == "Hel"
