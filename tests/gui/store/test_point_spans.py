"""What rules found and did in a text: bit by bit as at once, and of a stretch as of the whole."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.made_events import HOOK, Events
from tripscope.chunks import text_delta
from tripscope.processor import Interval
from tripscope.trace.events import AnyEvent, FindingMade
from tripscope_gui.run_store import RunStore
from tripscope_gui.store import point_spans
from tripscope_gui.store.block_runs import replaced_in
from tripscope_gui.store.chunk_rows import CLIENT, MODEL
from tripscope_gui.store.flow_map import depth_of
from tripscope_gui.store.overlaps import Overlap, Overlaps
from tripscope_gui.store.passages import Passage, cause_of, passage_at
from tripscope_gui.store.points import carry, depth_of_column
from tripscope_gui.store.run_index import index_of
from tripscope_gui.store.text_sources import follow_source, stream_sources

PROCESSORS = ("one", "two")
POINTS = (MODEL, *PROCESSORS, CLIENT)
PIECE = "abcd"
DOINGS = ("flag", "pass", "flag", "change", "drop", "insert")
KINDS = ("match", "box")


class _Processor:
    """Flags, replaces, drops, puts something in front of, holds and lets go pieces of text."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.given = 0
        self.out = 0
        self.held: list[tuple[int, str, str]] = []

    def take(self, draw: st.DrawFn, made: Events, number: int, text: str) -> str | None:
        """What it lets out of a part; None: it takes it in."""
        doing = draw(st.sampled_from(DOINGS)) if text else "pass"
        begin, self.given = self.given, self.given + len(text)
        if doing in ("flag", "change"):
            for _ in range(draw(st.integers(1, 3))):
                made.put(
                    FindingMade, hook=HOOK, processor=self.name,
                    rule=draw(st.sampled_from("rst")),
                    start=max(0, begin - draw(st.integers(0, 5))),
                    end=self.given - draw(st.integers(0, 1)),
                    outcome="changed" if doing == "change" else "flagged",
                    block="t1", index=number,
                )  # fmt: skip
        self.held.append((begin, text, doing))
        part = text_delta(text)
        if draw(st.booleans()):
            kept = sum(len(text) for _, text, _ in self.held)
            made.hook(number, part, (), self.name, held=kept, intervals=())
            return None
        out, told = self._let_go()
        made.hook(number, part, (text_delta(out),), self.name, held=0, intervals=tuple(told))
        return out

    def _let_go(self) -> tuple[str, list[Interval]]:
        outs: list[str] = []
        told: list[Interval] = []
        for begin, text, doing in self.held:
            if doing == "insert":
                told.append((begin, begin, self.out, self.out + 2, "ins"))
                outs.append("++")
                self.out += 2
            out = {"change": "[R]", "drop": ""}.get(doing, text)
            rule = "r" if doing == "change" else None
            told.append((begin, begin + len(text), self.out, self.out + len(out), rule))
            outs.append(out)
            self.out += len(out)
        self.held.clear()
        return "".join(outs), told


@st.composite
def runs(draw: st.DrawFn) -> list[AnyEvent]:
    made = Events(chain={"input": [], "output": [], "error": []})
    made.begin_attempt()
    processors = [_Processor(name) for name in PROCESSORS]
    for number in range(draw(st.integers(1, 8))):
        text: str | None = PIECE
        made.chunk(number, text_delta(PIECE))
        for processor in processors:
            if text is not None:
                text = processor.take(draw, made, number, text)
        if text is not None:
            made.deliver(number, text_delta(text))
    return made.all


def known() -> RunStore:
    """A store whose rules have their numbers, in whatever order they come up."""
    store = RunStore()
    for rule in ("r", "s", "t", "ins"):
        store.rules.number(rule)
    return store


def passages(store: RunStore) -> dict[str, Passage]:
    index = index_of(store)
    index.update()
    followed = follow_source(store, stream_sources(store)[0])
    assert followed is not None
    return {point: passage_at(index, followed, point) for point in POINTS}


def told(passage: Passage) -> tuple[object, ...]:
    return passage.run.text, passage.words, list(passage.spans.between(0, passage.run.length))


@settings(max_examples=100, deadline=None)
@given(runs(), st.integers(1, 9))
def test_what_is_found_bit_by_bit_is_what_is_found_at_once(
    events: list[AnyEvent], step: int
) -> None:
    store = known()
    grown: dict[str, Overlaps] = {}
    for at in range(0, len(events), step):
        store.extend(events[at : at + step])
        if not store.blocks:
            continue
        whole = known()
        whole.extend(events[: at + step])
        expected = passages(whole)
        for point, passage in passages(store).items():
            assert told(passage) == told(expected[point])
            if point not in grown or not grown[point].spans.same(passage.spans):
                grown[point] = Overlaps(passage.spans)
            grown[point].update()
            at_once = Overlaps(expected[point].spans)
            at_once.update()
            assert grown[point].all == at_once.all


