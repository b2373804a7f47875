import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester

from tests.support.made_events import Events, leak_run
from tripscope.chunks import text_delta
from tripscope.trace.events import AttemptEnded
from tripscope_gui.models.chunk_table import FIXED, ChunkTable
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.chunk_query import parse
from tripscope_gui.store.run_index import index_of
from tripscope_gui.store.statuses import status_words


def attempts(*sizes: int) -> RunStore:
    """One attempt of step 0 per size, with that many deltas."""
    made = Events()
    index = 0
    for number, size in enumerate(sizes):
        made.begin_attempt(0, number)
        for _ in range(size):
            part = made.chunk(index, text_delta(f"word {index} "))
            made.hook(index, part, (part,), held=0, intervals=())
            made.deliver(index, part)
            index += 1
        last = number == len(sizes) - 1
        made.end_attempt(
            "pass" if last else "blocked", processor=None if last else "pii", retried=not last
        )
    made.end("passed")
    return RunStore(made.all)


def table_of(store: RunStore) -> ChunkTable:
    table = ChunkTable()
    index = index_of(store)
    index.update()
    table.show_run(index)
    assert not table.advance(None)
    return table


def test_the_model_keeps_the_rules(qtmodeltester: ModelTester) -> None:
    table = table_of(RunStore(leak_run()))
    qtmodeltester.check(table)
    assert table.rowCount() == 6
    assert table.headerData(3, Qt.Orientation.Horizontal) == "model"
    assert table.headerData(4, Qt.Orientation.Horizontal) == "after pii"
    assert table.columnCount() == len(FIXED) + 3


def test_groups_come_before_their_rows() -> None:
    table = table_of(attempts(3, 2))
    assert list(table.entries.codes) == [-1, 0, 1, 2, -2, 3, 4]
    first = table.group_at(0)
    assert first is not None
    words = table.words(first)
    assert words.title == "Step 0 \u00b7 attempt 1"
    assert words.outcome == "blocked"
    assert words.sentence == "rejected by pii, retry asked"
    second = table.group_at(4)
    assert second is not None
    assert table.words(second).line == "Step 0 \u00b7 attempt 2 pass accepted retryCount 1"


def test_groups_fold_and_unfold(qtmodeltester: ModelTester) -> None:
    table = table_of(attempts(3, 2))
    qtmodeltester.check(table)
    first, second = table.entries.groups
    table.toggle(first)
    assert list(table.entries.codes) == [-1, -2, 3, 4]
    assert table.words(first).rest == "chunks 1\u20133"
    table.toggle(second)
    assert list(table.entries.codes) == [-1, -2]
    table.toggle(first)
    assert list(table.entries.codes) == [-1, 0, 1, 2, -2]
    table.toggle(second)
    assert list(table.entries.codes) == [-1, 0, 1, 2, -2, 3, 4]
    assert [table.entries.place_of(row) for row in range(5)] == [1, 2, 3, 5, 6]


def test_a_filter_lists_what_fits_and_its_groups() -> None:
    table = table_of(attempts(3, 2))
    assert table.index_of_run is not None
    table.set_test(table.index_of_run.facts.test(parse("attempt:2 chunk:5")))
    assert table.rowCount() == 0
    table.advance(None)
    assert list(table.entries.codes) == [-2, 4]
    assert (table.entries.matching, table.total) == (1, 5)
    first, second = table.entries.groups
    table.toggle(second)
    table.toggle(second)
    assert list(table.entries.codes) == [-2, 4]
    table.set_test(None)
    table.advance(None)
    assert len(table.entries) == 7
    assert not first.collapsed


def test_rows_are_appended_in_batches() -> None:
    events = leak_run()
    store = RunStore(events[:5])
    table = table_of(store)
    inserted: list[tuple[int, int]] = []
    table.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    before = table.rowCount()
    store.extend(events[5:])
    table.advance(None)
    assert inserted == [(before, 5)]


def test_a_row_that_fits_only_later_is_listed_in_its_place() -> None:
    events = leak_run()
    finding = next(n for n, event in enumerate(events) if event.kind == "finding")
    store = RunStore(events[:finding])
    index = index_of(store)
    table = ChunkTable()
    table.show_run(index, index.facts.test(parse("rule:email")))
    table.advance(None)
    assert table.rowCount() == 0
    store.extend(events[finding:])
    table.recheck(index.update())
    table.advance(None)
    assert list(table.entries.codes) == [-1, 1, 2, 3]


def test_the_newest_row_waits_for_its_calls_under_a_filter() -> None:
    made = Events()
    made.begin_attempt()
    part = made.chunk(0, text_delta("a"))
    store = RunStore(made.all)
    index = index_of(store)
    table = ChunkTable()
    table.show_run(index, index.facts.test(parse("changed")))
    table.advance(None)
    made.hook(0, part, (text_delta("b"),), outcome="changed")
    store.extend(made.all[-1:])
    made.chunk(1, text_delta("c"))
    store.extend(made.all[-1:])
    table.advance(None)
    assert list(table.entries.codes) == [-1, 0]


@pytest.mark.parametrize("size", [1, 255, 256, 257, 1000])
def test_slices_lose_nothing(size: int) -> None:
    table = ChunkTable()
    store = attempts(size, 3)
    table.show_run(index_of(store))
    while table.advance(0):
        pass
    assert [code for code in table.entries.codes if code >= 0] == list(range(size + 3))
    assert [g.first_row for g in table.entries.groups] == [0, size]


def test_looks_are_forgotten_when_a_row_gets_more_calls() -> None:
    made = Events()
    made.begin_attempt()
    part = made.chunk(0, text_delta("ab"))
    store = RunStore(made.all)
    table = table_of(store)
    assert table.look(store.rows[0], "pii").text == "\u2013"
    made.hook(0, part, (part,), held=0, intervals=((0, 2, 0, 2, None),))
    store.extend(made.all[-1:])
    table.refresh(0)
    assert table.look(store.rows[0], "pii").text == "ab"


def test_the_newest_group_says_so_when_its_attempt_is_over() -> None:
    made = Events()
    made.begin_attempt(0, 0)
    made.chunk(0, text_delta("word"))
    store = RunStore(made.all)
    table = table_of(store)
    group = table.group_at(0)
    assert group is not None
    assert table.words(group).sentence == "running"
    told: list[int] = []
    table.dataChanged.connect(lambda first, _last: told.append(first.row()))
    known = len(made.all)
    made.end_attempt("not-run")
    made.end("cancelled")
    store.extend(made.all[known:])
    table.refresh(0)
    assert table.words(group).sentence == status_words("cancelled") == "stopped"
    assert 0 in told


def test_a_group_that_was_running_is_told_anew_however_many_came_since() -> None:
    whole = attempts(2, 2, 2, 2).events
    first = next(n for n, event in enumerate(whole) if isinstance(event, AttemptEnded))
    store = RunStore(whole[:first])
    table = table_of(store)
    group = table.group_at(0)
    assert group is not None
    table.refresh(0)
    assert (table.words(group).title, table.words(group).sentence) == ("Step 0", "running")
    store.extend(whole[first:])
    table.advance(None)
    table.refresh(1)
    assert table.words(group).title == "Step 0 \u00b7 attempt 1"
    assert table.words(group).sentence.startswith("rejected")
