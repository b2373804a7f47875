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


def test_told_intervals_are_kept_as_they_were_told() -> None:
    made = Events()
    made.begin_attempt()
    for number in range(2):
        part = made.chunk(number, text_delta("abc"))
        at = 3 * number
        made.hook(number, part, (part,), held=0, intervals=((at, at + 3, at, at + 3, None),))
    (block,) = BlockCollector(made.all).blocks.values()
    assert block.flows[0].intervals == [(0, 3, 0, 3, None), (3, 6, 3, 6, None)]
