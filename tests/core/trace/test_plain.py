"""Whatever a hook puts where JSON was meant, the trace writes JSON, and the run goes on."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.engine import agent, processor, read, text
from tripscope.trace.events import RunEnded
from tripscope.trace.file import load
from tripscope.trace.plain import plain
from tripscope.trace.recorder import EventLog


class Hostile:
    """Raises whatever it is asked."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no equality")

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no message")


def ring() -> dict[str, Any]:
    made: dict[str, Any] = {}
    made["left"] = made["right"] = made
    return made


VALUES = {
    "ring": ring(),
    "hostile": Hostile(),
    "hostile key": {Hostile(): 1},
    "hostile set": {Hostile(), Hostile()},
    "mute error": Mute(),
    "not a number": float("nan"),
    "infinite": float("-inf"),
    "huge": 10**5000,
    "bytes": b"\xff",
    "half an emoji": "\ud83d",
    "integer keys": {1: {2: (3, {4})}},
    "deep": json.loads("[" * 500 + "]" * 500),
    "hash": hashlib.sha256(),
    "class": EventLog,
}


@pytest.mark.parametrize("name", VALUES)
def test_is_json_that_reads_back_as_it_was_written(name: str) -> None:
    made = plain(VALUES[name])
    assert json.loads(json.dumps(made, allow_nan=False)) == made


def test_json_stays_as_it_is() -> None:
    value = {"a": [1, 2.5, None, True, "x"], "b": {"c": [], "same": (shared := [1])}, "d": shared}
    assert plain(value) == value
    assert plain(value) is not value


def test_tells_what_it_could_not_hold() -> None:
    assert plain(ring()) == dict.fromkeys(("left", "right"), "<dict that holds itself>")
    assert plain({1: float("inf"), "big": 1 << 20_000}) == {
        "1": "inf",
        "big": "<integer of 20001 bits>",
    }
    assert plain(Hostile()) == "<Hostile, whose repr raises RuntimeError>"


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("where", ["state", "metadata", "span", "data"])
async def test_no_value_changes_a_run_that_is_traced(name: str, where: str, tmp_path: Path) -> None:
    value, path = VALUES[name], tmp_path / "a.trace.jsonl"

    async def step(args: Any) -> None:
        if where == "state":
            args.state["it"] = value
        elif where == "metadata":
            args.abort("no", metadata=value)
        elif where == "span":
            args.tracing_context.current_span.set_attributes(it=value)
        else:
            await args.writer.custom({"type": "data-it", "data": value})

    subject = agent(text("Hello"), input_processors=[processor("p", process_input_step=step)])
    stream = await subject.stream("hi", trace=path)
    await read(stream)
    result = await stream.result()
    assert result.status == ("blocked" if where == "metadata" else "passed")
    events = load(path)
    assert isinstance(events[-1], RunEnded)
    assert [event.seq for event in events] == list(range(len(events)))
    for line in path.read_bytes().splitlines():
        json.loads(line, parse_constant=pytest.fail)
