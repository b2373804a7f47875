"""Unsaved changes after a crash: a window in a process of its own is killed."""

import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.support.patience import PATIENCE
from tests.support.shown import shown_windows
from tests.support.window import no_settings, until, write_session
from tripscope.session import load_session
from tripscope_gui import session_recovery
from tripscope_gui.aio import run_app
from tripscope_gui.bars.recovery_bar import RecoveryBar
from tripscope_gui.main_window import MainWindow
from tripscope_gui.session_access import SessionAccess
from tripscope_gui.theme import Theme

Test = Callable[[MainWindow], Awaitable[None]]
Live = Callable[..., None]
Killed = Callable[..., None]

EDIT_AND_WAIT = """
import asyncio, sys
from pathlib import Path
from tests.support.window import no_settings
from tripscope_gui import app
from tripscope_gui.aio import run_app
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme

async def main():
    window = MainWindow(Theme("dark"), no_settings(), recovery=Path(sys.argv[2]))
    window.show()
    access = window.context.session
    if sys.argv[1] == "-":
        await window.documents.new()
    else:
        await window.documents.open(Path(sys.argv[1]))
    for name in ("first", "edited by hand"):
        access.edit("rename", access.session.model_copy(update={"name": name}))
    while True:
        file = window.recovery.autosaver.path
        if file.exists() and "edited by hand" in file.read_text():
            print("kept", flush=True)
            await asyncio.Event().wait()
        await asyncio.sleep(0.01)

run_app(app.make_application(), main)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


@pytest.fixture
def killed(tmp_path: Path, folder: Path) -> Iterator[Killed]:
    """Edits a session in another process and ends that process without a word."""
    script = tmp_path / "edit_and_wait.py"
    script.write_text(EDIT_AND_WAIT)
    children: list[subprocess.Popen[str]] = []

    def kill(session: str, *, end: bool = True) -> None:
        root = Path(__file__).parents[2]
        child = subprocess.Popen(
            [sys.executable, str(script), session, str(folder)],
            env=os.environ
            | {
                "QT_QPA_PLATFORM": "offscreen",
                "PYTHONPATH": str(root),
                "XDG_CONFIG_HOME": str(tmp_path),
            },
            stdout=subprocess.PIPE,
            text=True,
        )
        children.append(child)
        assert child.stdout is not None
        assert child.stdout.readline() == "kept\n"
        if end:
            # SIGKILL, or TerminateProcess on Windows
            child.kill()
            child.wait(PATIENCE)

    yield kill
    for child in children:
        child.kill()
        child.wait(PATIENCE)
        assert child.stdout is not None
        child.stdout.close()


@pytest.fixture
def live(qapp: QApplication, theme: Theme, folder: Path) -> Live:
    """A window with recovery; it is closed as a person closes it, all questions answered."""

    def show(test: Test, recovery: Path = folder) -> None:
        async def main() -> int:
            window = MainWindow(theme, no_settings(), recovery=recovery)
            window.show()
            try:
                await test(window)
                window.close()
                await until(window.closed.is_set)
            finally:
                await window.context.tasks.shutdown(PATIENCE)
                window.closed.set()
                window.close()
                window.deleteLater()
            return 0

        assert run_app(qapp, main) == 0

    return show


def files(folder: Path, kind: str) -> list[Path]:
    return list(folder.glob(f"*.{kind}.json"))


async def offered(window: MainWindow) -> RecoveryBar:
    await until(lambda: window.findChild(RecoveryBar) is not None)
    bar = window.findChild(RecoveryBar)
    assert isinstance(bar, RecoveryBar)
    assert bar.isVisible()
    return bar


async def recover(window: MainWindow, bar: RecoveryBar) -> None:
    bar.recover.click()
    await until(bar.isHidden)
    session = window.context.session.session
    assert session is not None
    assert session.name == "edited by hand"


def rename(access: SessionAccess, name: str) -> None:
    assert access.session is not None
    access.edit("rename", access.session.model_copy(update={"name": name}))


async def none_offered(window: MainWindow) -> None:
    assert window.recovery is not None
    await window.recovery.look()
    await until(lambda: window._work is not None)
    assert window.findChild(RecoveryBar) is None


def test_a_killed_window_gives_its_changes_back(
    live: Live, folder: Path, tmp_path: Path, killed: Killed
) -> None:
    path = write_session(tmp_path)
    killed(str(path))
    assert load_session(path).name == "small"

    async def test(window: MainWindow) -> None:
        bar = await offered(window)
        assert "unsaved changes to edited by hand" in bar.accessibleName()
        assert path.name in bar.accessibleName()
        (old,) = files(folder, "autosave")
        await recover(window, bar)
        access = window.context.session
        assert access.path == path
        assert access.dirty
        # a second crash would find them too
        (new,) = files(folder, "autosave")
        assert new != old
        assert await window.documents.save()
        await until(lambda: not new.exists())

    live(test)
    assert load_session(path).name == "edited by hand"
    assert list(folder.iterdir()) == []


def test_it_is_offered_in_the_window_not_in_one_of_its_own(live: Live, killed: Killed) -> None:
    killed("-")

    async def test(window: MainWindow) -> None:
        await offered(window)
        assert shown == [window]

    with shown_windows() as shown:
        live(test)


def test_a_session_without_a_file_comes_back_too(
    live: Live, tmp_path: Path, killed: Killed
) -> None:
    killed("-")

    async def test(window: MainWindow) -> None:
        bar = await offered(window)
        assert "in no file yet" in bar.accessibleName()
        await recover(window, bar)
        access = window.context.session
        assert access.path is None
        access.save(tmp_path / "new.tripscope.json")

    live(test)


def test_two_crashes_are_offered_one_after_the_other_and_discarded_for_good(
    live: Live, folder: Path, tmp_path: Path, killed: Killed
) -> None:
    killed("-")
    killed(str(write_session(tmp_path)))

    async def test(window: MainWindow) -> None:
        bar = await offered(window)
        assert "in no file yet" in bar.accessibleName()
        bar.discard.click()
        assert "small.tripscope.json" in bar.accessibleName()
        bar.discard.click()
        assert bar.isHidden()
        assert window.context.session.session is None

    live(test)
    assert list(folder.iterdir()) == []
    live(none_offered)


def test_what_was_not_answered_is_offered_again(live: Live, killed: Killed) -> None:
    killed("-")

    async def test(window: MainWindow) -> None:
        await offered(window)

    live(test)
    live(test)


def test_a_living_window_keeps_its_own(live: Live, folder: Path, killed: Killed) -> None:
    killed("-", end=False)
    live(none_offered)
    assert len(files(folder, "autosave")) == 1


def test_a_damaged_file_is_told_of_and_kept_aside(live: Live, folder: Path, killed: Killed) -> None:
    killed("-")
    (file,) = files(folder, "autosave")
    file.write_text('{"format": "tripscope-autosave", "version')

    async def test(window: MainWindow) -> None:
        bar = await offered(window)
        words = bar.accessibleName()
        assert "cannot be read" in words
        assert "not JSON" in words
        assert bar.recover.isHidden()
        (aside,) = files(folder, "damaged")
        assert str(aside) in words
        bar.dismiss.click()
        assert bar.isHidden()

    live(test)
    assert len(files(folder, "damaged")) == 1
    live(none_offered)


def test_an_orderly_end_leaves_nothing(
    live: Live, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dont_save(*_: object) -> str:
        return "Don't save"

    monkeypatch.setattr("tripscope_gui.dialogs.ask", dont_save)
    path = write_session(tmp_path)

    async def test(window: MainWindow) -> None:
        access = window.context.session
        access.open(path)
        rename(access, "new")
        # closed while the first write is under way

    live(test)
    assert not folder.exists() or list(folder.iterdir()) == []


def test_undoing_the_changes_leaves_nothing_to_offer(live: Live, tmp_path: Path) -> None:
    path = write_session(tmp_path)

    async def test(window: MainWindow) -> None:
        assert window.recovery is not None
        file = window.recovery.autosaver.path
        access = window.context.session
        access.open(path)
        rename(access, "new")
        await until(file.exists)
        access.undo_stack.undo()
        await until(lambda: not file.exists())

    live(test)


def test_a_folder_that_cannot_be_made_is_told_of_once(
    live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    path = write_session(tmp_path)
    monkeypatch.setattr(session_recovery, "AUTOSAVE_MS", 1)

    async def test(window: MainWindow) -> None:
        said: list[str] = []
        window.context.said.connect(said.append)
        access = window.context.session
        access.open(path)
        assert window.recovery is not None
        for name in ("one", "two"):
            rename(access, name)
            assert not await window.recovery.autosaver.keep()
        told = [words for words in said if "Unsaved changes are not kept" in words]
        assert len(told) == 1
        access.save()

    live(test, tmp_path / "file" / "recovery")