def brute(store: RunStore, point: str) -> Iterator[tuple[int, int, str, str, int | None]]:
    """(start, end, kind, rule, seq) of every stretch, each finding carried by itself."""
    (block,) = store.blocks.values()
    depth = depth_of_column(block, point)
    seen: set[tuple[object, ...]] = set()
    for finding in store.findings:
        at = depth_of(block, finding.processor)
        same = (finding.processor, finding.start, finding.end, finding.rule)
        if at is None or same in seen or (at <= depth and finding.outcome != "flagged"):
            continue
        seen.add(same)
        ranges = carry(block, finding.start, finding.end, at - 1, depth)
        units = sorted({unit for low, high in ranges for unit in range(low, high)})
        starts = [unit for unit in units if unit - 1 not in units]
        ends = [unit + 1 for unit in units if unit + 1 not in units]
        for low, high in zip(starts, ends, strict=True):
            yield low, high, "match", finding.rule, finding.seq
    if depth >= 0:
        processor = block.flows[depth].processor
        for run in replaced_in(block, processor, 0, block.flows[depth].out.length):
            yield run.start, run.end, "box", run.rule, None


@settings(max_examples=100, deadline=None)
@given(runs(), st.data())
def test_a_stretch_has_the_spans_that_touch_it(events: list[AnyEvent], data: st.DataObject) -> None:
    store = known()
    store.extend(events)
    followed = follow_source(store, stream_sources(store)[0])
    assert followed is not None
    for point, passage in passages(store).items():
        everything = set(brute(store, point))
        low = data.draw(st.integers(0, passage.run.length))
        high = data.draw(st.integers(low + 1, low + 9))
        found = [(s.start, s.end, s.kind, s.rule, s.seq) for s in passage.spans.between(low, high)]
        assert len(found) == len(set(found))
        assert set(found) == {span for span in everything if span[0] < high and span[1] > low}
        assert found == sorted(found, key=lambda s: (s[0], -s[1], KINDS.index(s[2]), s[4] or 0))
        boxes = [span for span in everything if span[2] == "box" and span[0] < low]
        assert passage.spans.boxes_before(low) == len(boxes)
        cause = cause_of(index_of(store), followed, point, low)
        here = [seq for start, end, _, _, seq in everything if seq and start <= low < end]
        assert cause is not None or not here


def carried(pieces: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """How many matches are carried to show the first units, and to take one more match in."""
    made = Events(chain={"input": [], "output": [], "error": []})
    made.begin_attempt()
    store, seen = RunStore(), 0

    def piece(number: int) -> Passage:
        nonlocal seen
        at = len(PIECE) * number
        part = made.chunk(number, text_delta(PIECE))
        for rule in "rs":
            made.put(
                FindingMade, hook=HOOK, processor="one", rule=rule, start=at, end=at + 2,
                outcome="flagged", block="t1", index=number,
            )  # fmt: skip
        told = ((at, at + len(PIECE), at, at + len(PIECE), None),)
        made.hook(number, part, (part,), "one", held=0, intervals=told)
        made.deliver(number, part)
        store.extend(made.all[seen:])
        seen = len(made.all)
        index_of(store).update()
        followed = follow_source(store, stream_sources(store)[0])
        assert followed is not None
        return passage_at(index_of(store), followed, MODEL)

    for number in range(pieces):
        passage = piece(number)
    overlaps = Overlaps(passage.spans)
    overlaps.update()
    assert len(overlaps.all) == pieces
    counts: list[int] = []

    def counting(*args: Any) -> Any:
        counts[-1] += 1
        return carry(*args)

    monkeypatch.setattr(point_spans, "carry", counting)
    counts.append(0)
    assert len(passage.spans.between(0, 12)) == 6
    passage = piece(pieces)
    counts.append(0)
    assert passage.words
    overlaps.update()
    assert len(overlaps.all) == pieces + 1
    monkeypatch.undo()
    return counts[0], counts[1]


def test_the_work_is_that_of_what_is_in_view_and_of_what_is_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    short = carried(20, monkeypatch)
    assert all(short)
    assert carried(200, monkeypatch) == short


def test_what_has_not_got_there_yet_is_not_counted() -> None:
    made = Events(chain={"input": [], "output": [], "error": []})
    made.begin_attempt()
    part = made.chunk(0, text_delta("abcd"))
    for start in (0, 2):
        made.put(
            FindingMade, hook=HOOK, processor="one", rule="r", start=start, end=start + 2,
            outcome="flagged", block="t1", index=0,
        )  # fmt: skip
    out = text_delta("ab")
    made.hook(0, part, (out,), "one", held=2, intervals=((0, 2, 0, 2, None),))
    made.deliver(0, out)
    store = RunStore(made.all)
    found = passages(store)
    assert found[MODEL].words.endswith("4 UTF-16 units, 2 matches")
    assert found[CLIENT].words.endswith("2 UTF-16 units, 1 match")
    assert [s.end for s in found[CLIENT].spans.between(0, 4)] == [2]


def test_a_processor_that_is_new_in_the_text_has_its_overlaps_found() -> None:
    """Its first finding comes before the call that tells that it stands there."""
    made = Events(chain={"input": [], "output": [], "error": []})
    made.begin_attempt()
    part = made.chunk(0, text_delta("abcdefgh"))
    for rule in "rs":
        made.put(
            FindingMade, hook=HOOK, processor="one", rule=rule, start=0, end=2,
            outcome="changed", block="t1", index=0,
        )  # fmt: skip
    before = len(made.all)
    made.hook(0, part, (part,), "one", held=0, intervals=((0, 8, 0, 8, None),))
    store = RunStore(made.all[:before])
    steps: list[list[Overlap]] = []
    grown: Overlaps | None = None
    for events in ((), made.all[before:]):
        store.extend(events)
        passage = passages(store)[MODEL]
        if grown is None or not grown.spans.same(passage.spans):
            grown = Overlaps(passage.spans)
        grown.update()
        steps.append(list(grown.all))
    assert [len(step) for step in steps] == [0, 1]
