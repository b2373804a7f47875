import gc
import weakref

import pytest

from tests.support.made_events import leak_run
from tripscope.trace.store import RunFacts, StoredRun
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.run_index import index_of
from tripscope_gui.store.workspace import Run, Workspace


def looked_at(run: Run) -> list[weakref.ref[object]]:
    """Weak references to all that holds the events of a run that panes have worked on."""
    run.store.extend(leak_run())
    index = index_of(run.store)
    index.update()
    return [weakref.ref(run.store), weakref.ref(index)]


def test_a_run_that_is_dropped_goes_with_all_that_was_worked_out() -> None:
    workspace = Workspace()
    first, second = workspace.add(), workspace.add()
    alive = looked_at(first) + looked_at(second)
    workspace.remove(first)
    workspace.clear()
    del first, second
    gc.collect()
    assert [ref() for ref in alive] == [None] * 4


def test_an_index_does_not_keep_its_run_alive() -> None:
    store = RunStore(leak_run())
    index_of(store).update()
    assert index_of(store) is index_of(store)
    alive = weakref.ref(store)
    del store
    gc.collect()
    assert alive() is None


def test_notes_outlive_the_events_in_memory() -> None:
    run = Workspace().add()
    alive = looked_at(run)
    run.store.notes.set_comment(1, "look here")
    run.entry = StoredRun(1, RunFacts("small"), 10)
    run.unload()
    assert not run.complete
    gc.collect()
    assert [ref() for ref in alive] == [None, None]
    assert run.store.notes.comment(1) == "look here"
    assert index_of(run.store).notes is run.store.notes


@pytest.mark.parametrize(
    "started_at", ["", "yesterday", "0001-01-01T00:00:00", "9999-12-31T23:59:59.999999-23:59"]
)
def test_a_time_that_is_none_is_not_shown(started_at: str) -> None:
    run = Run(1, entry=StoredRun(1, RunFacts("small", started_at=started_at), 10))
    assert run.clock in ("", "01 Jan 00:00")
