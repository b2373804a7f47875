"""What the tour opens beside the shipped examples: sessions that no example shows."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from tests.support.window import session_wire, slow_script
from tripscope import Agent, Processor, RegexFilterProcessor, ScriptedModel
from tripscope.chunks import Chunk, text_delta
from tripscope.errors import HookError
from tripscope.processor import ProcessOutputStreamArgs
from tripscope.session import save_session
from tripscope.session.model import Session
from tripscope_resources import files

_LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmütze" * 8
_ODD_TEXT = [
    "Tab\there, \u202eright to left\u202c, zero\u200bwidth, ",
    "family \U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466, ",
    "flag \U0001f1f3\U0001f1f4, z\u0351\u036b\u0343algo\u0353\u032c, e\u0301 and \u00e9, ",
    "\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd, ",
    "漢字かな交じり文、한국어, <b>not bold</b> &amp; <img src=x>, ",
    "half \ud83d of a pair, nul \x00, bell \x07, \ufeff, ",
    f"{_LONG_WORD} write to ann.lee@exa",
    "mple.test\nand a new line\r\nand another\n\n",
    " ".join(f"word{n}" for n in range(300)),
]


def example(name: str) -> Path:
    """A shipped session."""
    return Path(str(files("examples", f"{name}.tripscope.json")))


def odd(folder: Path) -> Path:
    """Long names, long words, text of every kind that a font or a table may stumble over."""
    long_name = "a-rule-with-a-name-that-is-much-longer-than-any-column-of-any-table-here"
    return _write(
        folder,
        "a-session-with-a-name-that-is-rather-longer-than-the-button-that-shows-it",
        name="A session with a name that is rather longer than the button that shows it \U0001f4b3",
        model={"use": "scripted", "script": [{"text": _ODD_TEXT, "delayMs": 15}]},
        chain=[
            {
                "id": "a-filter-with-an-id-that-is-longer-than-its-lane-and-its-column",
                "type": "regex-filter",
                "options": {"presets": ["pii"], "strategy": "redact", "streamCarryoverSize": 64},
                "rules": [
                    {
                        "name": long_name,
                        "pattern": "(?:word(?:1[0-9]{2}|2[0-4][0-9])\\s?){2,}" * 2,
                        "flags": "giu",
                        "replacement": f"[{long_name.upper()}]",
                    },
                    {
                        "name": "漢字 \U0001f4b3",
                        "pattern": "漢字|\U0001f1f3\U0001f1f4",
                        "flags": "gu",
                        "replacement": "[\u05e9\u05dc\u05d5\u05dd]",
                    },
                ],
            }
        ],
        prompts=["Line one of the prompt\nline two \U0001f469\u200d\U0001f467 " + _LONG_WORD],
    )


def slow(folder: Path) -> Path:
    """A model that takes its time, and a filter that holds some of it."""
    return _write(folder, "slow", name="A slow answer", model=slow_script(400, 15))


def failing(folder: Path) -> Path:
    """A model that gives up in its second answer, after a tool call."""
    script: list[dict[str, object]] = [
        {"error": {"message": "upstream is overloaded", "statusCode": 503, "isRetryable": False}}
    ]
    return _write(
        folder,
        "failing-model",
        name="A failing model",
        model={"use": "scripted", "script": script},
    )


def _write(folder: Path, stem: str, **wire: object) -> Path:
    path = folder / f"{stem}.tripscope.json"
    save_session(Session.model_validate(session_wire(**wire)), path)
    return path


class Raising(Processor):
    """A guardrail with a bug."""

    id = "price-check"

    async def process_output_stream(self, args: ProcessOutputStreamArgs) -> Chunk | None:
        """Let chunks pass until one names a price."""
        if "EUR" in str(args.part.payload):
            raise KeyError("currency of the order is not known: 'EUR'")
        return args.part


async def raising(folder: Path) -> Path:
    """The trace of a run in which a processor of somebody's own raised."""
    path = folder / "price-check.trace.jsonl"
    texts = ["Write to ann@exam", "ple.test. ", "The order costs ", "12 EUR", " in all."]
    agent = Agent(
        id="shop",
        model=ScriptedModel([[text_delta(text) for text in texts]]),
        output_processors=[RegexFilterProcessor(presets=["pii"], strategy="redact"), Raising()],
    )
    stream = await agent.stream("What does it cost?", trace=str(path))
    # the error is what the trace is for
    with contextlib.suppress(HookError):
        await _drain(stream.full_stream)
    return path


async def _drain(chunks: AsyncIterator[Chunk]) -> None:
    async for _chunk in chunks:
        pass
