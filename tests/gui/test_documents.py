import asyncio
import gc
import os
import weakref
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox

from tests.support.window import finished, live, slow_script, until, write_session
from tripscope.trace.file import save
from tripscope_gui import dialogs
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme


def question(window: MainWindow) -> QMessageBox | None:
    return next((box for box in window.findChildren(QMessageBox) if box.isVisible()), None)


def press(window: MainWindow, words: str) -> None:
    box = question(window)
    assert box is not None
    next(b for b in box.buttons() if b.text().replace("&", "") == words).click()


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    return write_session(tmp_path, "slow", model=slow_script())


@pytest.fixture
def other(tmp_path: Path) -> Path:
    return write_session(tmp_path, "other", prompts=["Another one."])


async def running(window: MainWindow, path: Path) -> None:
    window.documents.open_session(path)
    run = window.context.runs.start()
    assert run is not None
    await until(lambda: len(run.store.rows) > 3)


@pytest.mark.parametrize("frozen", [False, True])
def test_a_run_ends_before_its_session_is_let_go(
    qapp: QApplication, theme: Theme, slow: Path, other: Path, frozen: bool
) -> None:
    async def drive(window: MainWindow) -> None:
        context = window.context
        ends: list[tuple[str, Path | None]] = []
        context.runs.finished.connect(
            lambda run: ends.append((run.store.status, context.session.path))
        )
        await running(window, slow)
        context.runs.set_frozen(frozen)
        assert await window.documents.open(other)
        # it was told of while its own session was the open one
        assert ends == [("cancelled", slow)]
        assert not context.runs.running
        assert not context.runs.frozen
        assert context.workspace.runs == []
        run = await finished(window, context.runs.start)
        assert (run.number, run.store.status) == (1, "changed")

    live(qapp, theme, drive)


