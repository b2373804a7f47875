from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tests.support.made_events import leak_run
from tests.support.pane_context import open_pane
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.panes.runs import RunsPane
from tripscope_gui.theme import Theme


def names(pane: RunsPane) -> list[str]:
    return [pane.model.index(row, 0).data() for row in range(pane.model.rowCount())]


def test_replays_stand_beside_the_run_that_they_replay(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, RunsPane)
    QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert pane.empty.isVisible()
    first = pane.context.runs.load(leak_run())
    second = pane.context.runs.load(example_events("secret-in-prompt"))
    replay = pane.context.workspace.add(parent=first)
    replay.store.extend(leak_run())
    pane.context.show_current()
    assert [name[-1] for name in names(pane)] == ["1", "3", "2"]
    assert names(pane)[1].endswith(replay.title)
    assert pane.badge == "3"
    outcomes = [pane.model.index(row, 1).data(CellRole.OUTCOME) for row in range(3)]
    assert outcomes == ["changed", "changed", "blocked"]
    assert second.store.status == "blocked"


def test_picking_a_run_looks_at_it_and_runs_nothing(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, RunsPane, leak_run())
    first = pane.context.run
    pane.context.runs.load(example_events("tool-loop"))
    assert pane.table.currentIndex().row() == 1
    pane.table.selectRow(0)
    assert pane.context.run is first
    assert not pane.context.runs.running
    assert len(pane.context.workspace.runs) == 2


def test_the_baseline_is_pinned_and_unpinned(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, RunsPane, leak_run())
    pane.pin.click()
    assert pane.context.workspace.baseline is pane.context.run
    assert pane.model.index(0, 0).data(CellRole.ICON) == "pin"
    assert pane.pin.text() == "unpin baseline"
    pane.pin.click()
    assert pane.context.workspace.baseline is None
