"""Runs one scenario and gives its record, in the form of its ``expect``."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from tests.conformance.lifecycle import normal
from tests.conformance.lifecycle.digest import Digest
from tests.conformance.lifecycle.memory import seed, stored
from tests.conformance.lifecycle.models import RecordedModel, make_tool
from tests.conformance.lifecycle.normal import Normaliser
from tests.conformance.lifecycle.processors import make_processor, prepare_step
from tests.conformance.lifecycle.record import Record
from tests.conformance.lifecycle.returns import World
from tripscope.agent import Agent
from tripscope.clock import VirtualClock
from tripscope.context import RequestContext
from tripscope.memory import Memory
from tripscope.processors import BUILT_INS

_ARRAYS = {
    "inputProcessors": "input_processors",
    "outputProcessors": "output_processors",
    "errorProcessors": "error_processors",
}
_OPTIONS = {
    "maxSteps": "max_steps",
    "maxProcessorRetries": "max_processor_retries",
    "toolChoice": "tool_choice",
    "activeTools": "active_tools",
    "providerOptions": "provider_options",
    "modelSettings": "model_settings",
}
_BUILT_INS = {
    "PrefillErrorHandler": "prefill-error-handler",
    "ResponseCache": "response-cache",
}


class ScenarioRun:
    """One agent and everything that it needs, made from a scenario."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        self._scenario = scenario
        self._record = Record()
        models = {
            id: RecordedModel(id, responses, self._record)
            for id, responses in scenario["models"].items()
        }
        tools = {
            name: make_tool(name, spec, self._record)
            for name, spec in scenario.get("tools", {}).items()
        }
        self._world = World(dict(models), tools)
        self._processors = {
            key: self._processor(key, spec) for key, spec in scenario.get("processors", {}).items()
        }
        self._memory = Memory() if "memory" in scenario else None
        self._agent = self._make_agent(scenario["agent"])

    async def run(self) -> dict[str, Any]:
        """Run all calls, one after the other."""
        scenario = self._scenario
        if self._memory is not None:
            await seed(self._memory, scenario["memory"])
        record: dict[str, Any] = {"calls": [await self._call(call) for call in scenario["calls"]]}
        if self._memory is not None:
            messages = await stored(self._memory, scenario["memory"])
            record["memory"] = self._normaliser("stream").messages(messages)
        if scenario.get("recordProcessorIndex"):
            record["processorIndex"] = {
                key: processor.processor_index for key, processor in self._processors.items()
            }
        return record

    # -- building --------------------------------------------------------------------------------

    def _processor(self, key: str, spec: dict[str, Any]) -> Any:
        if "builtin" in spec:
            return BUILT_INS[_BUILT_INS[spec["builtin"]]]()
        return make_processor(key, spec, self._world, self._record)

    def _make_agent(self, spec: dict[str, Any]) -> Agent:
        names = spec.get("tools", list(self._world.tools))
        options = {_ARRAYS[name]: self._chain(spec[name]) for name in _ARRAYS if name in spec}
        if "maxProcessorRetries" in spec:
            options["max_processor_retries"] = spec["maxProcessorRetries"]
        if "maxRetries" in spec:
            options["max_retries"] = spec["maxRetries"]
        return Agent(
            id="scenario",
            model=self._world.models[spec["model"]],
            instructions=spec["instructions"],
            tools=[self._world.tools[name] for name in names],
            memory=self._memory,
            **options,
        )

    def _chain(self, spec: Any) -> Any:
        if isinstance(spec, list):
            return [self._processors[key] for key in spec]

        def by_context(context: RequestContext) -> list[Any]:
            keys = spec["cases"].get(context.get(spec["by"]), spec["default"])
            return [self._processors[key] for key in keys]

        return by_context

    def _normaliser(self, method: str) -> Normaliser:
        return Normaliser(raised_texts(self._scenario), with_ids=method == "stream")

    # -- calling ---------------------------------------------------------------------------------

    async def _call(self, call: dict[str, Any]) -> dict[str, Any]:
        normaliser = self._normaliser(call["method"])
        digest = Digest(
            normaliser,
            context="requestContext" in call,
            present=self._scenario.get("recordPresent", False),
            stream_parts=self._scenario.get("recordStreamParts", False),
        )
        self._record.begin(digest)
        outcome = await Outcome(normaliser).of(self._agent, call, self._options(call))
        return outcome | {
            "hooks": self._record.hooks,
            "modelCalls": self._record.model_calls,
        }

    def _options(self, call: dict[str, Any]) -> dict[str, Any]:
        options = {name: copy.deepcopy(call[key]) for key, name in _OPTIONS.items() if key in call}
        options |= {name: self._chain(call[key]) for key, name in _ARRAYS.items() if key in call}
        if "requestContext" in call:
            options["request_context"] = RequestContext(call["requestContext"])
        if "prepareStep" in call:
            options["prepare_step"] = prepare_step(call["prepareStep"], self._world, self._record)
        if "memory" in self._scenario:
            options["thread"] = self._scenario["memory"]["thread"]
            options["resource"] = self._scenario["memory"]["resource"]
        # The model's own retries wait between calls; virtual time keeps the tests from it.
        return options | {"clock": VirtualClock()}


