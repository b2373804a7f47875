"""Examples that work on messages and on the request."""

from __future__ import annotations

from typing import Any

import pytest

from tests.spec_examples.examples import (
    ContentFilter,
    DynamicModelProcessor,
    ErrorRecoveryProcessor,
    LowercaseProcessor,
    ReasoningTransformer,
    get_text,
)
from tests.spec_examples.support import (
    answer,
    chunks_of,
    prompt_texts,
    reasoning,
    text_of,
    tool_call,
)
from tripscope.agent import Agent
from tripscope.context import RequestContext
from tripscope.errors import APIError
from tripscope.messages import Message, text_message
from tripscope.models.base import Model
from tripscope.models.scripted import ScriptedModel
from tripscope.processor import ProcessInputStepArgs, Processor
from tripscope.tools import Tool

LOOKUP = Tool(name="lookup", execute=lambda args, context: {"v": 1})


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"format": 2, "parts": [{"type": "text", "text": "a"}, {"type": "file"}]}, "a"),
        ({"format": 2, "parts": [], "content": "legacy"}, "legacy"),
        ({"format": 2, "parts": [{"type": "text", "text": "a"}], "content": "legacy"}, "a"),
    ],
)
def test_get_text(content: Any, text: str) -> None:
    assert get_text(Message.from_wire({"role": "user", "content": content})) == text


async def test_lowercase_changes_what_the_model_reads() -> None:
    model = ScriptedModel([answer("ok")])
    agent = Agent(id="a", model=model, input_processors=[LowercaseProcessor()])
    given = text_message("user", "Hello THERE")
    result = await agent.generate([given])
    assert prompt_texts(model.requests[0].prompt, "user") == ["hello there"]
    assert [message.text for message in result.messages] == ["hello there", "ok"]
    assert given.text == "Hello THERE"


class Models:
    """``resolve_model`` that hands out scripted models by id."""

    def __init__(self, **responses: Any) -> None:
        self.asked: list[str] = []
        self._models = {id: ScriptedModel(script) for id, script in responses.items()}

    def __call__(self, id: str) -> Model:
        self.asked.append(id)
        return self._models[{"openai/gpt-5-mini": "mini", "openai/gpt-5.6-sol": "sol"}[id]]

    def calls(self, name: str) -> int:
        return len(self._models[name].requests)


async def test_dynamic_model_switches_after_a_tool_call() -> None:
    models = Models(mini=[tool_call()], sol=[answer("done")])
    own = ScriptedModel([])
    agent = Agent(
        id="a",
        model=own,
        tools=[LOOKUP],
        input_processors=[DynamicModelProcessor()],
        resolve_model=models,
    )
    result = await agent.generate("hi")
    assert result.text == "done"
    assert (models.calls("mini"), models.calls("sol"), len(own.requests)) == (1, 1, 0)


class WithoutSteps(Processor):
    """Runs a processor as if no step had called a tool."""

    id = "without-steps"

    def process_input_step(self, args: ProcessInputStepArgs) -> Any:
        args.steps = []
        return DynamicModelProcessor().process_input_step(args) if args.step_number else None


async def test_dynamic_model_takes_the_tools_away_after_five_steps() -> None:
    model = ScriptedModel([tool_call(id=f"c{n}") for n in range(6)] + [answer("done")])
    agent = Agent(id="a", model=model, tools=[LOOKUP], input_processors=[WithoutSteps()])
    result = await agent.generate("hi", max_steps=7)
    assert result.text == "done"
    choices = [request.tool_choice for request in model.requests]
    assert [choice in ("none", {"type": "none"}) for choice in choices] == [False] * 6 + [True]


async def test_reasoning_is_renamed_in_place_and_stays_so() -> None:
    model = ScriptedModel([[*reasoning("hm"), *tool_call()], answer("done")])
    agent = Agent(id="a", model=model, tools=[LOOKUP], input_processors=[ReasoningTransformer()])
    result = await agent.generate("hi")
    [sent] = [m for m in model.requests[1].prompt if m["role"] == "assistant"]
    assert sent["content"][0] == {"type": "thinking", "text": "hm"}
    assert result.messages[-1].parts[0].type == "thinking"


async def test_content_filter_blocks_a_message_before_the_model_is_called() -> None:
    model = ScriptedModel([answer("never")])
    agent = Agent(id="a", model=model, input_processors=[ContentFilter(["secret"])])
    result = await agent.generate("a secret plan")
    assert model.requests == []
    assert result.finish_reason == "other"
    assert result.tripwire is not None
    assert result.tripwire.reason == "Blocked content detected in input"
    assert result.tripwire.processor_id == "content-filter"


async def test_content_filter_blocks_a_delta_of_the_stream() -> None:
    agent = Agent(
        id="a",
        model=ScriptedModel([answer("ok ", "the secret", " after")]),
        output_processors=[ContentFilter(["secret"])],
    )
    chunks = await chunks_of(agent, "hi")
    assert text_of(chunks) == "ok "
    last = chunks[-1].to_wire()
    assert last["type"] == "tripwire"
    assert last["from"] == "AGENT"
    assert isinstance(last["runId"], str)
    assert last["payload"] == {
        "reason": "Blocked content detected in output",
        "processorId": "content-filter",
    }


async def test_processors_can_be_made_for_the_request() -> None:
    def filters(context: RequestContext) -> list[Processor]:
        return [ContentFilter(context.get("blockedWords", []))]

    agent = Agent(id="a", model=ScriptedModel([answer("ok")] * 2), input_processors=filters)
    blocked = await agent.generate("red", request_context=RequestContext(blockedWords=["red"]))
    passed = await agent.generate("red", request_context=RequestContext())
    assert blocked.tripwire is not None
    assert passed.text == "ok"


async def test_an_array_of_the_call_replaces_the_agents() -> None:
    agent = Agent(
        id="a",
        model=ScriptedModel([answer("red")] * 2),
        output_processors=[ContentFilter(["red"])],
    )
    assert text_of(await chunks_of(agent, "hi", output_processors=[])) == "red"
    assert (await chunks_of(agent, "hi"))[-1].type == "tripwire"


TALK = [
    {"role": role, "content": f"{role} {n}"} for n in range(3) for role in ("user", "assistant")
]


async def test_error_recovery_trims_the_conversation_and_retries_once() -> None:
    refusal = APIError("400: context length exceeded", status_code=400)
    model = ScriptedModel([refusal, answer("recovered")])
    agent = Agent(id="a", model=model, error_processors=[ErrorRecoveryProcessor()])
    result = await agent.generate(TALK[:5])
    assert result.text == "recovered"
    assert prompt_texts(model.requests[1].prompt, "user") == ["user 0", "user 2"]
    assert prompt_texts(model.requests[1].prompt, "assistant") == ["assistant 1"]


@pytest.mark.parametrize(
    ("message", "length", "calls"),
    [("context length exceeded", 5, 2), ("context length exceeded", 3, 1), ("busy", 5, 1)],
)
async def test_error_recovery_leaves_other_errors(message: str, length: int, calls: int) -> None:
    model = ScriptedModel([APIError(message, status_code=400)] * 3)
    agent = Agent(id="a", model=model, error_processors=[ErrorRecoveryProcessor()])
    with pytest.raises(APIError, match=message):
        await agent.generate(TALK[:length])
    assert len(model.requests) == calls
