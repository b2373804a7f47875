"""Runs of made-up answers through a chain, with what the stream checks say of them."""

from __future__ import annotations

from typing import Any

from tests.support.engine import agent, read
from tripscope.chunks import BlockEdge, Chunk, Delta, Finish, Usage
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.rule import RegexRule
from tripscope.trace.checks import Check, run_checks
from tripscope.trace.recorder import EventLog

SSN = RegexRule("ssn", r"\b\d{3}-\d{2}-\d{4}\b", "g", replacement="[SSN]")
FINISH = Chunk("finish", Finish(reason="stop", usage=Usage()))


def block(*deltas: str, id: str = "t1") -> list[Chunk]:
    made = [Chunk("text-delta", Delta(id=id, text=delta)) for delta in deltas]
    return [Chunk("text-start", BlockEdge(id=id)), *made, Chunk("text-end", BlockEdge(id=id))]


def redactor() -> RegexFilterProcessor:
    return RegexFilterProcessor(rules=[SSN], strategy="redact")


async def checked(
    answer: list[Chunk], *chain: Any, **options: Any
) -> tuple[dict[str, Check], EventLog]:
    log = EventLog()
    subject = agent([*answer, FINISH], output_processors=chain, **options)
    await read(await subject.stream("hi", trace=log))
    known = {one.id: one for one in chain}
    return {check.name: check for check in run_checks(log, known)}, log
