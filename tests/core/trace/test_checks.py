"""What a check says that could not be made."""

from __future__ import annotations

import pytest

from tests.support.engine import agent, processor, read, text
from tripscope.chunks import BlockEdge, Chunk, Delta
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.trace.checks import DECIDED, JOINED, run_checks
from tripscope.trace.recorder import EventLog

REASONING = [
    Chunk("reasoning-start", BlockEdge(id="r1")),
    Chunk("reasoning-delta", Delta(id="r1", text="I need her address.")),
    Chunk("reasoning-end", BlockEdge(id="r1")),
]


@pytest.mark.parametrize(
    ("answer", "rules", "why"),
    [
        ([], True, "no stream"),
        (REASONING, True, "no text that rules look at"),
        (text("hi"), False, "no processor with rules on the stream"),
    ],
)
async def test_a_check_says_why_it_is_not_made(answer: list[Chunk], rules: bool, why: str) -> None:
    chain = [
        RegexFilterProcessor(presets=["pii"], strategy="redact")
        if rules
        else processor("look", process_output_stream=lambda args: args.part)
    ]
    log = EventLog()
    await read(await agent(answer, output_processors=chain).stream("hi", trace=log))
    made = {check.name: check for check in run_checks(log)}
    for name in (JOINED, DECIDED):
        assert (made[name].verdict, made[name].detail) == ("not made", why)
