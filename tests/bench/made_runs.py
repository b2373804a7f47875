"""A text of any length for the benchmarks, and sessions with three filters that give it."""

from typing import Any

CHAIN: list[dict[str, Any]] = [
    {"id": "pii", "type": "regex-filter", "options": {"presets": ["pii"], "strategy": "redact"}},
    {"id": "keys", "type": "regex-filter", "options": {"presets": ["secrets"], "strategy": "warn"}},
    {"id": "urls", "type": "regex-filter", "options": {"presets": ["urls"], "strategy": "warn"}},
]


def texts(count: int) -> Any:
    """Words; five of a thousand chunks bring an address."""
    for number in range(count):
        yield f"ann{number}@example.test " if number % 200 == 7 else f"word{number % 97} "


def parts(count: int) -> Any:
    from tripscope.chunks import BlockEdge, Chunk, Delta, Finish

    yield Chunk("text-start", BlockEdge(id="t1"))
    for text in texts(count):
        yield Chunk("text-delta", Delta(id="t1", text=text))
    yield Chunk("text-end", BlockEdge(id="t1"))
    yield Chunk("finish", Finish(reason="stop"))


def wire(**more: Any) -> dict[str, Any]:
    base = {"format": "tripscope-session", "version": 1, "name": "bench", "chain": CHAIN}
    return base | {"prompts": ["go"], "model": {"use": "bench/paced"}} | more


def session(**more: Any) -> Any:
    from tripscope.session import session_from_wire

    return session_from_wire(wire(**more))
