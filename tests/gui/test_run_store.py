from itertools import pairwise

import pytest

from tests.support.made_events import Events, leak_run
from tripscope.chunks import Chunk, Delta, text_delta
from tripscope_gui import run_store
from tripscope_gui.run_store import RunStore


def test_cells_tell_pass_hold_and_flush() -> None:
    store = RunStore(leak_run())
    rows = store.rows
    assert rows.columns == ("model", "pii", "client")
    assert [row.type for row in rows] == [
        "text-start", "text-delta", "text-delta", "text-end", "finish",
    ]  # fmt: skip
    cells = [rows.cell(row, "pii") for row in rows]
    assert [cell.state for cell in cells] == ["pass", "pass", "held", "changed", "pass"]
    assert [cell.held for cell in cells] == [0, 3, 5, 0, 0]
    assert cells[3].flush
    assert cells[3].text == "[EMAIL]"
    assert [(m.start, m.end, m.rule) for m in cells[3].marks] == [(0, 7, "email")]
    assert rows.cell(rows[2], "client").state == "nothing"
    assert rows.cell(rows[3], "client").text == "[EMAIL]"


def test_release_and_drop() -> None:
    made = Events()
    made.begin_attempt()
    one = made.chunk(0, text_delta("abc"))
    made.hook(0, one, (), held=3)
    two = made.chunk(1, text_delta("def"))
    made.hook(1, two, (text_delta("abc"),), held=3)
    three = made.chunk(2, text_delta("ghi"))
    made.hook(2, three, (), held=0, outcome="changed")
    store = RunStore(made.all)
    states = [store.rows.cell(row, "pii").state for row in store.rows]
    assert states == ["held", "released", "dropped"]
    pii = next(lane for lane in store.lanes.all if lane.id == "pii")
    assert len(pii.holds.starts) == 1
    assert pii.holds.ends[0] > pii.holds.starts[0]


def test_other_kinds_pass_a_rule_based_processor_unscanned() -> None:
    made = Events()
    made.begin_attempt()
    part = made.chunk(0, Chunk("reasoning-delta", Delta(id="r", text="hm")))
    made.hook(0, part, (part,))
    store = RunStore(made.all)
    assert store.rows.cell(store.rows[0], "pii").state == "unscanned"


def test_blocks_grow_with_the_events() -> None:
    store = RunStore()
    seen = []
    for event in leak_run():
        store.append(event)
        seen += [block.delivered.text for block in store.blocks.values()]
    block = store.block_of(store.rows[1])
    assert block is not None
    assert block.model.text == "Ann: ann@x"
    assert block.flow("pii").out.text == "Ann: [EMAIL]"
    assert block is store.block_of(store.rows[3])
    assert store.block_of(store.rows[4]) is None
    assert (seen[0], seen[-1]) == ("", "Ann: [EMAIL]")
    assert all(after.startswith(before) for before, after in pairwise(seen))


def test_half_a_character_in_a_cell_and_in_its_block() -> None:
    made = Events()
    made.begin_attempt()
    for index, half in enumerate(("\ud83d", "\ude00")):
        part = made.chunk(index, text_delta(half))
        made.hook(index, part, (part,), held=0)
    store = RunStore(made.all)
    (block,) = store.blocks.values()
    assert (block.model.text, block.model.length) == ("😀", 2)
    assert store.rows.cell(store.rows[0], "model").text == "\ud83d"


def test_totals_attempts_findings_and_messages() -> None:
    store = RunStore(leak_run())
    assert (store.totals.tokens_in, store.totals.tokens_out) == (7, 4)
    assert store.totals.max_steps == 5
    assert store.status == "changed"
    assert store.attempts.steps == 1
    attempt = store.attempts.current
    assert attempt is not None
    assert (attempt.first_row, attempt.end_row, attempt.outcome) == (0, 5, "pass")
    assert store.findings_of_row(store.rows[3]) == store.findings
    assert store.rules.names[:2] == ("email", "phone")
    tally = store.calls.get("pii", "processOutputStream")
    assert tally is not None
    assert (tally.count, tally.duration, tally.outcome) == (5, 5000, "changed")
    assert store.state_at("pii", 10**6) == {"length": 0}
    assert store.message_wires(store.messages[-1]) == [("m1@1", "input", {"role": "user"})]
    assert store.event(0) is store.started
    assert store.event(len(store.events)) is None


def test_live_and_loaded_give_the_same() -> None:
    events = leak_run()
    one_by_one = RunStore()
    for event in events:
        one_by_one.append(event)
    at_once = RunStore(events)
    for column in at_once.rows.columns:
        assert [at_once.rows.cell(r, column) for r in at_once.rows] == [
            one_by_one.rows.cell(r, column) for r in one_by_one.rows
        ]


def long_run() -> Events:
    made = Events()
    made.begin_attempt()
    for number in range(1500):
        part = made.chunk(number, text_delta("ab "))
        made.hook(number, part, (part,), held=0, intervals=())
        made.deliver(number, part)
    made.end_attempt()
    made.end()
    return made


def test_a_packed_run_reads_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_store, "LONG_RUN", 1000)
    events = long_run().all
    plain, packed = RunStore(events), RunStore()
    for first in range(0, len(events), 300):
        packed.extend(events[first : first + 300])
        while packed.collect(256):
            pass
        while packed.pack(1_000_000):
            pass
    assert packed.events.loose < len(events) / 2
    assert list(packed.events) == events
    assert [packed.event(event.seq) for event in events[::-7]] == events[::-7]
    assert packed.event(-1) is packed.event(len(events)) is None
    assert list(packed.rows) == list(plain.rows)
    assert packed.blocks == plain.blocks
    assert packed.totals == plain.totals


def test_a_run_that_is_short_or_not_in_its_blocks_is_not_packed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = RunStore(long_run().all)
    store.collect(len(store.events))
    assert not store.pack(10**9)
    assert store.events.loose == len(store.events)
    monkeypatch.setattr(run_store, "LONG_RUN", 1000)
    late = RunStore(long_run().all)
    assert not late.pack(10**9)
    assert late.events.loose == len(late.events)
    late.collect(len(late.events))
    assert not late.pack(10**9)
    assert late.events.loose < len(late.events)
