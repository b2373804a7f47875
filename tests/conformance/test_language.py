"""Words of the scenario language that no golden vector uses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.lifecycle.scenario import ScenarioRun, raised_texts

USAGE = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
TOOLS = {
    "lookup": {"result": {"v": 1}},
    "ask": {"client": True},
    "extra": {"result": 2},
    "null": {"result": None},
}


def says(*deltas: str) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"type": "stream-start", "warnings": []}]
    parts.append({"type": "text-start", "id": "t1"})
    parts += [{"type": "text-delta", "id": "t1", "delta": delta} for delta in deltas]
    parts.append({"type": "text-end", "id": "t1"})
    return {"chunks": [*parts, {"type": "finish", "finishReason": "stop", "usage": USAGE}]}


def calls(name: str) -> dict[str, Any]:
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": name, "input": '{"q": "x"}'}
    return {"chunks": [call, {"type": "finish", "finishReason": "tool-calls", "usage": USAGE}]}


async def run(
    hooks: dict[str, list[dict[str, Any]]],
    *responses: dict[str, Any],
    tools: list[str] | None = None,
    **call: Any,
) -> dict[str, Any]:
    scenario = {
        "models": {"mock/a": list(responses or [says("hello")])},
        "tools": TOOLS,
        "processors": {"p": {"hooks": hooks}},
        "agent": {
            "instructions": "Be terse.",
            "model": "mock/a",
            "inputProcessors": ["p"],
            "outputProcessors": ["p"],
            "tools": tools or [],
        },
        "calls": [{"method": "stream", "messages": "hi"} | call],
    }
    record = await ScenarioRun(scenario).run()
    [made] = record["calls"]
    return dict(made)


def entries(call: dict[str, Any], hook: str) -> list[dict[str, Any]]:
    return [entry for entry in call["hooks"] if entry["hook"] == hook]


async def test_mutate_part_edits_the_part_in_place() -> None:
    rule = {"if": {"partText": "ell"}, "do": "mutatePart", "op": {"replace": ["l", "L"]}}
    call = await run({"processOutputStream": [rule]}, says("he", "llo ell", "o"))
    assert call["result"]["text"] == "heLLo eLLo"


async def test_add_tools_keeps_those_that_are_there() -> None:
    rule = {"do": "returnFields", "fields": {"addTools": ["extra"]}}
    call = await run({"processInputStep": [rule]}, tools=["lookup"])
    assert call["modelCalls"][0]["tools"] == ["lookup", "extra"]


async def test_a_call_to_a_client_tool_ends_the_run() -> None:
    call = await run({}, calls("ask"), tools=["ask"])
    assert call["result"]["finishReason"] == "tool-calls"
    assert call["messages"][1]["parts"][0]["state"] == "call"
    assert len(call["modelCalls"]) == 1


async def test_a_tool_may_return_null() -> None:
    call = await run({"processToolResult": []}, calls("null"), says("done"), tools=["null"])
    assert call["messages"][1]["parts"][0]["result"] is None
    assert call["result"]["toolResults"][0]["result"] is None
    [sent] = [chunk for chunk in call["stream"] if chunk["type"] == "tool-result"]
    assert sent["payload"]["result"] is None


async def test_drop_system_and_op_on_the_prompt() -> None:
    rule = {"do": "returnPrompt", "dropSystem": True, "op": {"upper": True}}
    call = await run({"processLLMRequest": [rule]})
    assert call["modelCalls"][0]["prompt"] == [
        {"role": "user", "content": [{"type": "text", "text": "HI"}]}
    ]
    assert call["messages"][0]["parts"][0]["text"] == "hi"


async def test_return_metadata_extends_the_metadata() -> None:
    rule = {"do": "returnMetadata", "select": {"role": "assistant"}, "metadata": {"k": 1}}
    call = await run({"processOutputResult": [rule]})
    assert call["messages"][1]["metadata"] == {"k": 1}


async def test_push_state_takes_the_text_of_deltas_only() -> None:
    rules = [
        {"do": "pushState", "key": "texts", "from": "partText"},
        {"do": "pushState", "key": "hooks", "from": "hook"},
    ]
    call = await run({"processOutputStream": rules, "processOutputResult": []}, says("a", "b"))
    [last] = entries(call, "processOutputResult")
    assert last["args"]["state"]["texts"] == ["a", "b"]
    assert set(last["args"]["state"]["hooks"]) == {"processOutputStream"}


async def test_a_missing_writer_is_recorded() -> None:
    rule = {"do": "writeCustom", "chunk": {"type": "data-x", "data": 1}}
    call = await run({"processInput": [rule]})
    assert entries(call, "processInput")[0]["writer"] == "missing"


@pytest.mark.parametrize(
    ("hook", "condition"),
    [
        ("processOutputStep", {"text": "hell"}),
        ("processOutputStep", {"text": "nothing"}),
        ("processInputStep", {"invocation": 0}),
        ("processInputStep", {"invocation": 1}),
        ("processInputStep", {"stateHas": "n"}),
        ("processLLMResponse", {"fromCache": False}),
        ("processLLMResponse", {"fromCache": True}),
    ],
)
async def test_matchers(hook: str, condition: dict[str, Any]) -> None:
    rule = {"if": condition, "do": "setState", "key": "ran", "value": True}
    call = await run({hook: [rule]})
    [entry] = entries(call, hook)
    holds = condition in ({"text": "hell"}, {"invocation": 0}, {"fromCache": False})
    assert entry.get("stateAfter", {}).get("ran", False) is holds


async def test_matchers_of_tools_and_errors() -> None:
    rule = {"if": {"toolName": "lookup"}, "do": "updateToolResult", "result": "hidden"}
    call = await run({"processToolResult": [rule]}, calls("lookup"), says("done"), tools=["lookup"])
    assert call["result"]["toolResults"][0]["result"] == "hidden"


async def test_a_hook_that_aborts_tells_its_state_afterwards() -> None:
    rules = [{"do": "incState", "key": "n"}, {"do": "abort", "reason": "no"}]
    call = await run({"processInputStep": rules})
    [entry] = entries(call, "processInputStep")
    assert (entry["outcome"], entry["stateAfter"]) == ("abort", {"n": 1})


async def test_generate_joins_the_deltas_of_a_block() -> None:
    call = await run({"processOutputStream": []}, says("a", "b", "c"), method="generate")
    parts = [entry["args"]["part"] for entry in entries(call, "processOutputStream")]
    assert {"type": "text-delta", "payload": {"text": "abc"}} in parts


def test_texts_that_a_scenario_raises() -> None:
    scenario = {
        "models": {
            "mock/a": [
                {"error": {"message": "refused"}},
                {"chunks": [{"type": "error", "error": {"message": "cut"}}]},
            ]
        },
        "tools": {"t": {"error": "broken"}},
        "processors": {"p": {"hooks": {"processInput": [{"do": "throw", "message": "boom"}]}}},
        "calls": [{"prepareStep": [{"do": "throw", "message": "bang"}]}],
        "expect": {"do": "throw", "message": "not this"},
    }
    assert sorted(raised_texts(scenario)) == ["bang", "boom", "broken", "cut", "refused"]
