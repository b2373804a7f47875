"""Two events of two runs that say the same."""

from typing import Any

import pytest

from tripscope.chunks import text_delta
from tripscope.trace.alike import alike
from tripscope.trace.events import HookCalled, MessagesChanged, ModelChunk, ToolEnded

NOTE = {"type": "data-note", "data": 1}


def chunk(text: str = "a", run_id: str | None = "run-1", **more: Any) -> ModelChunk:
    part = text_delta(text)
    part.run_id = run_id
    place: dict[str, Any] = {
        "seq": 1,
        "time": 5,
        "step": 0,
        "attempt": 1,
        "hook": None,
        "processor": None,
    }
    return ModelChunk(**(place | more), call=0, index=0, chunk=part)


def called(*texts: str, run_id: str) -> HookCalled:
    parts = []
    for text in texts:
        part = text_delta(text)
        part.run_id = run_id
        parts.append(part)
    return HookCalled(
        seq=1, time=5, step=0, attempt=1, hook="processOutputStream", processor="pii",
        duration=7, outcome="pass", index=0, part=parts[0], out=tuple(parts),
    )  # fmt: skip


def messages(**wire: Any) -> MessagesChanged:
    place: dict[str, Any] = {
        "seq": 1,
        "time": 5,
        "step": 0,
        "attempt": 1,
        "hook": None,
        "processor": None,
    }
    return MessagesChanged(**place, order=(("m1@1", "input"),), versions=(("m1@1", wire),))


def ended(*wrote: tuple[int, Any]) -> ToolEnded:
    return ToolEnded(1, 5, 0, 1, None, None, "c1", "look", 7, wrote=wrote)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (chunk(), chunk(), True),
        (chunk(), chunk(run_id="run-2", seq=9, time=70), True),
        (chunk(), chunk("b", run_id="run-2"), False),
        (chunk(), chunk(attempt=2), False),
        (called("a", "b", run_id="1"), called("a", "b", run_id="2"), True),
        (called("a", "b", run_id="1"), called("a", "c", run_id="2"), False),
        (called("a", "b", run_id="1"), called("a", run_id="2"), False),
        (chunk(), called("a", run_id="run-1"), False),
        (ended((1, NOTE), (2, NOTE)), ended((3, NOTE), (4, NOTE)), True),
        (ended((1, NOTE)), ended((1, NOTE | {"data": 2})), False),
        (ended((1, NOTE), (2, NOTE)), ended((1, NOTE)), False),
        (messages(role="user"), messages(role="user"), True),
        (messages(role="user"), messages(role="system"), False),
        (messages(role="user", createdAt="1"), messages(role="user", createdAt="2"), True),
        (messages(role="user", createdAt="1"), messages(role="user"), True),
    ],
)
def test_times_numbers_and_run_ids_are_no_difference(one: Any, other: Any, same: bool) -> None:
    assert alike(one, other) is same
    assert alike(other, one) is same
