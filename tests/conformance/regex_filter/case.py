"""One case: makes the filter, calls it, and writes down what happened in the form of ``expect``."""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import Callable
from dataclasses import asdict
from inspect import isawaitable
from typing import Any

from tests.conformance.regex_filter.decode import decode
from tests.conformance.regex_filter.stubs import common
from tripscope.chunks import Chunk, Usage, delta_text
from tripscope.errors import TripWire
from tripscope.messages import Message
from tripscope.patterns import PatternError
from tripscope.patterns.units import join_surrogates
from tripscope.processor import (
    OutputResult,
    ProcessInputArgs,
    ProcessOutputResultArgs,
    ProcessOutputStreamArgs,
    Violation,
)
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.carryover import filter_state
from tripscope.wire import camel_case

LOGGER = "tripscope"


class Warnings(logging.Handler):
    """The lines that the filter logs as warnings."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


async def run_case(case: dict[str, Any]) -> dict[str, Any]:
    """What the filter makes of the case."""
    try:
        filter = RegexFilterProcessor.from_options(decode(case["options"]))
    except ValueError as error:
        return {"error": _error(error, "constructor")}
    if case["call"] == "constructor":
        return {"properties": _properties(filter)}
    got: dict[str, Any] = {}
    violations: list[dict[str, Any]] = []
    mode = case.get("onViolation", "record")
    if mode != "none":
        filter.on_violation = _listener(mode, violations)
        got["violations"] = violations
    warnings = Warnings()
    logger = logging.getLogger(LOGGER)
    logger.addHandler(warnings)
    try:
        call = _stream if case["call"] == "processOutputStream" else _messages
        await call(filter, case, got)
    except TripWire as wire:
        options = {"retry": wire.retry, "metadata": wire.metadata}
        got["tripwire"] = {"reason": wire.reason, "options": options}
    except ValueError as error:
        got["error"] = _error(error, "call")
    finally:
        logger.removeHandler(warnings)
    if warnings.lines:
        got["warnings"] = warnings.lines
    return got


async def _messages(filter: RegexFilterProcessor, case: dict[str, Any], got: Any) -> None:
    messages = [Message.from_wire(wire) for wire in decode(copy.deepcopy(case["messages"]))]
    before = [message.to_wire() for message in copy.deepcopy(messages)]
    try:
        if case["call"] == "processInput":
            args = ProcessInputArgs(messages=messages, system_messages=[], **common({}))
            returned = await _settled(filter.process_input(args))
        else:
            result = OutputResult(text="", usage=Usage(), finish_reason="stop", steps=[])
            final = ProcessOutputResultArgs(messages=messages, result=result, **common({}))
            returned = await _settled(filter.process_output_result(final))
    finally:
        assert [message.to_wire() for message in messages] == before, "changed in place"
    got["messages"] = [message.to_wire() for message in returned]
    got["sameObject"] = returned is messages


async def _settled(returned: Any) -> Any:
    return await returned if isawaitable(returned) else returned


async def _stream(filter: RegexFilterProcessor, case: dict[str, Any], got: Any) -> None:
    state: dict[str, Any] = {}
    got["emitted"], got["text"] = [], ""
    for wire in decode(copy.deepcopy(case["chunks"])):
        part = Chunk.from_wire(copy.deepcopy(wire))
        args = ProcessOutputStreamArgs(part=part, stream_parts=[], **common(state))
        returned = await _settled(filter.process_output_stream(args))
        assert part.to_wire() == Chunk.from_wire(wire).to_wire(), "a chunk was changed in place"
        let_out = returned if isinstance(returned, list) else [returned]
        got["emitted"].append([None if chunk is None else chunk.to_wire() for chunk in let_out])
        for chunk in let_out:
            if chunk is not None and chunk.type == "text-delta":
                got["text"] += delta_text(chunk) or ""
    if held := join_surrogates(filter_state(state).joined()):
        got["leftInState"] = {"carryover": held}


def _properties(filter: RegexFilterProcessor) -> dict[str, Any]:
    options = filter.options
    rules = []
    for rule in filter.rules:
        shown = {"name": rule.name, "pattern": rule.shown_source, "flags": rule.shown_flags}
        if rule.replacement is not None:
            shown["replacement"] = rule.replacement
        rules.append(shown)
    return {
        "id": filter.id,
        "name": filter.name,
        "strategy": options.strategy,
        "phase": options.phase,
        "includeRedactedValues": options.include_redacted_values,
        "streamCarryoverSize": options.stream_carryover_size,
        "rules": rules,
    }


def _error(error: ValueError, stage: str) -> dict[str, Any]:
    if isinstance(error, PatternError):
        return {"message": str(error), "name": "SyntaxError", "stage": "regexp"}
    return {"message": str(error), "name": "Error", "stage": stage}


def _listener(mode: str, violations: list[dict[str, Any]]) -> Callable[[Violation], Any]:
    def record(violation: Violation) -> None:
        items = asdict(violation).items()
        violations.append({camel_case(key): copy.deepcopy(value) for key, value in items})

    def throw(violation: Violation) -> None:
        record(violation)
        raise RuntimeError("sink down")

    async def reject(violation: Violation) -> None:
        throw(violation)

    async def later(violation: Violation) -> None:
        await asyncio.sleep(0)
        record(violation)

    return {"record": record, "throw": throw, "reject": reject, "async": later}[mode]
