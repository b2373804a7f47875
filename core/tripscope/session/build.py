"""From a session to the objects that run: processors, tools, models, agent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from tripscope.arrays import ARRAY_OF_HOOK, Array
from tripscope.chunks import BlockEdge, Chunk, Delta, Finish, Usage
from tripscope.errors import APIError, SessionError
from tripscope.models import resolve
from tripscope.models.scripted import Delay, Part, Response, ScriptedModel
from tripscope.models.v2 import chunk_from_v2
from tripscope.processor import hook_of
from tripscope.processors import BUILT_INS
from tripscope.session.model import (
    MOST_MS,
    ProcessorSpec,
    ScriptedResponse,
    Session,
    ToolSpec,
)
from tripscope.tools import Tool, ToolContext

if TYPE_CHECKING:
    from tripscope.clock import Clock
    from tripscope.models.base import Model


class BuiltChain(Struct):
    """The processor arrays of an agent; one processor may stand in several."""

    input: list[Any] = field(default_factory=list)
    output: list[Any] = field(default_factory=list)
    error: list[Any] = field(default_factory=list)


def build_processor(spec: ProcessorSpec, *, place: str = "chain") -> Any:
    """The built-in processor that ``spec`` describes, with its enabled rules.

    Raises:
        SessionError: unknown type, or options or rules that the processor refuses.
    """
    kind = BUILT_INS.get(spec.type)
    if kind is None:
        known = ", ".join(sorted(BUILT_INS))
        raise SessionError(f"unknown processor type {spec.type!r}; known: {known}", place=place)
    options = dict(spec.options)
    if spec.rules:
        options["rules"] = [
            {"name": rule.name, "pattern": rule.pattern, "flags": rule.flags}
            | ({} if rule.replacement is None else {"replacement": rule.replacement})
            for rule in spec.rules
            if rule.enabled
        ]
    try:
        return kind.from_options(options, id=spec.id)
    except (ValueError, TypeError) as error:
        raise SessionError(str(error), place=f"{place}.options") from error


def build_chain(specs: Iterable[ProcessorSpec]) -> BuiltChain:
    """All enabled processors, each in the arrays that it names or that its hooks belong to.

    Raises:
        SessionError: see `build_processor`.
    """
    chain = BuiltChain()
    for index, spec in enumerate(specs):
        if not spec.enabled:
            continue
        processor = build_processor(spec, place=f"chain[{index}]")
        for array in spec.arrays if spec.arrays is not None else arrays_of(processor):
            getattr(chain, array).append(processor)
    return chain


def arrays_of(processor: Any) -> list[Array]:
    """The arrays of an agent that the hooks of a processor belong to."""
    return sorted({array for hook, array in ARRAY_OF_HOOK.items() if hook_of(processor, hook)})


def build_tools(specs: Iterable[ToolSpec], clock: Clock) -> list[Tool]:
    """Tools that give their canned replies, each counting its own calls."""
    return [
        Tool(
            name=spec.name,
            description=spec.description,
            input_schema=spec.input_schema,
            execute=None if spec.client else _CannedReplies(spec, clock),
        )
        for spec in specs
    ]


class _CannedReplies:
    def __init__(self, spec: ToolSpec, clock: Clock) -> None:
        self._spec = spec
        self._clock = clock
        self._calls = 0

    async def __call__(self, args: Any, context: ToolContext) -> Any:
        number = self._calls
        self._calls += 1
        if self._spec.delay_ms:
            await self._clock.sleep(self._spec.delay_ms / 1000)
        if self._spec.error is not None:
            raise RuntimeError(self._spec.error)
        return self._spec.results[min(number, len(self._spec.results) - 1)]


def build_model(
    session: Session,
    clock: Clock,
    *,
    use: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
) -> Model:
    """The session's model, or the one that ``use`` names instead.

    Raises:
        SessionError: a script that cannot be played.
        UnknownModel: no such provider.
    """
    name = use or session.model.use
    if name != "scripted":
        return resolve(name, base_url=base_url or session.model.base_url, api_key=api_key)
    responses = [
        scripted_response(response, place=f"model.script[{index}]")
        for index, response in enumerate(session.model.script)
    ]
    return ScriptedModel(responses, clock=clock)


def scripted_response(response: ScriptedResponse, *, place: str) -> Response:
    """The parts of one scripted answer, its short forms written out.

    Raises:
        SessionError: a chunk that is no stream part.
    """
    if (error := response.error) is not None:
        return APIError(
            error.message, status_code=error.status_code, is_retryable=error.is_retryable
        )
    pause = response.delay_ms / 1000
    parts: list[Part] = []
    if response.text is not None:
        parts.append(Chunk("text-start", BlockEdge(id="t1")))
        for text in response.text:
            if pause:
                parts.append(Delay(pause))
            parts.append(Chunk("text-delta", Delta(id="t1", text=text)))
        parts.append(Chunk("text-end", BlockEdge(id="t1")))
        parts.append(Chunk("finish", Finish(reason="stop", usage=Usage())))
        return parts
    for index, wire in enumerate(response.chunks or ()):
        body = dict(wire)
        delay = body.pop("delayMs", response.delay_ms)
        try:
            pause = _seconds(delay)
            chunk = chunk_from_v2(body)
        except ValueError as error:
            raise SessionError(str(error), place=f"{place}.chunks[{index}]") from error
        if pause:
            parts.append(Delay(pause))
        if chunk is not None:
            parts.append(chunk)
    return parts


def _seconds(delay: Any) -> float:
    if type(delay) not in (int, float) or not 0 <= delay <= MOST_MS:
        raise ValueError(f"delayMs is a number from 0 to {MOST_MS:,}, not {delay!r:.60}")
    return float(delay) / 1000
