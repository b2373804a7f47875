"""What holds for every run, whatever its processors do: generated scenarios, fixed promises.

The promises are those of docs/rules.md, section 3 ("What a client may rely on") and rows D1, D11,
D12, D17 and D18. Every text that a model says is unique in its scenario.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.lifecycle.scenario import ScenarioRun

Draw = Callable[[st.SearchStrategy[Any]], Any]
USAGE = {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}
INPUT_HOOKS = ("processInput", "processInputStep", "processLLMRequest", "processLLMResponse")
OUTPUT_HOOKS = (
    "processOutputStream",
    "processOutputStep",
    "processToolResult",
    "processOutputResult",
)
ERROR_HOOKS = ("processAPIError",)
STEPPED = ("processInputStep", "processLLMRequest", "processLLMResponse", "processOutputStep")
PART_TYPES = ("step-start", "text-start", "text-end", "tool-call", "tool-result", "finish")


@st.composite
def rules(draw: Draw, hook: str) -> list[dict[str, Any]]:
    kinds = ["abort", "abort", "throw", "incState", "write"]
    if hook == "processAPIError":
        kinds += ["repair", "repair"]
    kind = draw(st.sampled_from(kinds))
    conditions: dict[str, Any] = {}
    if hook == "processOutputStream":
        conditions["partType"] = draw(st.sampled_from(PART_TYPES))
    if hook in STEPPED and draw(st.booleans()):
        conditions["stepNumber"] = draw(st.integers(0, 1))
    if draw(st.integers(0, 3)):
        conditions["retryCountLt"] = draw(st.integers(1, 2))
    rule: dict[str, Any] = {"if": conditions}
    match kind:
        case "abort":
            reason = f"no from {hook}"
            rule |= {"do": "abort", "reason": reason, "retry": draw(st.booleans())}
        case "throw":
            rule |= {"do": "throw", "message": f"boom in {hook}"}
        case "incState":
            rule |= {"do": "incState", "key": "n"}
        case "write":
            rule |= {"do": "writeCustom", "chunk": {"type": "data-note", "data": {"in": hook}}}
        case "repair":
            rule |= {"do": "returnFields", "fields": {"retry": True}}
    return [rule]


@st.composite
def processors(draw: Draw, hooks: tuple[str, ...]) -> dict[str, Any]:
    chosen = draw(st.lists(st.sampled_from(hooks), unique=True, max_size=2))
    listed = {hook: draw(rules(hook)) if draw(st.booleans()) else [] for hook in chosen}
    return {
        "hooks": listed or {hooks[0]: []},
        "onViolation": draw(st.sampled_from(["record", "throw"])),
        "processDataParts": draw(st.booleans()),
    }


@st.composite
def responses(draw: Draw, number: int) -> dict[str, Any]:
    if draw(st.integers(0, 9)) == 0:
        return {"error": {"statusCode": 400, "message": "bad request", "isRetryable": False}}
    chunks: list[dict[str, Any]] = []
    if draw(st.integers(0, 4)):
        deltas = [f"<{number}.{piece}>" for piece in range(draw(st.integers(1, 3)))]
        chunks += [{"type": "text-start", "id": "t1"}]
        chunks += [{"type": "text-delta", "id": "t1", "delta": delta} for delta in deltas]
        chunks += [{"type": "text-end", "id": "t1"}]
    if draw(st.integers(0, 7)) == 0:
        return {"chunks": [*chunks, {"type": "error", "error": {"message": "stream broke"}}]}
    calls = draw(st.integers(0, 2))
    for call in range(calls):
        name = draw(st.sampled_from(["lookup", "fails"]))
        called = {"toolCallId": f"c{number}.{call}", "toolName": name, "input": "{}"}
        chunks.append({"type": "tool-call"} | called)
    reason = "tool-calls" if calls else "stop"
    chunks.append({"type": "finish", "finishReason": reason, "usage": USAGE})
    return {"chunks": chunks}


@st.composite
def scenarios(draw: Draw) -> dict[str, Any]:
    chains = {"i": INPUT_HOOKS, "o": OUTPUT_HOOKS, "p": OUTPUT_HOOKS, "e": ERROR_HOOKS}
    agent: dict[str, Any] = {
        "instructions": "Be terse.",
        "model": "mock/a",
        "inputProcessors": ["i"],
        "outputProcessors": ["o", "p"],
        "errorProcessors": ["e"] if draw(st.booleans()) else [],
        "maxProcessorRetries": draw(st.integers(0, 2)),
        "maxRetries": 0,
    }
    return {
        "models": {"mock/a": [draw(responses(number)) for number in range(12)]},
        "tools": {"lookup": {"result": {"v": 1}}, "fails": {"error": "tool failed"}},
        "processors": {key: draw(processors(hooks)) for key, hooks in chains.items()},
        "agent": agent,
        "memory": {"thread": "t", "resource": "r"},
        "calls": [{"method": "stream", "messages": "hello", "maxSteps": 3}],
    }


def run(scenario: dict[str, Any], method: str = "stream") -> dict[str, Any]:
    scenario = copy.deepcopy(scenario)
    scenario["calls"][0]["method"] = method
    return asyncio.run(ScenarioRun(scenario).run())


def attempts(stream: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The chunks of each attempt, from step-start on."""
    current: list[dict[str, Any]] = []
    for chunk in stream:
        if chunk["type"] == "step-start":
            if current:
                yield current
            current = []
        current.append(chunk)
    if current:
        yield current


