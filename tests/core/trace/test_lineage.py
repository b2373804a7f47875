"""Lineage: composed interval lists account for every character, forwards and backwards."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tripscope.processor import Interval
from tripscope.trace.blocks import Block
from tripscope.trace.flows import Flow
from tripscope.trace.lineage import Segment, fate_of, source_of, through

KEY = (0, 0, "text", "t1")


@st.composite
def chains(draw: st.DrawFn) -> Block:
    """A block through one to three processors that pass, replace, drop and hold at random."""
    text = draw(st.text("abcdefgh 😀", min_size=1, max_size=40))
    block = Block(KEY, closed=True)
    block.model.add(0, text)
    given_text = block.model.text
    for number in range(draw(st.integers(1, 3))):
        flow = Flow(f"p{number}", probed=True)
        flow.given.add(0, given_text)
        out = ""
        at = 0
        held = draw(st.booleans())
        for length in draw(st.lists(st.integers(1, 6), max_size=8)):
            end = min(at + length, flow.given.length)
            piece = _cut(given_text, at, end)
            what = draw(st.sampled_from(("pass", "replace", "drop")))
            new = {"pass": piece, "replace": "[R]", "drop": ""}[what]
            rule = None if what == "pass" else "r" if what == "replace" else None
            if end > at:
                start = _units(out)
                interval: Interval = (at, end, start, start + _units(new), rule)
                flow.intervals.append(interval)
                out += new
            at = end
        if not held and at < flow.given.length:
            start = _units(out)
            rest = _cut(given_text, at, flow.given.length)
            flow.intervals.append((at, flow.given.length, start, start + _units(rest), None))
            out += rest
        if out:
            flow.out.add(0, out)
        block.flows.append(flow)
        given_text = out
    return block


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _cut(text: str, start: int, end: int) -> str:
    raw = text.encode("utf-16-le", "surrogatepass")[start * 2 : end * 2]
    return raw.decode("utf-16-le", "surrogatepass")


@given(chains())
def test_every_unit_of_the_model_has_one_fate(block: Block) -> None:
    for depth in range(len(block.flows) + 1):
        segments = through(block, depth)
        covered = [fate_of(segments, unit) for unit in range(block.model.length)]
        assert None not in covered


@given(chains())
def test_every_unit_that_came_out_has_a_source_and_passed_text_is_equal(block: Block) -> None:
    model = block.model.text
    for depth in range(1, len(block.flows) + 1):
        out = block.flows[depth - 1].out
        segments = through(block, depth)
        for unit in range(out.length):
            source = source_of(segments, unit)
            assert source is not None
            if source.fate == "passed":
                there = source.start + unit - source.out_start
                assert _cut(model, there, there + 1) == _cut(out.text, unit, unit + 1)


def test_a_replacement_is_traced_through_a_second_processor() -> None:
    block = Block(KEY, closed=True)
    block.model.add(3, "to a@")
    block.model.add(4, "b.co now")
    first = Flow("pii", probed=True)
    first.given.add(3, "to a@b.co now")
    first.out.add(4, "to [EMAIL] now")
    first.intervals = [(0, 3, 0, 3, None), (3, 9, 3, 10, "email"), (9, 13, 10, 14, None)]
    second = Flow("upper", probed=True)
    second.given.add(4, "to [EMAIL] now")
    second.out.add(4, "to [EMAIL] now")
    second.intervals = [(0, 14, 0, 14, None)]
    block.flows = [first, second]
    segments = through(block)
    assert segments == [
        Segment(0, 3, 0, 3, "passed"),
        Segment(3, 9, 3, 10, "replaced", "pii", "email"),
        Segment(9, 13, 10, 14, "passed"),
    ]
    found = source_of(segments, 5)
    assert found is not None
    assert block.model.indexes_of(found.start, found.end) == [3, 4]
