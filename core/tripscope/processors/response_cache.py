"""ResponseCache: replays the response of an identical model call instead of making the call."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Any, ClassVar, Final, Self, TypeAlias

from msgspec import Struct

from tripscope.cache import Cache, InMemoryCache, SQLiteCache
from tripscope.chunks import Chunk
from tripscope.context import RequestContext
from tripscope.models.base import Prompt
from tripscope.options import given_options
from tripscope.processor import (
    CachedResponse,
    LLMRequestResult,
    ProcessLLMRequestArgs,
    ProcessLLMResponseArgs,
    Processor,
)
from tripscope.wire import JSON

DEFAULT_ID: Final = "response-cache"
DEFAULT_TTL_SECONDS: Final = 300.0
CONTEXT_KEY: Final = "tripscope.response-cache"
_STATE_KEY: Final = "cacheKey"


class _FromResource:
    """Scope left out: the resource of the call keeps users apart."""


_FROM_RESOURCE: Final = _FromResource()


class KeyInputs(Struct, frozen=True):
    """What a key is made of. ``prompt`` is the one that the provider would get."""

    agent_id: str
    scope: str | None
    model: str
    prompt: Prompt
    step_number: int


KeyFunction: TypeAlias = Callable[[KeyInputs], str | Awaitable[str]]


def build_key(inputs: KeyInputs) -> str:
    """The key that is used unless another is given: all inputs, hashed."""
    text = json.dumps(
        [inputs.agent_id, inputs.scope, inputs.model, inputs.step_number, inputs.prompt],
        sort_keys=True,
        default=repr,
    )
    return f"{inputs.agent_id}:{hashlib.sha256(text.encode()).hexdigest()}"


class ResponseCache(Processor):
    """An input processor that looks each model call up, and keeps what it did not find.

    The key is made from the prompt as this processor gets it: after memory, and after the request
    processors before it. A response is kept as it left the output chain. The answer of a rejected
    attempt is forgotten, and no further attempt of its step is served from the cache.

    Args:
        cache: where responses are kept; in memory if None.
        ttl: seconds that a response is kept for.
        scope: keeps entries apart; None for one scope for all. Left out: the call's resource.
        key: a key, or a function that makes it (if that raises, `build_key` is used).
        bust: never read, only write.
        agent_id: first part of every key.
        id: the processor's id.

    Raises:
        ValueError: ``ttl`` is not a positive number.
    """

    TYPE: ClassVar[str] = "response-cache"
    name = "Response Cache"

    def __init__(
        self,
        *,
        cache: Cache | None = None,
        ttl: float = DEFAULT_TTL_SECONDS,
        scope: str | _FromResource | None = _FROM_RESOURCE,
        key: str | KeyFunction | None = None,
        bust: bool = False,
        agent_id: str = DEFAULT_ID,
        id: str = DEFAULT_ID,
    ) -> None:
        if not _is_positive(ttl):
            raise ValueError(f"{self.TYPE}: ttl is a positive number of seconds, not {ttl!r:.60}")
        self.id = id
        self.cache: Cache = cache if cache is not None else InMemoryCache()
        self.ttl = ttl
        self.scope = scope
        self.key = key
        self.bust = bust
        self.agent_id = agent_id
        self._path: str | None = None

    @classmethod
    def from_options(cls, options: dict[str, JSON], *, id: str = DEFAULT_ID) -> Self:
        """Make one from ``ttl``, ``scope``, ``bust``, ``agentId`` and ``path`` (a SQLite file).

        Raises:
            ValueError: an option has no meaning.
        """
        known = ("ttl", "scope", "bust", "agentId", "path")
        # A scope of null is one: the same for all.
        given = given_options(options, known, cls.TYPE, null_is_default=False)
        path = given.pop("path", None)
        if "agentId" in given:
            given["agent_id"] = given.pop("agentId")
        made = cls(**given, cache=SQLiteCache(path) if path else None, id=id)
        made._path = path
        return made

    def describe(self) -> dict[str, JSON]:
        """Id, type and options; a key function is not among them."""
        scope = {} if isinstance(self.scope, _FromResource) else {"scope": self.scope}
        path = {} if self._path is None else {"path": self._path}
        described = {"id": self.id, "type": self.TYPE, "ttl": self.ttl, "bust": self.bust}
        return described | {"agentId": self.agent_id} | scope | path

    @staticmethod
    def apply_context(context: RequestContext, **overrides: Any) -> RequestContext:
        """Set ``key``, ``scope`` or ``bust`` for the call that gets this request context."""
        if unknown := overrides.keys() - {"key", "scope", "bust"}:
            raise TypeError(f"a call may override key, scope and bust, not {min(unknown)!r}")
        context[CONTEXT_KEY] = {**context.get(CONTEXT_KEY, {}), **overrides}
        return context

    @classmethod
    def context(cls, **overrides: Any) -> RequestContext:
        """A new request context with these overrides."""
        return cls.apply_context(RequestContext(), **overrides)

    async def process_llm_request(self, args: ProcessLLMRequestArgs) -> LLMRequestResult | None:
        """Replay the response that is kept for this prompt, if there is one."""
        overrides = args.request_context.get(CONTEXT_KEY, {})
        rejected = args.state.get(_STATE_KEY) if args.retry_count else None
        if rejected is not None:
            await self.cache.delete(rejected)
        key = await self._key_of(args, overrides)
        args.state[_STATE_KEY] = key
        if args.retry_count or overrides.get("bust", self.bust):
            return None
        wires = await self.cache.get(key)
        if wires is None:
            return None
        chunks = [Chunk.from_wire(wire) for wire in wires]
        return LLMRequestResult(response=CachedResponse(chunks=chunks))

    async def process_llm_response(self, args: ProcessLLMResponseArgs) -> None:
        """Keep a complete live response."""
        key = args.state.get(_STATE_KEY)
        complete = any(chunk.type == "finish" for chunk in args.chunks)
        if key is None or args.from_cache or not complete:
            return
        wires = [{"type": w["type"], "payload": w.get("payload")} for w in map(_wire, args.chunks)]
        await self.cache.set(key, wires, self.ttl)

    async def _key_of(self, args: ProcessLLMRequestArgs, overrides: dict[str, Any]) -> str:
        scope = overrides.get("scope", self.scope)
        inputs = KeyInputs(
            agent_id=self.agent_id,
            scope=args.message_list.resource_id if isinstance(scope, _FromResource) else scope,
            model=args.model.id,
            prompt=args.prompt,
            step_number=args.step_number,
        )
        key = overrides.get("key", self.key)
        if isinstance(key, str):
            return key
        if key is not None:
            try:
                made = key(inputs)
                return str(await made if isawaitable(made) else made)
            except Exception as error:
                args.probe.warning(f"the key function raised {error!r}; the usual key is used")
        return build_key(inputs)


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _wire(chunk: Chunk) -> dict[str, JSON]:
    return chunk.to_wire()