def is_rejected(attempt: list[dict[str, Any]]) -> bool:
    return any(c["type"] == "step-finish" and c["payload"]["reason"] == "retry" for c in attempt)


def text(chunks: list[dict[str, Any]]) -> str:
    return "".join(c["payload"]["text"] for c in chunks if c["type"] == "text-delta")


Call = dict[str, Any]


def one_ending_and_nothing_after_it(call: Call, scenario: dict[str, Any]) -> None:
    result, types = call["result"], [chunk["type"] for chunk in call["stream"]]
    # The error of a model call that nobody repaired comes before processOutputResult.
    failed = types.count("error") and types[-1] != "error"
    if "rejected" in result:
        assert types[-1] == "error"
        assert types.count("error") <= 2
        assert not {"finish", "tripwire"} & set(types)
    elif "tripwire" in result:
        assert types[-1] == "tripwire"
        assert call["stream"][-1]["payload"] == result["tripwire"]
        assert types.count("tripwire") == 1
        assert "finish" not in types
        assert types[types.index("error") + 1] == "step-finish" if failed else True
        assert result["finishReason"] == "other"
        assert "error" not in result
    elif "error" in result:
        last = [kind for kind in types if not kind.startswith("data-")][-3:]
        assert last == ["error", "step-finish", "finish"]
        assert types.count("error") == 1
        assert result["finishReason"] == result["steps"][-1]["finishReason"] == "error"
    else:
        assert types[-1] == "finish"
        assert types.count("finish") == 1
        assert not {"error", "tripwire"} & set(types)


def each_attempt_is_closed_but_the_one_that_was_cut(call: Call, scenario: dict[str, Any]) -> None:
    started = [a for a in attempts(call["stream"]) if a[0]["type"] == "step-start"]
    cut = "rejected" in call["result"] or "tripwire" in call["result"]
    for attempt in started:
        closed = [chunk["type"] for chunk in attempt].count("step-finish")
        assert closed == 1 or (cut and closed == 0 and attempt is started[-1])
        if is_rejected(attempt):
            [finish] = [c["payload"] for c in attempt if c["type"] == "step-finish"]
            assert finish["text"] == text(attempt)
            assert finish["isContinued"] is True


def nothing_of_a_rejected_attempt_is_left(call: Call, scenario: dict[str, Any]) -> None:
    kept = repr([call["messages"], call["memory"], {**call["result"], "tripwire": None}])
    for attempt in attempts(call["stream"]):
        if is_rejected(attempt):
            said = [c["payload"]["text"] for c in attempt if c["type"] == "text-delta"]
            assert not [piece for piece in said if piece in kept]


