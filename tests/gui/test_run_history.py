import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester

from tests.support.patience import PATIENCE, WHOLE
from tests.support.window import (
    finished,
    no_settings,
    session_wire,
    slow_script,
    until,
    write_session,
)
from tripscope.session import save_session, session_from_wire
from tripscope.trace.store import RunHistory
from tripscope_gui import run_packing, run_store
from tripscope_gui.aio import run_app
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes.runs import RunsPane
from tripscope_gui.run_history import RECENT, HistoryKeeper, history_path
from tripscope_gui.theme import Theme


def with_history(
    app: QApplication, theme: Theme, path: Path, test: Callable[[MainWindow], Awaitable[None]]
) -> None:
    """Show a window that keeps its runs in a file, await ``test``, close it as a person would."""

    async def main() -> int:
        window = MainWindow(theme, no_settings(), path)
        window.resize(1400, 900)
        window.show()
        try:
            await asyncio.wait_for(test(window), WHOLE)
        finally:
            window.close()
            await asyncio.wait_for(window.closed.wait(), PATIENCE)
            window.deleteLater()
        return 0

    assert run_app(app, main) == 0


def keeper(window: MainWindow) -> HistoryKeeper:
    assert window.history is not None
    return window.history


def runs_pane(window: MainWindow) -> RunsPane:
    pane = window.work.grid.pane("Runs")
    assert isinstance(pane, RunsPane)
    return pane


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return write_session(tmp_path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "runs.db"


def test_runs_of_an_earlier_window_are_listed_and_load_when_looked_at(
    qapp: QApplication, theme: Theme, path: Path, session: Path, qtmodeltester: ModelTester
) -> None:
    kept: list[object] = []

    async def first(window: MainWindow) -> None:
        window.documents.open_session(session)
        run = await finished(window, window.context.runs.start)
        replay = await finished(window, window.context.runs.replay)
        kept.extend([list(run.store.events), list(replay.store.events)])
        window.context.set_baseline(run)

    async def second(window: MainWindow) -> None:
        window.documents.open_session(session)
        workspace = window.context.workspace
        assert [(r.number, r.parent, r.complete) for r in workspace] == [
            (1, None, False),
            (2, 1, False),
        ]
        assert window.context.run is None
        assert workspace.baseline is workspace.runs[0]
        window.work.grid.show_pane("Runs")
        model = runs_pane(window).model
        qtmodeltester.check(model)
        assert cells(model, 1)[:3] == ["\u21b3 Run 2", "passed with changes", "replay of 1"]
        assert cells(model, 1)[4] == "7"
        assert [list(run.store.events) for run in workspace] == [[], []]
        # picking the row is all that a person does
        runs_pane(window).table.selectRow(1)
        await until(lambda: workspace.runs[1].complete)
        assert window.context.run is workspace.runs[1]
        assert list(workspace.runs[1].store.events) == kept[1]
        assert not workspace.runs[0].store.events
        # a number is not given twice, and a replay of an old run works
        third = await finished(window, window.context.runs.replay)
        assert (third.number, third.parent) == (3, 2)

    with_history(qapp, theme, path, first)
    with_history(qapp, theme, path, second)
    history = RunHistory(path)
    assert [r.facts.number for r in history.runs()] == [1, 2, 3]
    assert [r.pinned for r in history.runs()] == [True, False, False]
    history.close()


def cells(model: QAbstractItemModel, row: int) -> list[str]:
    return [str(model.index(row, column).data()) for column in range(model.columnCount())]


def test_old_runs_live_on_disk(qapp: QApplication, theme: Theme, path: Path, session: Path) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(session)
        context = window.context
        runs = [await finished(window, context.runs.start) for _ in range(RECENT + 3)]
        await until(lambda: not keeper(window).busy)
        assert not runs[0].complete
        context.set_baseline(runs[0])
        await until(lambda: runs[0].complete)
        await finished(window, context.runs.start)
        await until(lambda: not keeper(window).busy)
        in_memory = [run.number for run in context.workspace if run.store.events]
        assert in_memory == [1, RECENT + 2, RECENT + 3, RECENT + 4]
        events = runs[1].entry.facts.events if runs[1].entry else 0
        assert await keeper(window).ensure(runs[1])
        assert len(runs[1].store.events) == events > 10

    with_history(qapp, theme, path, drive)


def test_a_forgotten_run_is_gone_from_the_disk(
    qapp: QApplication, theme: Theme, path: Path, session: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(session)
        for _ in range(3):
            await finished(window, window.context.runs.start)
        await until(lambda: not keeper(window).busy)
        assert window.context.actions.trigger("run.forget")
        assert [run.number for run in window.context.workspace] == [1, 2]
        assert window.context.run is window.context.workspace.runs[1]
        keeper(window).forget_all()

    with_history(qapp, theme, path, drive)
    history = RunHistory(path)
    assert history.runs() == []
    history.close()


def test_another_session_has_its_own_runs(
    qapp: QApplication, theme: Theme, path: Path, tmp_path: Path, session: Path
) -> None:
    other = tmp_path / "other.tripscope.json"
    save_session(session_from_wire(session_wire(name="other")), other)

    async def drive(window: MainWindow) -> None:
        window.documents.open_session(session)
        await finished(window, window.context.runs.start)
        await until(lambda: not keeper(window).busy)
        window.documents.open_session(other)
        assert window.context.workspace.runs == []
        window.documents.open_session(session)
        assert [run.number for run in window.context.workspace] == [1]

    with_history(qapp, theme, path, drive)


def test_a_history_that_cannot_be_used_is_told_and_runs_go_on(
    qapp: QApplication, theme: Theme, path: Path, session: Path
) -> None:
    path.parent.mkdir()
    path.write_bytes(b"something else" * 1000)

    async def drive(window: MainWindow) -> None:
        told: list[str] = []
        window.context.said.connect(told.append)
        window.documents.open_session(session)
        run = await finished(window, window.context.runs.start)
        assert run.store.over
        assert len(told) == 1
        assert "Runs are not kept" in told[0]
        assert str(path) in told[0]

    with_history(qapp, theme, path, drive)
    assert path.read_bytes().startswith(b"something else")


def test_a_run_that_is_gone_says_so(
    qapp: QApplication, theme: Theme, path: Path, session: Path
) -> None:
    async def first(window: MainWindow) -> None:
        window.documents.open_session(session)
        await finished(window, window.context.runs.start)

    async def second(window: MainWindow) -> None:
        told: list[str] = []
        window.context.said.connect(told.append)
        window.documents.open_session(session)
        history = RunHistory(path)
        history.clear()
        history.close()
        run = window.context.workspace.runs[0]
        window.context.look_at(run)
        await until(lambda: told)
        assert "no longer in the history" in told[0]
        assert not run.complete

    with_history(qapp, theme, path, first)
    with_history(qapp, theme, path, second)


def test_the_history_is_among_the_users_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert history_path().name == "runs.db"
    assert "tripscope" in history_path().parts


def test_events_are_packed_in_slices(
    qapp: QApplication, theme: Theme, path: Path, session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = 0
    monkeypatch.setattr(run_packing, "SLICE_NS", 0)
    monkeypatch.setattr(run_packing, "SLICE", 4)

    async def drive(window: MainWindow) -> None:
        nonlocal turns
        window.documents.open_session(session)
        await finished(window, window.context.runs.start)
        while keeper(window).busy:
            await asyncio.sleep(0)
            turns += 1

    with_history(qapp, theme, path, drive)
    assert turns > 3


@pytest.mark.parametrize("how", ["another session", "close"])
def test_a_run_cut_off_by_the_person_is_kept_with_its_own_session(
    qapp: QApplication, theme: Theme, path: Path, tmp_path: Path, how: str
) -> None:
    slow = tmp_path / "slow.tripscope.json"
    save_session(session_from_wire(session_wire(model=slow_script(), name="Slow one")), slow)
    other = write_session(tmp_path, "other")

    async def first(window: MainWindow) -> None:
        window.documents.open_session(slow)
        run = window.context.runs.start()
        assert run is not None
        await until(lambda: len(run.store.rows) > 3)
        if how == "another session":
            assert await window.documents.open(other)

    async def second(window: MainWindow) -> None:
        window.documents.open_session(other)
        assert window.context.workspace.runs == []
        window.documents.open_session(slow)
        (run,) = window.context.workspace.runs
        assert run.status == "cancelled"

    with_history(qapp, theme, path, first)
    with_history(qapp, theme, path, second)


def test_a_long_run_is_kept_and_comes_back_packed(
    qapp: QApplication, theme: Theme, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_store, "LONG_RUN", 1000)
    script = {"use": "scripted", "script": [{"text": ["ab "] * 700}]}
    session = write_session(tmp_path, model=script)
    kept: list[object] = []

    async def first(window: MainWindow) -> None:
        window.documents.open_session(session)
        run = await finished(window, window.context.runs.start)
        kept.extend(run.store.events)
        await until(lambda: run.entry is not None)
        assert run.store.events.loose < len(kept)
        replay = await finished(window, window.context.runs.replay)
        assert replay.status == run.status
        assert len(replay.store.rows) == len(run.store.rows)

    async def second(window: MainWindow) -> None:
        window.documents.open_session(session)
        run = window.context.workspace.runs[0]
        window.context.look_at(run)
        await until(lambda: run.complete and run.store.events.loose < len(run.store.events))
        assert list(run.store.events) == kept

    with_history(qapp, theme, path, first)
    with_history(qapp, theme, path, second)


def test_two_windows_store_no_number_twice(
    qapp: QApplication, theme: Theme, path: Path, session: Path
) -> None:
    said: list[str] = []

    async def drive(window: MainWindow) -> None:
        other = MainWindow(theme, no_settings(), path)
        other.context.said.connect(said.append)
        for one in (window, other):
            one.documents.open_session(session)
        first = await finished(window, window.context.runs.start)
        await until(lambda: first.entry is not None)
        second = await finished(other, other.context.runs.start)
        await until(lambda: second.entry is not None)
        third = await finished(other, other.context.runs.replay)
        await until(lambda: third.entry is not None)
        # in its window a run keeps its name; the next one has a number that is free in both
        assert [run.number for run in (first, second, third)] == [1, 1, 3]
        other.close()
        await other.closed.wait()
        other.deleteLater()

    with_history(qapp, theme, path, drive)
    assert [line for line in said if "kept" in line] == [
        "Run 1 is kept as Run 2: another window has stored a run of that number"
    ]
    history = RunHistory(path)
    facts = [run.facts for run in history.runs()]
    assert [(f.number, f.parent) for f in facts] == [(1, None), (2, None), (3, 2)]
    history.close()


def test_a_run_that_the_disk_has_no_room_for_stays_in_the_window(
    qapp: QApplication, theme: Theme, path: Path, session: Path
) -> None:
    said: list[str] = []

    async def drive(window: MainWindow) -> None:
        window.context.said.connect(said.append)
        window.documents.open_session(session)
        first = await finished(window, window.context.runs.start)
        await until(lambda: first.entry is not None)
        history = keeper(window)._history
        assert history is not None
        (pages,) = history._db.execute("pragma page_count").fetchone()
        history._db.execute(f"pragma max_page_count = {pages}")
        second = await finished(window, window.context.runs.start)
        await until(lambda: bool(said))
        assert said[0].startswith("Run 2 is not kept: ")
        assert "full" in said[0]
        assert second.complete
        assert second.store.events
        history._db.execute(f"pragma max_page_count = {pages * 100}")
        third = await finished(window, window.context.runs.start)
        await until(lambda: third.entry is not None)

    with_history(qapp, theme, path, drive)
