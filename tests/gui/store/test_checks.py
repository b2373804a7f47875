"""The checks of a run are the same whether its blocks are put together or not."""

import pytest

from tests.support.example_runs import example_events
from tripscope.trace.checks import run_checks
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.checks import checks_of


@pytest.mark.parametrize("example", ["support-agent", "secret-in-prompt", "tool-loop"])
def test_blocks_of_the_store_give_the_same_checks_as_all_events(example: str) -> None:
    events = example_events(example)
    store = RunStore(events)
    expected = run_checks(events)
    assert store.collect(0), "nothing is put together yet"
    assert checks_of(store) == expected
    store.collect(len(events))
    assert not store.collect(0)
    assert checks_of(store) == expected
