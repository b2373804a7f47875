import asyncio
import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from tests.support.patience import PATIENCE
from tests.support.window import finished, live, slow_script, until, write_session
from tripscope.session import load_session
from tripscope.trace.codec import event_to_wire
from tripscope.trace.events import AnyEvent
from tripscope.trace.file import TraceWriter
from tripscope_gui import window_state
from tripscope_gui.bars.status_bar import StatusBar
from tripscope_gui.file_drops import FileDrops
from tripscope_gui.main_window import MainWindow
from tripscope_gui.selection import Selection
from tripscope_gui.settings import Settings
from tripscope_gui.theme import Theme

HOSTILE = '<b>x</b><img src="http://127.0.0.1:9/p.png"> & <3'


def as_json(events: list[AnyEvent]) -> list[str]:
    return [json.dumps(event_to_wire(event)) for event in events]


def test_it_starts_with_the_start_page(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        assert window.pages.currentWidget() is window.start_page
        assert not window.run_bar.run.isEnabled()
        rows = window.start_page.examples.rows
        assert rows[0].example.path.name.startswith("support-agent")
        assert window._work is None
        await until(lambda: all(row.fact.text() for row in rows))
        assert [row.badge.outcome for row in rows] != [None] * len(rows)

    live(qapp, theme, drive)


def test_an_example_opens_already_running(qapp: QApplication, theme: Theme, qtbot: QtBot) -> None:
    async def drive(window: MainWindow) -> None:
        row = next(r for r in window.start_page.examples.rows if "secret" in r.example.path.name)
        run = await finished(
            window, lambda: qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
        )
        assert run.store.status == "blocked"
        assert window.pages.currentWidget() is not window.start_page
        assert window.work.block_bar.isVisible()
        assert window.windowTitle().startswith("secret-in-prompt.tripscope, run 1")
        assert window.context.selection.current.rule == "aws-key"
        # there are no chunks to look at, so the hooks come to the front
        front = window.work.grid.docks["middle-left"].pane
        assert front is not None
        assert front.TITLE == "Hooks"

    live(qapp, theme, drive)


def test_opening_and_saving(qapp: QApplication, theme: Theme, tmp_path: Path, qtbot: QtBot) -> None:
    async def drive(window: MainWindow) -> None:
        path = write_session(tmp_path)
        window.open_paths([path])
        await until(lambda: window.context.session.session is not None)
        assert not window.isWindowModified()
        window.run_bar.prompt.setFocus()
        window.run_bar.prompt.selectAll()
        qtbot.keyClicks(window.run_bar.prompt, "hello")
        assert window.isWindowModified()
        assert window.context.session.undo_stack.count() == 1
        window.context.actions.trigger("file.save")
        await until(lambda: not window.isWindowModified())
        assert load_session(path).prompts == ["hello"]
        assert window.context.settings is not None
        window.context.actions.trigger("edit.undo")
        assert window.run_bar.prompt.text() == "How do I reach Ann?"

    live(qapp, theme, drive)


def answer(window: MainWindow, words: str) -> bool:
    """Press the button with these words in the question that is open; whether there was one."""
    for box in window.findChildren(QMessageBox):
        if box.isVisible():
            next(b for b in box.buttons() if b.text().replace("&", "") == words).click()
            return True
    return False


@pytest.mark.parametrize(("words", "closes"), [("Cancel", False), ("Don't save", True)])
def test_unsaved_changes_are_asked_about(
    qapp: QApplication, theme: Theme, tmp_path: Path, words: str, closes: bool
) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path))
        access = window.context.session
        assert access.session is not None
        access.edit("rename", access.session.model_copy(update={"name": HOSTILE}))
        window.close()
        await until(lambda: any(b.isVisible() for b in window.findChildren(QMessageBox)))
        box = next(b for b in window.findChildren(QMessageBox) if b.isVisible())
        assert box.textFormat() == Qt.TextFormat.PlainText
        assert HOSTILE in box.text()
        assert answer(window, words)
        if closes:
            await asyncio.wait_for(window.closed.wait(), PATIENCE)
        else:
            await until(lambda: not window._closing)
            assert not window.closed.is_set()
            assert window.isVisible()

    live(qapp, theme, drive)