def test_a_session_opened_before_the_first_event(
    qapp: QApplication, theme: Theme, slow: Path, other: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(slow)
        assert window.context.runs.start() is not None
        window.documents.open_session(other)
        window.context.runs.stop()
        await until(lambda: not window.context.runs.running)
        assert window.context.workspace.runs == []
        run = await finished(window, window.context.runs.start)
        assert run.store.status == "changed"

    live(qapp, theme, drive)


def test_whoever_cancels_the_question_keeps_the_run(
    qapp: QApplication, theme: Theme, slow: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        await running(window, slow)
        access = window.context.session
        assert access.session is not None
        access.edit("rename", access.session.model_copy(update={"name": "x"}))
        window.close()
        await until(lambda: question(window))
        assert window.context.runs.running
        press(window, "Cancel")
        await until(lambda: question(window) is None)
        await asyncio.sleep(0)
        assert window.context.runs.running
        assert not window.closed.is_set()

    live(qapp, theme, drive)


def test_a_file_that_is_no_session_ends_nothing(
    qapp: QApplication, theme: Theme, slow: Path, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        await running(window, slow)
        broken = tmp_path / "broken.tripscope.json"
        broken.write_text("{")
        window.open_paths([broken])
        await until(lambda: question(window))
        assert window.context.runs.running
        press(window, "Close")
        await until(lambda: question(window) is None)
        assert window.context.session.path == slow

    live(qapp, theme, drive)


def test_a_closed_session_leaves_memory(
    qapp: QApplication, theme: Theme, other: Path, slow: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(other)
        runs = window.context.runs
        alive = [weakref.ref((await finished(window, runs.start)).store) for _ in range(2)]
        for title in ("Findings", "Hooks", "State", "Runs", "Text", "Event"):
            window.context.show_pane(title)
        await until(lambda: window.context.tasks.running == 0)
        await window.documents.close()
        await asyncio.sleep(0)
        gc.collect()
        assert [ref() for ref in alive] == [None, None]

    live(qapp, theme, drive)


async def refused(window: MainWindow, path: Path) -> tuple[str, str]:
    """What is told when a file cannot be opened."""
    opening = asyncio.get_running_loop().create_task(window.documents.open(path))
    await until(lambda: question(window))
    box = question(window)
    assert box is not None
    told = box.text(), box.informativeText()
    press(window, "Close")
    assert not await opening
    return told


@pytest.mark.parametrize("name", ["pipe.tripscope.json", "pipe.trace.jsonl"])
def test_a_pipe_is_refused_at_once(
    qapp: QApplication, theme: Theme, tmp_path: Path, name: str
) -> None:
    os.mkfifo(tmp_path / name)

    async def drive(window: MainWindow) -> None:
        _, why = await refused(window, tmp_path / name)
        assert "this is a pipe or a device, not a file" in why

    live(qapp, theme, drive)


@pytest.mark.parametrize("name", ["a\0b.tripscope.json", "a\0b.trace.jsonl"])
def test_a_name_that_no_file_can_have(
    qapp: QApplication, theme: Theme, tmp_path: Path, name: str
) -> None:
    async def drive(window: MainWindow) -> None:
        _, why = await refused(window, tmp_path / name)
        assert "it holds NUL" in why

    live(qapp, theme, drive)


def test_what_is_wrong_with_a_trace_is_told(
    qapp: QApplication, theme: Theme, other: Path, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(other)
        run = await finished(window, window.context.runs.start)
        whole = tmp_path / "whole.trace.jsonl"
        save(whole, run.store.events)
        lines = whole.read_bytes().splitlines(keepends=True)
        said: list[str] = []
        window.context.said.connect(said.append)

        cut = tmp_path / "cut.trace.jsonl"
        cut.write_bytes(b"".join(lines)[:-5])
        assert await window.documents.open(cut)
        assert said == [
            f"cut.trace.jsonl: line {len(lines)}, the last one, is cut off:"
            " the run ended while writing it"
        ]

        bad = tmp_path / "bad.trace.jsonl"
        bad.write_bytes(b"".join([*lines[:10], b"{]\n", *lines[10:]]))
        what, why = await refused(window, bad)
        assert what == "bad.trace.jsonl is damaged; what stands before that is shown."
        assert "line 11: not JSON" in why
        assert window.context.run is not None
        assert len(window.context.run.store.events) == 9

        bad.write_bytes(b"{]\n")
        what, _ = await refused(window, bad)
        assert what == "bad.trace.jsonl cannot be opened."

    live(qapp, theme, drive)


def test_files_are_looked_for_and_put_where_those_at_hand_are(
    qapp: QApplication, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    starts: list[Path] = []
    wanted: list[Path | None] = []

    async def dialog(_parent: object, _title: str, start: Path, *_form: str) -> Path | None:
        starts.append(start)
        return wanted.pop() if wanted else None

    for name in ("open_path", "save_path"):
        monkeypatch.setattr(dialogs, name, dialog)
    work, last = tmp_path / "work", tmp_path / "last"
    for folder in (work, last):
        folder.mkdir()

    async def drive(window: MainWindow) -> None:
        documents = window.documents
        await documents.choose()
        assert starts.pop() == tmp_path, "nothing was opened so far"
        documents.open_session(write_session(work))
        run = await finished(window, window.context.runs.start)
        await documents.choose()
        await documents.save_trace()
        await window.export.save_report()
        assert starts == [work, work / "run-1.trace.jsonl", work / "run-1.html"]
        wanted.append(last / "mine.trace.jsonl")
        await documents.save_trace()
        assert await documents.open(last / "mine.trace.jsonl")
        window.context.session.take(None)
        window.context.look_at(run)
        await documents.choose()
        assert starts[-1] == last, "beside the file that was opened last"

    live(qapp, theme, drive)


@pytest.mark.parametrize(
    ("command", "suffix"),
    [
        ("file.save_as", ".tripscope.json"),
        ("file.save_trace", ".trace.jsonl"),
        ("file.report", ".html"),
    ],
)
def test_a_name_without_an_ending_gets_one_before_it_is_asked_what_is_replaced(
    qapp: QApplication, theme: Theme, tmp_path: Path, command: str, suffix: str
) -> None:
    kept = tmp_path / f"mine{suffix}"
    kept.write_text("kept")

    async def drive(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path))
        await finished(window, window.context.runs.start)
        assert window.context.actions.trigger(command)
        await until(lambda: any(d.isVisible() for d in window.findChildren(QFileDialog)))
        dialog = next(d for d in window.findChildren(QFileDialog) if d.isVisible())
        (name,) = dialog.findChildren(QLineEdit, "fileNameEdit")
        name.setText("mine")
        # from no task: the question of Qt waits for its answer in a loop of its own
        QTimer.singleShot(0, dialog.accept)
        await until(lambda: any(box.isVisible() for box in dialog.findChildren(QMessageBox)))
        (box,) = dialog.findChildren(QMessageBox)
        assert kept.name in box.text()
        box.button(QMessageBox.StandardButton.Yes).click()
        await until(lambda: window.context.tasks.running == 0)
        assert kept.read_text() != "kept"
        assert not (tmp_path / "mine").exists()

    live(qapp, theme, drive)


@pytest.mark.parametrize(("words", "replaced"), [("Replace", True), ("Cancel", False)])
def test_a_session_named_with_a_dot_replaces_no_file_unasked(
    qapp: QApplication,
    theme: Theme,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    replaced: bool,
) -> None:
    kept = tmp_path / "mine.v2.tripscope.json"
    kept.write_text("kept")

    async def dialog(*_what: object) -> Path:
        return tmp_path / "mine.v2"

    monkeypatch.setattr(dialogs, "save_path", dialog)

    async def drive(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path))
        assert window.context.actions.trigger("file.save_as")
        await until(lambda: question(window))
        press(window, words)
        await until(lambda: window.context.tasks.running == 0)
        assert (kept.read_text() != "kept") == replaced

    live(qapp, theme, drive)