def after_a_tripwire_the_text_is_what_was_delivered(call: Call, scenario: dict[str, Any]) -> None:
    if "tripwire" in call["result"]:
        accepted = [a for a in attempts(call["stream"]) if not is_rejected(a)]
        assert call["result"]["text"] == "".join(map(text, accepted))


def nothing_is_stored_of_a_run_that_was_ended(call: Call, scenario: dict[str, Any]) -> None:
    if "tripwire" in call["result"] or "rejected" in call["result"]:
        assert call["memory"] == []
    else:
        assert call["memory"] == call["messages"]


def budgets_hold(call: Call, scenario: dict[str, Any]) -> None:
    cap = scenario["agent"]["maxProcessorRetries"]
    counts = [e["args"]["retryCount"] for e in call["hooks"] if "retryCount" in e.get("args", {})]
    assert max(counts, default=0) <= cap
    assert len(call["modelCalls"]) <= 3 * (cap + 1)
    usage = call["result"].get("usage", {})
    assert usage.get("totalTokens", 0) <= 15 * len(call["modelCalls"])


def every_abort_is_told_once_and_ends_its_chain(call: Call, scenario: dict[str, Any]) -> None:
    hooks = call["hooks"]
    told = [entry for entry in hooks if entry["hook"] == "onViolation"]
    assert len(told) == sum(entry.get("outcome") == "abort" for entry in hooks)
    for index, entry in enumerate(hooks):
        if entry.get("outcome") == "abort":
            assert hooks[index + 1]["hook"] == "onViolation"
            assert hooks[index + 1]["processor"] == entry["processor"]
            # Then comes another attempt, the step-finish of this one, or nothing.
            for later in hooks[index + 2 : index + 3]:
                begins = ("processInput", "processInputStep", "processLLMRequest", "model.call")
                part = later.get("args", {}).get("part", {}).get("type")
                assert later["hook"] in begins or part == "step-finish"


def a_final_ending_is_the_last_hook(call: Call, scenario: dict[str, Any]) -> None:
    if "tripwire" in call["result"]:
        assert call["hooks"][-1]["hook"] == "onViolation"
    elif "rejected" in call["result"]:
        assert call["hooks"][-1]["outcome"] == "throw"


PROMISES = [
    one_ending_and_nothing_after_it,
    each_attempt_is_closed_but_the_one_that_was_cut,
    nothing_of_a_rejected_attempt_is_left,
    after_a_tripwire_the_text_is_what_was_delivered,
    nothing_is_stored_of_a_run_that_was_ended,
    budgets_hold,
    every_abort_is_told_once_and_ends_its_chain,
    a_final_ending_is_the_last_hook,
]


@settings(max_examples=150)
@given(scenarios())
def test_every_promise_holds(scenario: dict[str, Any]) -> None:
    record = run(scenario)
    call = record["calls"][0] | {"memory": record["memory"]}
    if "thrown" in call["result"]:
        assert "boom in processInput" in call["result"]["thrown"]["message"]
        assert call["memory"] == []
        return
    for promise in PROMISES:
        promise(call, scenario)


@settings(max_examples=50)
@given(scenarios())
def test_generate_ends_as_stream_does(scenario: dict[str, Any]) -> None:
    if any("error" in c for r in scenario["models"]["mock/a"] for c in r.get("chunks", ())):
        return  # an error part is a thing of streams
    streamed, whole = run(scenario), run(scenario, "generate")
    left, right = streamed["calls"][0], whole["calls"][0]
    if "thrown" in right["result"]:
        failure = right["result"]["thrown"]
        assert failure in (left["result"].get("thrown"), left["result"].get("error"))
    else:
        assert right["result"] == left["result"]
        assert right["messages"] == left["messages"]
    assert whole["memory"] == streamed["memory"]


@settings(max_examples=25)
@given(scenarios())
def test_a_run_can_be_repeated(scenario: dict[str, Any]) -> None:
    assert run(scenario) == run(scenario)
