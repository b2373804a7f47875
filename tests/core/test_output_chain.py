"""processOutputStream: the order of parts, lists of parts, and what the shared list holds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.engine import agent, processor, read, text, told
from tripscope.chunks import BlockEdge, Chunk, text_delta
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.trace.events import FindingMade
from tripscope.trace.recorder import EventLog


def split(args: Any) -> Any:
    """Lets each delta out letter by letter."""
    if args.part.type != "text-delta":
        return args.part
    return [text_delta(letter) for letter in args.part.payload.text]


async def test_parts_of_a_list_go_on_down_the_chain_in_order() -> None:
    seen: list[str] = []

    def look(args: Any) -> Any:
        if args.part.type == "text-delta":
            seen.append(args.part.payload.text)
        return args.part

    chain = [
        processor("split", process_output_stream=split),
        processor("look", process_output_stream=look),
    ]
    log = EventLog()
    stream = await agent(text("ab", "c"), output_processors=chain).stream("hi", trace=log)
    lines = told(await read(stream))
    assert lines[3:6] == ["text-delta:a", "text-delta:b", "text-delta:c"]
    assert seen == ["a", "b", "c"]
    calls = [event for event in log if event.kind == "hook" and event.processor == "look"]
    # Parts that come from one part share its index.
    assert [event.index for event in calls if event.part.type == "text-delta"] == [2, 2, 3]


async def test_what_passed_before_an_abort_in_a_list_is_delivered() -> None:
    def guard(args: Any) -> Any:
        if args.part.type == "text-delta" and args.part.payload.text == "b":
            args.abort("no b")
        return args.part

    chain = [
        processor("split", process_output_stream=split),
        processor("guard", process_output_stream=guard),
    ]
    stream = await agent(text("abc"), output_processors=chain).stream("hi")
    assert told(await read(stream))[3:] == ["text-delta:a", "tripwire:no b"]


async def test_shared_list_holds_parts_as_they_entered() -> None:
    lists: list[Any] = []

    def other(args: Any) -> Any:
        lists.append(args.stream_parts)
        return text_delta("X") if args.part.type == "text-delta" else args.part

    def look(args: Any) -> Any:
        lists.append(args.stream_parts)
        return args.part

    chain = [
        processor("other", process_output_stream=other),
        processor("look", process_output_stream=look),
    ]
    await (await agent(text("a"), output_processors=chain).stream("hi")).result()
    assert len({id(one) for one in lists}) == 1
    assert [part.payload.text for part in lists[0] if part.type == "text-delta"] == ["a"]


async def test_other_kinds_of_parts_pass_the_chain() -> None:
    seen: list[str] = []
    watch = processor("p", process_output_stream=lambda a: seen.append(a.part.type) or a.part)
    answer = [Chunk("source", {"url": "https://example.test"}), *text("x")]
    chunks = await read(await agent(answer, output_processors=[watch]).stream("hi"))
    assert "source" in seen
    assert "source" in told(chunks)


@pytest.mark.parametrize("edge", [None, Chunk("reasoning-start", BlockEdge(id="r1"))])
async def test_findings_in_held_text_are_of_its_block_whatever_lets_it_out(
    edge: Chunk | None,
) -> None:
    answer = text("Write to ann@exam", "ple.test.", end=False)
    if edge is not None:
        answer.insert(-1, edge)
    log = EventLog()
    rules = RegexFilterProcessor(presets=["pii"], strategy="redact")
    await (await agent(answer, output_processors=[rules]).stream("hi", trace=log)).result()
    [found] = [event for event in log if isinstance(event, FindingMade)]
    assert (found.rule, found.block, found.start, found.end) == ("email", "t1", 9, 25)
