"""Scripted answers, and readers of what a client got."""

from __future__ import annotations

from typing import Any

from tripscope.agent import Agent
from tripscope.chunks import (
    BlockEdge,
    Chunk,
    Delta,
    Finish,
    ToolCall,
    Usage,
    delta_text,
    text_delta,
)

USAGE = Usage(input_tokens=10, output_tokens=5, total_tokens=15)


def answer(*texts: str) -> list[Chunk]:
    """A response that is one text block of these deltas."""
    deltas = [text_delta(text) for text in texts]
    return [*block("text", *deltas), finish("stop")]


def block(kind: str, *deltas: Chunk) -> list[Chunk]:
    """``kind`` is ``text`` or ``reasoning``."""
    edge = BlockEdge(id="t1")
    return [Chunk(f"{kind}-start", edge), *deltas, Chunk(f"{kind}-end", BlockEdge(id="t1"))]


def reasoning(text: str) -> list[Chunk]:
    return block("reasoning", Chunk("reasoning-delta", Delta(id="t1", text=text)))


def tool_call(name: str = "lookup", id: str = "c1", **args: Any) -> list[Chunk]:
    """A response that calls one tool."""
    call = ToolCall(tool_call_id=id, tool_name=name, args=args)
    return [Chunk("tool-call", call), finish("tool-calls")]


def finish(reason: str) -> Chunk:
    return Chunk("finish", Finish(reason=reason, usage=USAGE))


async def chunks_of(agent: Agent, messages: Any, **options: Any) -> list[Chunk]:
    """Everything that the client of one streamed call got."""
    stream = await agent.stream(messages, **options)
    return [chunk async for chunk in stream.full_stream]


def text_of(chunks: list[Chunk]) -> str:
    """The streamed text."""
    return "".join(delta_text(chunk) or "" for chunk in chunks if chunk.type == "text-delta")


def prompt_texts(prompt: list[dict[str, Any]], role: str) -> list[str]:
    """The texts of the prompt's messages of one role."""
    texts = []
    for message in prompt:
        if message["role"] == role:
            content = message["content"]
            parts = [content] if isinstance(content, str) else [p.get("text") for p in content]
            texts.append("".join(part for part in parts if part))
    return texts
