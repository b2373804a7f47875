"""Copies of chunks for the trace, and what a hook made of its part."""

from __future__ import annotations

from typing import Any

import pytest

from tripscope.chunks import Chunk, Delta, ErrorPayload, text_delta
from tripscope.parts import copy_of


@pytest.mark.parametrize(
    "chunk",
    [
        text_delta("a"),
        Chunk("text-delta", Delta(id="t1", text="a", extra={"x": [1]}), extra={"y": 1}),
        Chunk("text-delta", Delta(id="t1", text="a", provider_metadata={"x": {"y": 1}})),
        Chunk("data-x", data={"a": [1]}, transient=True),
        Chunk("source", {"a": [1]}),
    ],
)
def test_copies_are_equal_and_apart(chunk: Chunk) -> None:
    copy = copy_of(chunk)
    assert copy == chunk
    if isinstance(chunk.payload, Delta) and chunk.payload.provider_metadata:
        chunk.payload.provider_metadata["x"]["y"] = 2
    elif isinstance(chunk.payload, Delta):
        chunk.payload.text = "b"
    elif isinstance(chunk.payload, dict):
        chunk.payload["a"].append(2)
    else:
        chunk.data["a"].append(2)
    assert chunk != copy


def test_a_value_that_cannot_be_copied_is_shared() -> None:
    class Stubborn:
        def __deepcopy__(self, memo: Any) -> Any:
            raise TypeError("no copies")

    chunk = Chunk("source", {"x": Stubborn()})
    assert copy_of(chunk).payload is chunk.payload


def test_the_error_that_hooks_see_stays_an_exception_whatever_stands_beside_it() -> None:
    class Stubborn:
        def __deepcopy__(self, memo: Any) -> Any:
            raise TypeError("no copies")

    error = ValueError("no answer")
    chunk = Chunk("error", ErrorPayload(error=error, extra={"x": Stubborn()}))
    assert copy_of(chunk).payload.error == {"name": "ValueError", "message": "no answer"}
    assert chunk.payload.error is error
