"""Faults that other systems had with what is stored and what the history reads later.

The labels are those of the public reports: where a label has several tests, they are one fault on
several paths.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.support.both_methods import METHODS, run
from tests.support.engine import agent, calls, processor, text
from tripscope.agent import Agent
from tripscope.memory import Memory, SQLiteStore
from tripscope.messages import TextPart, ToolInvocationPart, text_message
from tripscope.models.scripted import ScriptedModel
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.tools import Tool
from tripscope.trace.events import RunEnded
from tripscope.trace.recorder import EventLog

ADDRESS = "ann@example.test"


# -- M1: the user saw redacted text, the store kept the original


@METHODS
async def test_the_store_holds_what_the_user_saw(method: str, tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    subject = agent(
        text("mail ann@", "example.test", " soon"),
        output_processors=[RegexFilterProcessor(presets=["pii"], strategy="redact")],
        memory=Memory(SQLiteStore(path)),
    )
    result = await run(subject, method, thread="t", resource="r")
    reloaded = await Memory(SQLiteStore(path)).messages("t", "r")
    assert [message.text for message in reloaded] == ["hi", result.text]
    assert ADDRESS not in result.text
    assert "soon" in result.text
    for file in list(tmp_path.glob("*")):  # noqa: ASYNC240 - nothing else runs
        assert ADDRESS.encode() not in file.read_bytes(), file.name


# -- M2: a filter for one request rewrote the history, or the caller's own objects


@METHODS
async def test_filters_leave_the_history_and_the_callers_list_alone(method: str) -> None:
    memory = Memory()
    first = agent(
        calls("tool", args={"q": "x"}),
        text("Found"),
        tools=[Tool(name="tool", execute=lambda args, context: {"v": 1})],
        memory=memory,
    )
    await run(first, method, "look", thread="t", resource="r")
    stored = [message.to_wire() for message in await memory.messages("t", "r")]

    def drop_tools(args: Any) -> Any:
        for message in args.messages:
            message.content.parts = [
                part for part in message.parts if not isinstance(part, ToolInvocationPart)
            ]
        return args.messages

    def shout(args: Any) -> None:
        for message in args.messages:
            for part in message.parts:
                if isinstance(part, TextPart):
                    part.text = part.text.upper()

    model = ScriptedModel([text("Again")])
    second = Agent(
        id="a",
        model=model,
        input_processors=[
            processor("drop", process_input=drop_tools),
            processor("shout", process_input_step=shout),
        ],
        memory=memory,
    )
    given = [text_message("user", "and now?"), {"role": "user", "content": "please"}]
    before = copy.deepcopy(given)
    await run(second, method, given, thread="t", resource="r")
    assert given == before
    prompt = model.requests[0].prompt
    assert [message["role"] for message in prompt] == ["user", "assistant", "user", "user"]
    assert prompt[0]["content"][0]["text"] == "LOOK"
    after = [message.to_wire() for message in await memory.messages("t", "r")]
    assert after[: len(stored)] == stored
    # The new user messages are stored as the processors left them.
    assert [m["content"]["parts"][0]["text"] for m in after[len(stored) :]] == [
        "AND NOW?",
        "PLEASE",
        "Again",
    ]


# -- M4: after a tripwire the refused text was readable here and missing there


def refuse(hook: str) -> Any:
    def guard(args: Any) -> Any:
        part = getattr(args, "part", None)
        if part is None or (part.type == "text-delta" and "refused" in part.payload.text):
            args.abort("refused")
        return part

    return processor("guard", **{hook: guard})


@METHODS
@pytest.mark.parametrize(
    "hook", ["process_output_stream", "process_output_step", "process_output_result"]
)
async def test_one_rule_for_all_accessors(method: str, hook: str) -> None:
    memory, log = Memory(), EventLog()
    subject = agent(text("refused words"), output_processors=[refuse(hook)], memory=memory)
    result = await run(subject, method, "one", thread="t", resource="r", trace=log)
    shown = "" if hook == "process_output_stream" else "refused words"
    assert (result.status, result.finish_reason) == ("blocked", "other")
    assert result.text == shown
    assert [m.text for m in result.messages] == (["one", shown] if shown else ["one"])
    assert [step.text for step in result.steps] == (
        [shown] if hook == "process_output_result" else []
    )
    ended = log.events[-1]
    assert isinstance(ended, RunEnded)
    assert (ended.text, ended.stored) == (shown, False)
    assert await memory.messages("t", "r") == []
    model = ScriptedModel([text("fine")])
    await run(Agent(id="b", model=model, memory=memory), method, "two", thread="t", resource="r")
    assert "refused" not in str(model.requests[0].prompt)
