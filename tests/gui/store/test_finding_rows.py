"""Rows of the findings table: what each is about."""

import pytest

from tests.support.example_runs import example_events
from tests.support.stream_checks import block, checked, redactor
from tripscope.trace.finding_lines import finding_lines
from tripscope.trace.leaks import ChunkNumbers
from tripscope_gui.finding_selection import carried, selection_of
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.finding_rows import FindingRows
from tripscope_gui.store.followed import StreamSource
from tripscope_gui.store.run_index import index_of
from tripscope_gui.store.text_sources import source_of_finding


async def test_a_finding_in_the_second_block_of_an_id_is_looked_up_there() -> None:
    _, log = await checked(block("é 123-45-6789") + block("ééé 987-65-4321"), redactor())
    store = RunStore(log)
    rows = FindingRows(store)
    rows.grow()
    one, two = (row for row in rows if row.event.block is not None)
    assert (one.value(), two.value()) == ("123-45-6789", "987-65-4321")
    assert two.code_points() == (4, 15)
    assert two.utf8() == (7, 18)
    assert one.where() != two.where()
    source = source_of_finding(store, two.event)
    assert isinstance(source, StreamSource)
    assert source.key[3] == "t1 #2"
    selection = selection_of(1, store, two.event)
    assert selection.span is not None
    assert selection.span.block == "t1 #2"
    # the same place in a replay is in the second block again
    again = carried(selection, store, RunStore(log), 2)
    assert again is not None
    assert (again.finding, again.span) == (two.event.seq, selection.span)
    row = store.rows[selection.row or 0]
    found = store.block_of(row)
    assert found is not None
    assert found.key[3] == "t1 #2"


@pytest.mark.parametrize(
    "name", ["support-agent", "half-an-address", "tool-loop", "secret-in-prompt"]
)
def test_window_and_command_line_list_the_same_findings(name: str) -> None:
    events = list(example_events(name))
    store = RunStore(events)
    index = index_of(store)
    index.update()
    rows = FindingRows(store)
    rows.grow()
    rows.add_leaks([leak for found in index.leaks.by_block.values() for leak in found])
    shown = [
        (row.event.rule, row.event.start, row.event.end, row.left_with if row.leak else None)
        for row in rows
    ]
    lines = finding_lines(events)
    told = [(one.rule, one.start, one.end, one.left_at_chunk) for one in lines]
    assert shown == [(*one[:3], None if one[3] is None else str(one[3])) for one in told]
    numbers = ChunkNumbers(events)
    for row in store.rows:
        if row.index is not None:
            assert row.label == str(numbers.of(row.index))
