"""The desk of remedies: what it looks into, and for which run it answers."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from tests.support.window import finished, live, until, write_session
from tripscope.session.model import Session
from tripscope.session.remedies import Advice
from tripscope_gui import advice_desk
from tripscope_gui.advice_desk import AdviceDesk
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes.findings import FindingsPane
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.finding_rows import FindingRow
from tripscope_gui.theme import Theme


class Looking:
    """Stands for what looks for remedies: holds each look until it may go on, and tells of it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.seen: list[tuple[RunStore, FindingRow | None]] = []
        self.may_load = asyncio.Event()
        self.may_end = asyncio.Event()

        async def in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
            await self.may_load.wait()
            return function(*arguments)

        async def on_row(_session: Session, store: RunStore, row: FindingRow) -> Advice:
            return await self._look(store, row)

        async def on_run(_session: Session, store: RunStore) -> Advice:
            return await self._look(store, None)

        patch.setattr(advice_desk, "in_thread", in_thread)
        patch.setattr(advice_desk, "_on_row", on_row)
        patch.setattr(advice_desk, "_on_run", on_run)

    async def _look(self, store: RunStore, row: FindingRow | None) -> Advice:
        self.seen.append((store, row))
        await self.may_end.wait()
        return Advice(f"advice {len(self.seen)}")


async def with_findings(window: MainWindow, folder: Path) -> list[FindingRow]:
    """Run a session whose filter finds something; its rows, the desk of the window left alone."""
    window.documents.open_session(write_session(folder))
    await finished(window, window.context.runs.start)
    pane = window.work.grid.pane("Findings")
    assert isinstance(pane, FindingsPane)
    await until(lambda: pane.model_rows)
    return list(pane.model_rows)


def test_what_was_asked_about_is_looked_into_whatever_is_chosen_meanwhile(
    qapp: QApplication, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def drive(window: MainWindow) -> None:
        row = (await with_findings(window, tmp_path))[0]
        first = window.context.store
        looking = Looking(monkeypatch)
        desk = AdviceDesk(window.context, window)
        desk.ask(row)
        await until(lambda: not desk._later.isActive())
        # it is being imported still when another run is there with rows of its own
        await finished(window, window.context.runs.replay)
        assert window.context.store is not first
        desk.ask(None)
        looking.may_load.set()
        looking.may_end.set()
        await until(lambda: desk.advice is not None)
        mine = [(store, seen) for store, seen in looking.seen if seen is not None]
        assert (first, row) in mine
        assert all(seen is row for store, seen in mine if store is first)

    live(qapp, theme, drive)


def test_an_answer_about_a_run_that_is_gone_from_view_is_dropped(
    qapp: QApplication, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def drive(window: MainWindow) -> None:
        row = (await with_findings(window, tmp_path))[0]
        looking = Looking(monkeypatch)
        looking.may_load.set()
        desk = AdviceDesk(window.context, window)
        told: list[Advice | None] = []
        desk.changed.connect(lambda: told.append(desk.advice))
        desk.ask(row)
        await until(lambda: (window.context.store, row) in looking.seen)
        tasks = window.context.tasks
        await finished(window, window.context.runs.replay)
        looking.may_end.set()
        await until(lambda: not tasks.running)
        assert desk.advice is None
        assert told == []

    live(qapp, theme, drive)


def test_the_same_row_is_not_looked_into_twice(
    qapp: QApplication, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def drive(window: MainWindow) -> None:
        row = (await with_findings(window, tmp_path))[0]
        desk = AdviceDesk(window.context, window)
        looking = Looking(monkeypatch)
        looking.may_load.set()
        looking.may_end.set()
        desk.ask(row)
        await until(lambda: desk.advice is not None)
        before = len(looking.seen)
        advice = desk.advice
        desk.ask(row)
        assert desk.advice is advice
        assert not desk._later.isActive()
        assert len(looking.seen) == before
        window.context.session.take(None)
        window.context.workspace.clear()
        window.context.show_current()
        assert desk.advice is None

    live(qapp, theme, drive)
