"""What the stream checks say, and of what they say that it could not be checked."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.support.engine import agent, processor, read, text
from tests.support.stream_checks import SSN, block, checked, redactor
from tripscope.chunks import BlockEdge, Chunk, Delta
from tripscope.processor import ProcessOutputStreamArgs
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.budget import Budget
from tripscope.rules.rule import RegexRule
from tripscope.trace.blocks import BlockCollector
from tripscope.trace.checks import ACCOUNTED, DECIDED, JOINED, KINDS, run_checks
from tripscope.trace.events import RunStarted
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


async def test_two_blocks_of_one_id_are_two_blocks() -> None:
    made, log = await checked(block("a 123-45-") + block("6789 b"), redactor())
    assert {name: check.verdict for name, check in made.items()} == dict.fromkeys(made, "pass")
    assert made[ACCOUNTED].detail == "15 units = 15 passed"
    blocks = BlockCollector(log).blocks
    assert [key[3] for key in blocks] == ["t1", "t1 #2"]
    assert [one.delivered.text for one in blocks.values()] == ["a 123-45-", "6789 b"]
    made, _ = await checked(block("a 123-45-6789") + block("b 123-45-6789"), redactor())
    assert made[ACCOUNTED].detail == "26 units = 4 passed + 22 replaced"


async def test_what_a_processor_adds_is_told() -> None:
    def add(args: Any) -> Any:
        more = Chunk("text-delta", Delta(id="t1", text=" and more"))
        return [more, args.part] if args.part.type == "text-end" else args.part

    made, _ = await checked(block("hello"), redactor(), processor("p", process_output_stream=add))
    assert made[ACCOUNTED].verdict == "pass"
    assert made[ACCOUNTED].detail == "5 units = 5 passed; 9 more are of processors"


async def test_text_that_does_not_arrive_as_text_is_not_passed() -> None:
    def hide(args: Any) -> Any:
        if args.part.type == "text-delta":
            args.part.type = "reasoning-delta"
        return args.part

    # scans nothing that it makes of the text
    hider = processor("p", process_output_stream=hide)
    hider.scans = []
    made, _ = await checked(block("hello 123-45-6789"), hider, redactor())
    assert made[ACCOUNTED].verdict == "fail"
    assert "not delivered as text" in made[ACCOUNTED].detail
    assert (made[KINDS].verdict, made[KINDS].detail) == ("unscanned", "reasoning 1")


async def test_a_probe_that_says_what_is_not_so_is_found_out() -> None:
    def lie(args: Any) -> Any:
        if args.part.type == "text-delta":
            args.part.payload.text = args.part.payload.text.upper()
            args.probe.emit([(0, 5, 0, 5, None)])
            args.probe.held(0)
        return args.part

    made, _ = await checked(block("hello"), processor("p", process_output_stream=lie))
    assert made[ACCOUNTED].verdict == "fail"
    assert "the client got others" in made[ACCOUNTED].detail


async def test_data_of_a_hook_is_a_kind_that_nobody_scans() -> None:
    async def write(args: Any) -> None:
        await args.writer.custom({"type": "data-note", "data": "123-45-6789"})

    writer = processor("p", process_output_step=write)
    made, _ = await checked(block("hi"), redactor(), writer)
    assert (made[KINDS].verdict, made[KINDS].detail) == ("unscanned", "data-note 1")


async def test_a_filter_of_the_input_scans_no_stream() -> None:
    made, _ = await checked(block("hi"), input_processors=[redactor()])
    assert (made[KINDS].verdict, made[KINDS].detail) == ("unscanned", "text 1")


async def test_rules_that_take_too_long_are_no_crash_and_not_passed() -> None:
    rule = RegexRule("slow", r"(a|aa)+[!](?!.)x?$(?<=b)", "g")
    slow = RegexFilterProcessor(rules=[rule], strategy="block", budget=Budget(call=0.02))
    # In one piece it would time out in the run.
    made, _ = await checked(block(*"a" * 60, "!"), slow)
    for name in (JOINED, DECIDED):
        assert made[name].verdict == "not made"
        assert "takes too long" in made[name].detail
    assert made[ACCOUNTED].verdict == "pass"


async def test_a_chain_that_cannot_be_made_again_is_not_checked() -> None:
    _, log = await checked(block("hi"), redactor())
    started = log.events[0]
    assert isinstance(started, RunStarted)
    described = started.chain["output"][0] | {"strategy": "of a newer version"}
    log.events[0] = replace(started, chain={"output": [described]})
    made = {check.name: check for check in run_checks(log)}
    for name in (JOINED, DECIDED):
        assert made[name].verdict == "not made"
        assert "cannot be made again" in made[name].detail


async def test_where_joined_differs_is_told_in_utf16_units() -> None:
    long = RegexRule("long", "<[a-z]{8,}>", "g", replacement="[LONG]")
    narrow = RegexFilterProcessor(rules=[long], strategy="redact", stream_carryover_size=4)
    made, log = await checked(block("\N{GRINNING FACE} a <abcd", "efgh", "ij> b"), narrow)
    assert made[JOINED].detail == f"{narrow.id}: differs from unit 5 of what left"
    (flow,) = next(iter(BlockCollector(log).blocks.values())).flows
    assert made[JOINED].place is not None
    assert made[JOINED].place.index == flow.out.index_at(5)


async def test_text_that_is_dropped_has_not_left() -> None:
    """A processor with rules may say of a match that it dropped it, and name no rule."""

    class Drops(RegexFilterProcessor):
        def process_output_stream(self, args: ProcessOutputStreamArgs) -> Chunk | None:
            if args.part.type != "text-delta":
                return args.part
            args.probe.emit([(0, len(args.part.payload.text), 0, 0, None)])
            return None

    made, _ = await checked(block("123-45-6789"), Drops(rules=[SSN], strategy="redact"))
    assert made[DECIDED].verdict == "pass"
    assert made[JOINED].verdict == "fail"
