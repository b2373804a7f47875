"""Panes are made one by one: chunks, what else is in front, and what is behind at leisure."""

import pytest
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QApplication

from tests.support.example_runs import example_events
from tests.support.window import live, session_wire, slow_script, until
from tripscope.session.model import Session
from tripscope_gui import work_area
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes.chunks import ChunksPane
from tripscope_gui.panes.findings import FindingsPane
from tripscope_gui.theme import Theme


def test_the_first_rows_are_painted_before_other_panes_are_made(
    qapp: QApplication, theme: Theme
) -> None:
    async def drive(window: MainWindow) -> None:
        wire = session_wire(model=slow_script(200, 5))
        window.context.session.take(Session.model_validate(wire))
        grid = window.work.grid
        docks = dict(grid.docks)
        found = docks["middle-left"].pane
        assert isinstance(found, ChunksPane)
        chunks: ChunksPane = found
        assert [place for place, dock in docks.items() if dock.panes] == ["middle-left"]
        assert all(dock.isVisible() for dock in docks.values())
        seen: list[tuple[int, list[QSize]]] = []

        class Watch(QObject):
            def eventFilter(self, watched: QObject, event: QEvent) -> bool:
                if event.type() == QEvent.Type.Paint and chunks.table.total:
                    panes = sum(len(dock.panes) for dock in docks.values())
                    seen.append((panes, [dock.size() for dock in docks.values()]))
                return False

        watch = Watch()
        chunks.view.viewport().installEventFilter(watch)
        assert window.context.runs.start() is not None
        await until(lambda: not grid.waiting)
        assert window.context.runs.running
        panes, sizes = seen[0]
        assert panes == 1
        for dock, size in zip(docks.values(), sizes, strict=True):
            assert dock.pane is not None
            assert abs(dock.width() - size.width()) < 4
            assert abs(dock.height() - size.height()) < 12

    live(qapp, theme, drive)


def test_a_pane_that_is_made_after_the_run_has_its_count(qapp: QApplication, theme: Theme) -> None:
    events = example_events("half-an-address")

    async def drive(window: MainWindow) -> None:
        window.context.runs.load(events)
        grid = window.work.grid
        store = window.context.store
        assert store is not None
        assert store.findings
        tabs = grid.docks["bottom-left"].head.tabs
        await until(lambda: tabs.count())
        findings = grid.pane("Findings")
        assert isinstance(findings, FindingsPane)
        await until(lambda: findings.model.rowCount() > len(store.findings))
        assert tabs.tabData(0) == findings.badge == str(findings.model.rowCount())
        advisories = grid.pane("Advisories")
        assert advisories is not None
        assert advisories.badge == str(len(store.advisories))

    live(qapp, theme, drive)


def test_a_run_that_takes_all_the_time_is_given_no_panes_behind(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_area, "_FREE_SECONDS", 0.0)

    async def drive(window: MainWindow) -> None:
        wire = session_wire(model=slow_script(200, 5))
        window.context.session.take(Session.model_validate(wire))
        grid = window.work.grid
        grid.fill()
        completed: list[bool] = []
        window.work.completed.connect(lambda: completed.append(True))

        def made() -> int:
            return sum(len(dock.panes) for dock in grid.docks.values())

        front = made()
        run = window.context.runs.start()
        assert run is not None
        await until(lambda: len(run.store.rows) > 150)
        assert window.context.runs.running
        assert made() == front
        window.context.runs.stop()
        await until(lambda: completed)
        assert made() > front

    live(qapp, theme, drive)


def test_a_run_that_leaves_time_does_not_keep_the_panes_behind_back(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_area, "_BEHIND_MS", 5)
    monkeypatch.setattr(work_area, "_FREE_SECONDS", 5.0)

    async def drive(window: MainWindow) -> None:
        wire = session_wire(model=slow_script(2000, 5))
        window.context.session.take(Session.model_validate(wire))
        completed: list[bool] = []
        window.work.completed.connect(lambda: completed.append(window.context.runs.running))
        assert window.context.runs.start() is not None
        await until(lambda: completed)
        assert completed == [True]

    live(qapp, theme, drive)