class Outcome:
    """What the caller of `Agent.stream` or `Agent.generate` gets."""

    def __init__(self, normaliser: Normaliser) -> None:
        self._normal = normaliser

    async def of(
        self, agent: Agent, call: dict[str, Any], options: dict[str, Any]
    ) -> dict[str, Any]:
        """Make the call: ``stream``, ``result``, ``messages``."""
        messages = copy.deepcopy(call["messages"])
        try:
            if call["method"] == "generate":
                result = await agent.generate(messages, **options)
                return self._record(result)
            stream = await agent.stream(messages, **options)
        except Exception as error:
            return {"result": {"thrown": self._normal.error(error)}}
        chunks = [self._normal.chunk(chunk) async for chunk in stream.full_stream]
        return {"stream": chunks} | self._record(await stream.result())

    def _record(self, result: Any) -> dict[str, Any]:
        try:
            record = self._result(result)
            messages = result.messages
        except Exception as error:
            record = {
                "rejected": self._normal.error(error),
                "error": self._normal.error(result.error),
            }
            messages = result.messages_as_they_stood
        return {"result": record, "messages": self._normal.messages(messages)}

    def _result(self, result: Any) -> dict[str, Any]:
        tripwire = result.tripwire
        names = ("reason", "retry", "metadata", "processorId")
        return normal.without_none(
            {
                "text": result.text,
                "finishReason": result.finish_reason,
                "toolCalls": normal.tool_calls(result.tool_calls),
                "toolResults": normal.tool_results(result.tool_results),
                "usage": normal.usage(result.usage),
                "steps": self._normal.steps(result.steps, finish_reasons=True),
                "tripwire": None if tripwire is None else normal.picked(tripwire, names),
                "error": None if result.error is None else self._normal.error(result.error),
                "object": normal.plain(result.object),
            }
        )


def raised_texts(scenario: dict[str, Any]) -> list[str]:
    """Texts of the errors that the scenario itself raises."""
    return [*_thrown(scenario), *_failures(scenario)]


def _thrown(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if value.get("do") == "throw":
            yield value["message"]
        for key, item in value.items():
            if not key.startswith("expect"):
                yield from _thrown(item)
    elif isinstance(value, list):
        for item in value:
            yield from _thrown(item)


def _failures(scenario: dict[str, Any]) -> Iterator[str]:
    for responses in scenario["models"].values():
        for response in responses:
            for failed in [response, *response.get("chunks", ())]:
                if isinstance(failed.get("error"), dict):
                    yield failed["error"]["message"]
    for tool in scenario.get("tools", {}).values():
        if "error" in tool:
            yield tool["error"]
