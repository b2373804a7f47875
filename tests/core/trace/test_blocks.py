"""Blocks: what each processor was given and let out, and the intervals between the two."""

from hypothesis import given
from hypothesis import strategies as st

from tests.support.made_events import Events
from tripscope.chunks import BlockEdge, Chunk, Delta, text_delta
from tripscope.patterns.units import join_surrogates, utf16_len
from tripscope.trace.blocks import BlockCollector
from tripscope.trace.events import AnyEvent, HookCalled


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


def test_the_same_text_has_passed_however_its_chunks_look() -> None:
    made = Events()
    made.begin_attempt()
    part = made.chunk(0, text_delta("abc"))
    marked = Chunk("text-delta", Delta(id="t1", text="abc", provider_metadata={"seen": True}))
    made.hook(0, part, (marked,), "plain", outcome="changed")
    part = made.chunk(1, text_delta("def"))
    made.hook(1, part, (text_delta("d"), text_delta("ef")), "plain", outcome="changed")
    (block,) = BlockCollector(made.all).blocks.values()
    assert block.flows[0].intervals == [(0, 6, 0, 6, None)]


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


def test_an_id_that_comes_again_begins_a_block_of_its_own() -> None:
    made = Events()
    made.begin_attempt()
    ids = ("t", "t", "t #2", "t", "t #2")
    for number, name in enumerate(ids):
        made.chunk(3 * number, Chunk("text-start", BlockEdge(id=name)))
        made.chunk(3 * number + 1, text_delta(f"{number}", id=name))
        made.chunk(3 * number + 2, Chunk("text-end", BlockEdge(id=name)))
    blocks = BlockCollector(made.all)
    assert [key[3] for key in blocks.blocks] == ["t", "t #2", "t #2 #2", "t #3", "t #2 #3"]
    found = [blocks.at(0, 0, "text", name, 3 * n + 1) for n, name in enumerate(ids)]
    assert found == list(blocks.blocks.values())
    assert blocks.at(0, 0, "text", "t", None) is found[0]
    assert blocks.at(0, 0, "text", "t", 8) is found[1]
    assert blocks.at(0, 0, "text", "u", 8) is None


@st.composite
def runs(draw: st.DrawFn) -> list[AnyEvent]:
    """Two blocks through two processors, of which each may say something of itself or nothing."""
    made = Events()
    made.begin_attempt()
    pieces = st.text("ab\ud83e\udd80\u00e9\U0001f980", max_size=4)
    ways = draw(st.lists(st.sampled_from(("pass", "change", "hold", "two", "drop")), max_size=14))
    for number, way in enumerate(ways):
        block = draw(st.sampled_from(("t1", "t2")))
        part = made.chunk(number, text_delta(draw(pieces), id=block))
        for processor in ("one", "two"):
            what = way if draw(st.booleans()) else "pass"
            other = text_delta(draw(pieces), id=draw(st.sampled_from(("t1", "t2"))))
            out = {
                "pass": (part,), "change": (other,), "hold": (), "two": (other, part), "drop": None,
            }[what]  # fmt: skip
            held = draw(st.sampled_from((None, None, 0, 3)))
            made.hook(number, part, out, processor, outcome="changed", held=held)  # type: ignore[arg-type]
            if not out:
                break
            part = out[-1]
        else:
            made.deliver(number, part)
    made.end_attempt()
    return made.all


def told(collector: BlockCollector) -> list[object]:
    """All that a block says, of each of its texts too."""
    found: list[object] = []
    for block in collector.blocks.values():
        texts = [block.model, block.delivered]
        for flow in block.flows:
            texts += [flow.given, flow.out]
            found += [flow.processor, flow.intervals, flow.probed, flow.held, flow.refused]
        found += [(t.text, t.length, t.indexes.tolist(), t.starts.tolist()) for t in texts]
    return found


@given(runs(), st.lists(st.integers(1, 5), min_size=40, max_size=40))
def test_blocks_found_bit_by_bit_are_those_found_at_once(
    events: list[AnyEvent], steps: list[int]
) -> None:
    grown, at = BlockCollector(), 0
    for step in steps:
        grown.extend(events[at : at + step])
        at += step
        assert told(grown) == told(BlockCollector(events[:at]))


@given(runs())
def test_a_text_is_what_the_calls_say(events: list[AnyEvent]) -> None:
    """Also of a processor whose two texts are one as long as it lets everything through."""
    for block in BlockCollector(events).blocks.values():
        for flow in block.flows:
            calls = [
                e for e in events if isinstance(e, HookCalled) and e.processor == flow.processor
            ]
            came = [c.part for c in calls if c.part is not None]
            left = [chunk for c in calls for chunk in c.out or ()]
            for text, chunks in ((flow.given, came), (flow.out, left)):
                deltas = [c.payload.text for c in chunks if c.payload.id == block.id]
                assert text.texts == deltas
                assert text.text == join_surrogates("".join(deltas))
                assert text.length == utf16_len("".join(deltas))


def test_a_processor_that_changes_something_late_has_two_texts_from_there_on() -> None:
    made = Events()
    made.begin_attempt()
    for number in range(4):
        part = made.chunk(number, text_delta("abc"))
        made.hook(number, part, (text_delta("x") if number == 2 else part,), "plain")
    collector = BlockCollector(made.all[:-4])
    (block,) = collector.blocks.values()
    (flow,) = block.flows
    assert flow.out is flow.given
    collector.extend(made.all[-4:])
    assert (flow.given.text, flow.out.text) == ("abcabcabcabc", "abcabcxabc")
    assert flow.intervals == [(0, 6, 0, 6, None), (6, 9, 6, 7, ""), (9, 12, 7, 10, None)]