def test_what_cannot_be_opened_is_told(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    async def drive(window: MainWindow) -> None:
        broken = tmp_path / "broken.tripscope.json"
        broken.write_text("{")
        window.open_paths([broken])
        await until(lambda: any(b.isVisible() for b in window.findChildren(QMessageBox)))
        box = next(b for b in window.findChildren(QMessageBox) if b.isVisible())
        assert "broken.tripscope.json" in box.text()
        assert "line 1" in box.informativeText()
        answer(window, "Close")
        await until(lambda: window.context.tasks.running == 0)
        assert window.pages.currentWidget() is window.start_page

    live(qapp, theme, drive)


async def drop(window: MainWindow, path: Path) -> None:
    # files are taken from a moment after the first frame on
    await until(lambda: window.findChild(FileDrops) is not None)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPoint(5, 5),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(window.windowHandle(), event)


def test_a_dropped_trace_is_opened(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path))
        run = await finished(window, window.context.runs.start)
        path = tmp_path / "x.trace.jsonl"
        writer = TraceWriter(path)
        for event in run.store.events:
            writer(event)
        writer.close()
        await drop(window, path)
        await until(lambda: len(window.context.workspace.runs) == 2)
        loaded = window.context.run
        assert loaded is not None
        assert loaded.kind == "loaded"
        assert as_json(loaded.store.events) == as_json(run.store.events)

    live(qapp, theme, drive)


def test_a_dropped_session_is_opened(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    async def drive(window: MainWindow) -> None:
        path = write_session(tmp_path, "dropped")
        await drop(window, path)
        await until(lambda: window.context.session.path == path)
        assert window.pages.currentWidget() is window.work
        assert window.context.settings.recent == [path]

    live(qapp, theme, drive)


def test_a_trace_is_saved_where_the_person_says(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path))
        await finished(window, window.context.runs.start)
        window.context.actions.trigger("file.save_trace")
        await until(lambda: any(d.isVisible() for d in window.findChildren(QFileDialog)))
        dialog = next(d for d in window.findChildren(QFileDialog) if d.isVisible())
        target = tmp_path / "kept.trace.jsonl"
        dialog.fileSelected.emit(str(target))
        dialog.accept()
        await until(lambda: window.context.tasks.running == 0)
        assert target.exists()
        assert target.stat().st_mode & 0o077 == 0

    live(qapp, theme, drive)


def test_a_low_window_has_its_path_in_the_status_bar(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        status = window.statusBar()
        assert isinstance(status, StatusBar)
        window.resize(1280, 800)
        await until(lambda: status.isAncestorOf(window.work.crumbs))
        assert window.work.grid.narrow
        assert window.width() == 1280
        window.resize(1600, 1000)
        await until(lambda: not status.isAncestorOf(window.work.crumbs))
        assert not window.work.grid.narrow

    live(qapp, theme, drive)


def test_the_window_remembers_its_docks(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    settings = Settings(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))

    async def arrange(window: MainWindow) -> None:
        window_state.keep_docks(settings, window.work.grid)
        window_state.keep_window(settings, window)

    async def look(window: MainWindow) -> None:
        # the offscreen platform's screen is too small for a geometry to come back whole
        assert settings.bytes("window/geometry") is not None
        window_state.restore_docks(settings, window.work.grid)
        assert window.work.grid.custom
        window.reset_docks()
        assert not window.work.grid.custom
        assert settings.bytes("docks/wide") is None

    live(qapp, theme, arrange, size=(1500, 950), settings=settings)
    live(qapp, theme, look, settings=settings)


def test_closing_in_mid_run_ends_its_task(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path, model=slow_script()))
        run = window.context.runs.start()
        assert run is not None
        await until(lambda: len(run.store.rows) > 3)
        window.close()
        window.close()
        await asyncio.wait_for(window.closed.wait(), PATIENCE)
        assert window.context.tasks.running <= 1
        assert not window.context.runs.running

    live(qapp, theme, drive)


def test_every_command_has_words_and_a_menu(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        actions = window.context.actions
        titles = [menu.title() for menu in window.menuBar().findChildren(type(window.menuBar()))]
        assert titles == []
        names = [action.text() for action in window.menuBar().actions()]
        assert {command.menu for command in actions} == set(names)
        for command in actions:
            assert command.title.strip()

    live(qapp, theme, drive)


def test_a_replay_opens_at_the_place_that_was_looked_at(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        context = window.context
        window.documents.open_session(write_session(tmp_path))
        first = await finished(window, context.runs.start)
        assert context.selection.current.rule == "email"
        chosen = Selection(run=1, step=0, attempt=0, row=3, processor="pii")
        context.selection.set(chosen)
        await finished(window, context.runs.replay)
        assert context.selection.current == chosen.with_(run=2)
        # each run keeps its own place
        context.selection.select(row=1)
        context.look_at(first)
        assert context.selection.current == chosen
        context.actions.trigger("run.newer")
        assert context.selection.current == Selection(run=2, row=1)

    live(qapp, theme, drive)
