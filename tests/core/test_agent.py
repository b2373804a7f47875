"""Options of agent and call: what reaches hooks, the provider request, and the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.engine import agent, calls, processor, read, text, told
from tripscope.agent import Agent
from tripscope.chunks import BlockEdge, Chunk, Delta, Finish, ToolCall, ToolResult, Usage
from tripscope.context import RequestContext
from tripscope.errors import APIError, HookError, TripWire
from tripscope.messages import SystemMessage
from tripscope.models.scripted import ScriptedModel
from tripscope.processor import InputResult, InputStepResult, Processor
from tripscope.tools import Tool
from tripscope.trace.events import Warned
from tripscope.trace.recorder import EventLog


def tools(*names: str) -> list[Tool]:
    return [Tool(name=name, execute=lambda args, context: 1) for name in names]


async def test_settings_reach_the_request_and_the_step_hook() -> None:
    model, seen = ScriptedModel([text("x")]), []
    watch = processor("p", process_input_step=lambda args: seen.append(args))
    subject = Agent(
        id="a",
        model=model,
        instructions=["One.", SystemMessage("Two.")],
        tools=tools("a", "b"),
        input_processors=[watch],
    )
    await subject.generate(
        "hi",
        tool_choice="required",
        active_tools=["b"],
        provider_options={"openai": {"effort": "low"}},
        model_settings={"temperature": 0.5},
    )
    request, args = model.requests[0], seen[0]
    assert [tool.name for tool in request.tools] == ["b"]
    assert request.tool_choice == {"type": "required"}
    assert request.provider_options == {"openai": {"effort": "low"}}
    assert request.model_settings == {"temperature": 0.5}
    assert request.streaming is False
    assert [message["content"] for message in request.prompt[:2]] == ["One.", "Two."]
    assert (args.tool_choice, args.active_tools) == ("required", ["b"])
    assert list(args.tools) == ["a", "b"]


async def test_step_overrides_hold_for_their_step() -> None:
    other = ScriptedModel([calls("a")], model_id="other")
    model = ScriptedModel([text("x")])

    def first_step_only(args: Any) -> InputStepResult | None:
        if args.step_number:
            return None
        return InputStepResult(
            model="test/other",
            tool_choice={"type": "tool", "toolName": "a"},
            active_tools=["a"],
            model_settings={"temperature": 1},
            system_messages=[SystemMessage("Only now.")],
        )

    subject = Agent(
        id="a",
        model=model,
        instructions="Always.",
        tools=tools("a", "b"),
        resolve_model={"test/other": other}.__getitem__,
    )
    await subject.generate("hi", prepare_step=first_step_only, model_settings={"topP": 1})
    first, second = other.requests[0], model.requests[0]
    assert first.tool_choice == {"type": "tool", "toolName": "a"}
    assert first.model_settings == {"temperature": 1}
    assert first.prompt[0]["content"] == "Only now."
    assert second.tool_choice == {"type": "auto"}
    assert second.model_settings == {"topP": 1}
    assert second.prompt[0]["content"] == "Always."
    assert [tool.name for tool in second.tools] == ["a", "b"]


async def test_processors_made_from_the_request_context() -> None:
    made: list[str] = []

    async def chain(context: RequestContext) -> list[Any]:
        made.append(context["user"])
        return [processor("p", process_input=lambda args: made.append("ran"))]

    subject = agent(text("x"), text("y"), input_processors=chain)
    await subject.generate("hi", request_context=RequestContext(user="ann"))
    assert made == ["ann", "ran"]
    await subject.generate("hi", request_context=RequestContext(user="bob"), input_processors=[])
    assert made == ["ann", "ran"]


async def test_processor_without_an_id_is_refused() -> None:
    with pytest.raises(TypeError, match="no id"):
        await agent(text("x"), input_processors=[object()]).generate("hi")


async def test_numbers_below_zero_are_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        await agent(text("x")).generate("hi", max_processor_retries=-1)


async def test_model_retries_wait_longer_each_time() -> None:
    waits: list[float] = []

    class Waiting:
        def now(self) -> int:
            return 0

        async def sleep(self, seconds: float) -> None:
            waits.append(seconds)

    busy = APIError("busy", status_code=503, is_retryable=True)
    subject = agent(busy, busy, text("x"), max_retries=2)
    assert (await subject.generate("hi", clock=Waiting())).text == "x"
    assert waits == [1, 2]
    with pytest.raises(APIError):
        await agent(busy, text("x")).generate("hi", clock=Waiting())
    wrong = APIError("wrong", status_code=400)
    with pytest.raises(APIError, match="wrong"):
        await agent(wrong, text("x"), max_retries=2).generate("hi", clock=Waiting())


async def test_tool_gets_its_context() -> None:
    seen: list[Any] = []

    def look(args: Any, context: Any) -> Any:
        seen.append((args, context.tool_call_id, context.request_context["user"]))
        return {"set": {1}}

    subject = agent(
        calls("look", args={"q": 1}), text("x"), tools=[Tool(name="look", execute=look)]
    )
    result = await subject.generate("hi", request_context=RequestContext(user="ann"))
    assert seen == [({"q": 1}, "c1", "ann")]
    assert result.tool_results[0].result == {"set": [1]}  # made JSON


@pytest.mark.parametrize("case", ["unknown", "inactive", "invalid"])
async def test_a_call_that_cannot_be_executed_is_a_tool_error(case: str) -> None:
    ran: list[Any] = []
    call = ToolCall(tool_call_id="c1", tool_name="x" if case == "unknown" else "a", args="{")
    if case == "invalid":
        call.extra["invalid"] = True
    finish = Chunk("finish", Finish(reason="tool-calls"))
    subject = agent(
        [Chunk("tool-call", call), finish],
        text("Done"),
        tools=[Tool(name="a", execute=lambda args, context: ran.append(args))],
    )
    active = [] if case == "inactive" else None
    chunks = await read(await subject.stream("hi", active_tools=active))
    assert "tool-error" in told(chunks)
    assert ran == []


async def test_provider_executed_tool_result_passes_process_tool_result() -> None:
    seen: list[Any] = []

    def note(args: Any) -> None:
        seen.append((args.tool_name, args.result, args.provider_executed))

    call = ToolCall(tool_call_id="c1", tool_name="search", args={}, provider_executed=True)
    result = ToolResult(tool_call_id="c1", tool_name="search", args={}, result=[1])
    subject = agent(
        [Chunk("tool-call", call), Chunk("tool-result", result), *text("Found")],
        output_processors=[processor("p", process_tool_result=note)],
    )
    chunks = await read(await subject.stream("hi"))
    assert seen == [("search", [1], True)]
    assert told(chunks)[-3:] == ["tool-result", "step-finish:stop", "finish:stop"]


async def test_client_tool_ends_the_run() -> None:
    subject = agent(calls("ask"), tools=[Tool(name="ask")])
    result = await subject.generate("hi")
    assert result.finish_reason == "tool-calls"
    assert [call.tool_name for call in result.tool_calls] == ["ask"]


async def test_structured_output() -> None:
    schema = {
        "type": "object",
        "properties": {"answer": {"type": "string"}},
        "required": ["answer"],
    }
    model = ScriptedModel([text('{"ans', 'wer": "4', '2"}')])
    stream = await Agent(id="a", model=model).stream("hi", structured_output={"schema": schema})
    chunks = await read(stream)
    assert [c.extra["object"] for c in chunks if c.type == "object"] == [{}, {"answer": "42"}]
    assert [c.extra["object"] for c in chunks if c.type == "object-result"] == [{"answer": "42"}]
    assert (await stream.result()).object == {"answer": "42"}
    assert model.requests[0].response_format == {"type": "json", "schema": schema}


async def test_answer_that_does_not_fit_the_schema() -> None:
    log = EventLog()
    schema = {"type": "object", "required": ["answer"]}
    stream = await agent(text('{"x": 1}')).stream(
        "hi", structured_output={"schema": schema}, trace=log
    )
    assert (await stream.result()).object is None
    assert "lacks 'answer'" in log.of(Warned)[0].message


async def test_duck_typed_and_derived_processors() -> None:
    class Derived(Processor):
        id = "derived"

        def process_input(self, args: Any) -> Any:
            return InputResult(system_messages=[*args.system_messages, SystemMessage("Be kind.")])

    model = ScriptedModel([text("x")])
    await Agent(id="a", model=model, input_processors=[Derived()]).generate("hi")
    assert model.requests[0].prompt[0]["content"] == "Be kind."


@pytest.mark.parametrize(
    ("hook", "value"),
    [
        ("process_input", "text"),
        ("process_input_step", 1),
        ("process_llm_request", {"prompt": []}),
        ("process_output_stream", "text"),
        ("process_output_stream", Chunk("text-delta", {"id": "t1", "text": "x"})),
        ("process_output_step", {"messages": []}),
        ("process_output_result", [object()]),
    ],
)
async def test_return_value_of_another_shape_fails_closed(hook: str, value: Any) -> None:
    one = [processor("p", **{hook: lambda args: value})]
    subject = agent(text("x"), input_processors=one, output_processors=one)
    with pytest.raises(HookError, match="'p'"):
        await subject.generate("hi")


async def test_abort_without_a_reason_names_the_processor() -> None:
    refuse = processor("p", process_input=lambda args: args.abort())
    result = await agent(text("x"), input_processors=[refuse]).generate("hi")
    assert result.tripwire is not None
    assert result.tripwire.reason == "Tripwire triggered by p"


async def test_custom_chunk_of_another_type_is_refused() -> None:
    async def write(args: Any) -> None:
        await args.writer.custom({"type": "text-delta", "payload": {}})

    subject = agent(text("x"), output_processors=[processor("p", process_output_step=write)])
    with pytest.raises(HookError, match="data-"):
        await subject.generate("hi")


async def test_data_written_before_an_abort_is_delivered_once() -> None:
    async def write_and_refuse(args: Any) -> None:
        await args.writer.custom({"type": "data-x", "data": args.retry_count})
        if not args.retry_count:
            args.abort("again", retry=True)

    guard = processor("p", process_output_step=write_and_refuse)
    subject = agent(text("a"), text("b"), output_processors=[guard], max_processor_retries=1)
    chunks = await read(await subject.stream("hi"))
    assert [chunk.data for chunk in chunks if chunk.is_data] == [0, 1]
    types = [chunk.type for chunk in chunks]
    assert types.index("data-x") < types.index("step-finish")


async def test_text_let_out_by_step_finish_counts() -> None:
    def hold(args: Any) -> Any:
        part, state = args.part, args.state
        if part.type == "text-delta":
            state["held"] = part
            return None
        if part.type == "step-finish" and "held" in state:
            return [state.pop("held"), part]
        return part

    holder = processor("p", process_output_stream=hold)
    subject = agent(text("Hello", end=False), output_processors=[holder])
    stream = await subject.stream("hi")
    chunks = await read(stream)
    assert told(chunks)[-3:] == ["text-delta:Hello", "step-finish:stop", "finish:stop"]
    assert chunks[-2].payload.text == chunks[-1].payload.text == "Hello"
    result = await stream.result()
    assert (result.text, result.messages[-1].text) == ("Hello", "Hello")


async def test_text_held_in_a_rejected_attempt_never_comes_out() -> None:
    def hold(args: Any) -> Any:
        part, state = args.part, args.state
        if part.type == "text-delta":
            args.probe.held(len(part.payload.text))
            state["held"] = part
            return None
        held = state.pop("held", None)
        return [held, part] if held and part.type in ("text-end", "step-finish") else part

    def reject(args: Any) -> Any:
        if args.part.type == "finish" and not args.retry_count:
            args.abort("again", retry=True)
        return args.part

    subject = agent(
        text("secret", end=False),
        text("fine"),
        output_processors=[
            processor("reject", process_output_stream=reject),
            processor("hold", process_output_stream=hold),
        ],
        max_processor_retries=1,
    )
    lines = told(await read(await subject.stream("hi")))
    assert not any("secret" in line for line in lines)
    assert "text-delta:fine" in lines


async def test_half_an_emoji_per_chunk_is_joined_in_the_message() -> None:
    subject = agent(text("\ud83d", "\ude00"))
    result = await subject.generate("hi")
    stream = await agent(text("\ud83d", "\ude00")).stream("hi")
    assert result.text == (await stream.result()).text == "😀"


async def test_reasoning_keeps_the_providers_metadata() -> None:
    signed = BlockEdge(id="r1", provider_metadata={"anthropic": {"signature": "s"}})
    answer = [
        Chunk("reasoning-start", BlockEdge(id="r1")),
        Chunk("reasoning-delta", Delta(id="r1", text="hm")),
        Chunk("reasoning-end", signed),
        *text("x"),
    ]
    result = await agent(answer).generate("hi")
    part = result.messages[-1].parts[0]
    assert (part.reasoning, part.provider_metadata) == ("hm", {"anthropic": {"signature": "s"}})


async def test_usage_of_rejected_attempts_counts() -> None:
    def reject(args: Any) -> None:
        if not args.retry_count:
            args.abort("again", retry=True)

    guard = processor("p", process_output_step=reject)
    subject = agent(text("a"), text("b"), output_processors=[guard], max_processor_retries=1)
    assert (await subject.generate("hi")).usage == Usage(
        input_tokens=20, output_tokens=10, total_tokens=30
    )


async def test_trace_to_a_path(tmp_path: Path) -> None:
    from tripscope.trace.file import load

    path = tmp_path / "run.trace.jsonl"
    log = EventLog()
    await agent(text("x")).generate("hi", trace=path)
    await agent(text("x")).generate("hi", trace=log)
    assert [event.kind for event in load(path)] == [event.kind for event in log]


async def test_swallowed_tripwire_goes_on() -> None:
    # As in the reference: whoever catches the exception of abort has decided otherwise.
    def swallow(args: Any) -> None:
        try:
            args.abort("no")
        except TripWire:
            return

    subject = agent(text("x"), output_processors=[processor("p", process_output_step=swallow)])
    assert (await subject.generate("hi")).status == "passed"
