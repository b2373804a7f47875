"""Blocks: what each processor was given and let out, and the intervals between the two."""

from tests.support.made_events import Events
from tripscope.chunks import text_delta
from tripscope.trace.blocks import BlockCollector


def test_calls_that_let_all_through_are_one_interval_and_a_change_is_its_own() -> None:
    made = Events()
    made.begin_attempt()
    for number in range(6):
        part = made.chunk(number, text_delta("abc"))
        out = text_delta("[X]!") if number == 3 else part
        made.hook(number, part, (out,), "plain", outcome="changed" if number == 3 else "pass")
    (block,) = BlockCollector(made.all).blocks.values()
    (flow,) = block.flows
    assert not flow.probed
    assert flow.intervals == [(0, 9, 0, 9, None), (9, 12, 9, 13, ""), (12, 18, 13, 19, None)]
    assert (flow.given.length, flow.out.length, flow.held) == (18, 19, 0)
    assert flow.given.indexes_of(2, 4) == [0, 1]


def test_told_intervals_are_joined_only_where_text_is_let_through() -> None:
    made = Events()
    made.begin_attempt()
    told = (
        ((0, 3, 0, 3, None),),
        ((3, 4, 3, 4, None), (4, 6, 4, 9, "rule")),
        (),
        ((6, 8, 9, 11, None), (8, 10, 11, 12, None), (10, 12, 12, 14, None)),
        ((12, 15, 14, 17, None),),
    )
    for number, intervals in enumerate(told):
        part = made.chunk(number, text_delta("abc"))
        made.hook(number, part, (part,), held=0, intervals=intervals)
    (block,) = BlockCollector(made.all).blocks.values()
    assert block.flows[0].intervals == [
        (0, 4, 0, 4, None),
        (4, 6, 4, 9, "rule"),
        (6, 8, 9, 11, None),
        (8, 10, 11, 12, None),
        (10, 15, 12, 17, None),
    ]
