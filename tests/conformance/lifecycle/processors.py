"""Processors of a scenario: real `Processor` subclasses that have only the hooks listed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tests.conformance.lifecycle import normal
from tests.conformance.lifecycle.actions import GOING, Call, perform
from tests.conformance.lifecycle.record import Record
from tests.conformance.lifecycle.returns import World
from tests.conformance.lifecycle.select import holds
from tripscope.processor import HOOKS, Processor, Violation


def make_processor(key: str, spec: dict[str, Any], world: World, record: Record) -> Processor:
    """An instance of a class made for this processor."""
    id = spec.get("id", key)
    methods = {
        HOOKS[hook]: _method(Interpreter(hook, id, rules, world, record))
        for hook, rules in spec["hooks"].items()
    }
    shape = type("ScenarioProcessor", (Processor,), methods)
    processor: Processor = shape()
    processor.id = id
    processor.process_data_parts = spec.get("processDataParts", False)
    if "onViolation" in spec:
        processor.on_violation = _on_violation(id, spec["onViolation"], record)
    return processor


def prepare_step(rules: list[dict[str, Any]], world: World, record: Record) -> Callable[[Any], Any]:
    """The ``prepare_step`` callback for a list of rules."""
    interpreter = Interpreter("prepareStep", "prepare-step", rules, world, record)
    return interpreter.run


def _method(interpreter: Interpreter) -> Callable[[Processor, Any], Any]:
    async def hook(self: Processor, args: Any) -> Any:
        return await interpreter.run(args)

    return hook


def _on_violation(id: str, mode: str, record: Record) -> Callable[[Violation], None]:
    def on_violation(violation: Violation) -> None:
        args = {
            "processorId": violation.processor_id,
            "message": violation.message,
            "detail": copy.deepcopy(violation.detail),
        }
        entry = {"hook": "onViolation", "processor": id, "args": normal.without_none(args)}
        record.hooks.append(entry)
        if mode == "throw":
            raise RuntimeError("onViolation failed")

    return on_violation


class Interpreter:
    """Runs the rules of one hook of one processor."""

    def __init__(
        self, hook: str, id: str, rules: list[dict[str, Any]], world: World, record: Record
    ) -> None:
        self._hook = hook
        self._id = id
        self._rules = rules
        self._world = world
        self._record = record
        self._invocations = 0

    async def run(self, args: Any) -> Any:
        """Write the entry, then go through the rules."""
        digest = self._record.digest
        assert digest is not None
        entry = {"hook": self._hook, "processor": self._id, "args": digest.args(self._hook, args)}
        self._record.hooks.append(entry)
        invocation = self._invocations
        self._invocations += 1
        try:
            return await self._rules_of(Call(self._world, self._hook, args, entry), invocation)
        finally:
            if args.state:
                entry["stateAfter"] = copy.deepcopy(args.state)

    async def _rules_of(self, call: Call, invocation: int) -> Any:
        for rule in self._rules:
            if holds(rule.get("if", {}), call.args, invocation):
                returned = await perform(rule, call)
                if returned is not GOING:
                    return returned
        return call.args.part if self._hook == "processOutputStream" else None
