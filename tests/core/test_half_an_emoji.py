"""Half an emoji per chunk, from the server's bytes through a chain into a trace file and back."""

import json
from pathlib import Path
from typing import Any

from tests.support.llm_server import byte_server, http
from tripscope.agent import Agent
from tripscope.chunks import Chunk, delta_text
from tripscope.models.openai_compatible import OpenAICompatible
from tripscope.models.recorded import RecordedModel
from tripscope.trace.events import AnyEvent, Delivered, HookCalled, ModelChunk, RunEnded
from tripscope.trace.file import TraceWriter, load
from tripscope.trace.recorder import EventLog

HALVES = ["\ud83e", "\udd80", "x\ud83e", "\udd80y", "\ud83e"]


class PassOn:
    id = "pass-on"

    def process_output_stream(self, args: Any) -> Chunk:
        part: Chunk = args.part
        return part


def stream() -> bytes:
    frames = [{"choices": [{"index": 0, "delta": {"content": half}}]} for half in HALVES]
    frames.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return b"".join(b"data: " + json.dumps(frame).encode() + b"\n\n" for frame in frames)


def texts(events: list[AnyEvent], kind: type) -> list[str]:
    chunks = (
        getattr(e, "part", None) or getattr(e, "chunk", None) for e in events if type(e) is kind
    )
    return [text for chunk in chunks if chunk and (text := delta_text(chunk)) is not None]


async def test_half_an_emoji_per_chunk(tmp_path: Path) -> None:
    path = tmp_path / "run.trace.jsonl"
    log = EventLog()
    async with byte_server(http(stream()), one_by_one=True) as server:
        model = OpenAICompatible("m", base_url=server.base_url)
        agent = Agent(id="a", model=model, output_processors=[PassOn()])
        with TraceWriter(path) as writer:

            def sink(event: AnyEvent) -> None:
                log(event)
                writer(event)

            async with await agent.stream("half \ud83e", trace=sink) as run:
                received = [text async for text in run.text_stream]
                result = await run.result()
    assert received == HALVES
    assert result.text == "🦀x🦀y\ud83e"

    loaded = load(path)
    assert loaded == log.events
    for kind in (ModelChunk, HookCalled, Delivered):
        assert texts(loaded, kind) == HALVES
    ended = loaded[-1]
    assert isinstance(ended, RunEnded)
    assert ended.text == "🦀x🦀y\ud83e"

    replay = Agent(id="a", model=RecordedModel.from_events(loaded), output_processors=[PassOn()])
    async with await replay.stream("half \ud83e") as run:
        assert [text async for text in run.text_stream] == HALVES
