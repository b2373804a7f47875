"""ResponseCache: what makes two calls the same, and what is never replayed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.engine import calls, processor, text
from tripscope.agent import Agent
from tripscope.memory import Memory
from tripscope.models.scripted import ScriptedModel
from tripscope.processors.response_cache import ResponseCache
from tripscope.tools import Tool


def subject(model: ScriptedModel, cache: ResponseCache, **options: Any) -> Agent:
    return Agent(id="a", model=model, input_processors=[cache], **options)


async def texts(agent: Agent, *prompts: str, **options: Any) -> list[str]:
    return [(await agent.generate(prompt, **options)).text for prompt in prompts]


async def test_same_prompt_is_asked_once() -> None:
    model = ScriptedModel([text("one"), text("two")])
    agent = subject(model, ResponseCache())
    assert await texts(agent, "a", "a", "b", "a") == ["one", "one", "two", "one"]
    assert len(model.requests) == 2


async def test_other_model_other_agent_id_other_step_other_key() -> None:
    cache = ResponseCache()
    one, two = ScriptedModel([text("one")]), ScriptedModel([text("two")], model_id="other")
    assert await texts(subject(one, cache), "a") == ["one"]
    assert await texts(subject(two, cache), "a") == ["two"]
    named = ResponseCache(cache=cache.cache, agent_id="named")
    assert await texts(subject(ScriptedModel([text("three")]), named), "a") == ["three"]


async def test_resources_are_apart_unless_the_scope_says_otherwise() -> None:
    model = ScriptedModel([text("for ann"), text("for bob"), text("for all")])
    agent = subject(model, ResponseCache())
    assert await texts(agent, "a", resource="ann") == ["for ann"]
    assert await texts(agent, "a", resource="bob") == ["for bob"]
    assert await texts(agent, "a", resource="ann") == ["for ann"]
    shared = subject(model, ResponseCache(scope=None))
    assert await texts(shared, "a", resource="ann") == ["for all"]
    assert await texts(shared, "a", resource="bob") == ["for all"]


async def test_history_is_part_of_the_key() -> None:
    model = ScriptedModel([text("first"), text("second")])
    agent = subject(model, ResponseCache(), memory=Memory())
    options = {"thread": "t", "resource": "r"}
    assert await texts(agent, "a", "a", **options) == ["first", "second"]


async def test_runs_out() -> None:
    class Now:
        seconds = 0.0

    from tripscope.cache import InMemoryCache

    cache = ResponseCache(cache=InMemoryCache(lambda: Now.seconds), ttl=10)
    agent = subject(ScriptedModel([text("one"), text("two")]), cache)
    assert await texts(agent, "a") == ["one"]
    Now.seconds = 10
    assert await texts(agent, "a") == ["two"]


async def test_bust_writes_and_does_not_read() -> None:
    cache = ResponseCache()
    agent = subject(ScriptedModel([text("one"), text("two")]), cache)
    await texts(agent, "a")
    busted = ResponseCache.context(bust=True)
    assert await texts(agent, "a", request_context=busted) == ["two"]
    assert await texts(agent, "a") == ["two"]


async def test_key_of_ones_own() -> None:
    agent = subject(ScriptedModel([text("one")]), ResponseCache(key=lambda inputs: "same"))
    assert await texts(agent, "a", "b") == ["one", "one"]

    def fail(inputs: Any) -> str:
        raise ValueError("no key")

    agent = subject(ScriptedModel([text("one"), text("two")]), ResponseCache(key=fail))
    assert await texts(agent, "a", "a", "b") == ["one", "one", "two"]
    pinned = ResponseCache.context(key="pinned")
    agent = subject(ScriptedModel([text("one")]), ResponseCache())
    assert await texts(agent, "a", "b", request_context=pinned) == ["one", "one"]


async def test_rejected_answer_is_not_replayed() -> None:
    def check(args: Any) -> None:
        if args.text == "bad":
            args.abort("bad", retry=True)

    model = ScriptedModel([text("bad"), text("good"), text("good again")])
    agent = subject(
        model,
        ResponseCache(),
        output_processors=[processor("check", process_output_step=check)],
        max_processor_retries=1,
    )
    assert await texts(agent, "a", "a") == ["good", "good again"]


async def test_redacted_answer_stays_redacted() -> None:
    def redact(args: Any) -> Any:
        if args.part.type == "text-delta":
            args.part.payload.text = args.part.payload.text.replace("secret", "[X]")
        return args.part

    cache = ResponseCache()
    guard = processor("guard", process_output_stream=redact)
    agent = subject(ScriptedModel([text("a secret")]), cache, output_processors=[guard])
    assert await texts(agent, "a") == ["a [X]"]
    assert await texts(subject(ScriptedModel([]), cache), "a") == ["a [X]"]


async def test_steps_of_a_tool_loop_are_apart() -> None:
    ran: list[int] = []
    model = ScriptedModel([calls("tool"), text("Done")])
    tool = Tool(name="tool", execute=lambda args, context: ran.append(1))
    agent = subject(model, ResponseCache(), tools=[tool])
    assert await texts(agent, "a", "a") == ["Done", "Done"]
    assert len(model.requests) == 2
    assert len(ran) == 2  # a replayed tool call is executed again (docs/rules.md D27)


async def test_file(tmp_path: Path) -> None:
    options = {"path": str(tmp_path / "cache.db"), "ttl": 60, "agentId": "x"}
    cache = ResponseCache.from_options(options, id="c")
    assert cache.describe() == {"id": "c", "type": "response-cache", "bust": False, **options}
    again = ResponseCache.from_options(cache.describe(), id="c")
    assert await texts(subject(ScriptedModel([text("one")]), cache), "a") == ["one"]
    assert await texts(subject(ScriptedModel([]), again), "a") == ["one"]


@pytest.mark.parametrize("options", [{"ttl": 0}, {"ttl": "5"}, {"ttl": True}, {"nope": 1}])
def test_options_without_meaning(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="response-cache"):
        ResponseCache.from_options(options, id="c")
