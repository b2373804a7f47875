"""The program from outside: as a process of its own."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.patience import WHOLE
from tests.support.window import slow_script, write_session
from tripscope.errors import SessionError
from tripscope_gui import app
from tripscope_gui.panes import FRONT

CLOSE_IN_MID_RUN = """
import sys, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from tripscope_gui import app

def close():
    windows = [w for w in QApplication.topLevelWidgets() if w.inherits("QMainWindow")]
    store = windows[0].context.store if windows else None
    if store is None or len(store.rows) < 4 or not windows[0].context.runs.running:
        QTimer.singleShot(20, close)
        return
    print(f"{time.monotonic()}", flush=True)
    windows[0].close()
    windows[0].close()

original = app.make_application
def make(*args):
    made = original(*args)
    QTimer.singleShot(20, close)
    return made
app.make_application = make
sys.exit(app.main([sys.argv[1]], run_now=True))
"""


def environment(**more: str) -> dict[str, str]:
    # in its debug mode asyncio tells of each slow turn
    left_out = ("DISPLAY", "WAYLAND_DISPLAY", "PYTHONASYNCIODEBUG")
    return {k: v for k, v in os.environ.items() if k not in left_out} | more


def own_folders(folder: Path) -> dict[str, str]:
    """What keeps a program away from the settings and the history of who runs the tests."""
    return {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have a display")
@pytest.mark.parametrize("display", [{}, {"DISPLAY": ":4711"}, {"WAYLAND_DISPLAY": "wayland-99"}])
def test_with_no_display_it_says_so_and_what_works(display: dict[str, str]) -> None:
    env = environment(**display)
    env.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from tripscope_gui.app import main; sys.exit(main())"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == app.EXIT_NO_DISPLAY
    assert done.stdout == ""
    assert "no display" in done.stderr
    assert "tripscope run SESSION" in done.stderr
    assert "tripscope shot SESSION OUT.png" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.tripscope.json", '{"a": 1}', 'a JSON object with the key "a", not a session'),
        ("a.trace.jsonl", '{"a": 1}', 'a JSON object with the key "a", not a trace'),
        ("gone.trace.jsonl", None, "No such file"),
    ],
)
def test_a_file_that_no_display_would_help_is_told_first(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: str | None,
    words: str,
) -> None:
    monkeypatch.setattr(app, "has_display", lambda: False)
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(SessionError, match=words):
        app.main([str(tmp_path / name)])
    assert capsys.readouterr().err == ""


def test_closing_in_mid_run_is_quick_and_quiet(tmp_path: Path) -> None:
    session = write_session(tmp_path, model=slow_script())
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", CLOSE_IN_MID_RUN, str(session)],
        env=environment(QT_QPA_PLATFORM="offscreen", **own_folders(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    ended = time.monotonic()
    noise = [
        line
        for line in done.stderr.splitlines()
        if "propagateSizeHints" not in line and "XDG_RUNTIME_DIR" not in line
    ]
    assert noise == []
    assert done.returncode == 0
    assert ended - float(done.stdout) < WHOLE  # of the hour that the script would go on


INTERRUPTED = """
import os, signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from tripscope_gui import app

def interrupt():
    windows = [w for w in QApplication.topLevelWidgets() if w.inherits("QMainWindow")]
    if windows and windows[0].isVisible():
        os.kill(os.getpid(), signal.SIGINT)
    else:
        QTimer.singleShot(20, interrupt)

original = app.make_application
def make(*args):
    made = original(*args)
    QTimer.singleShot(20, interrupt)
    return made
app.make_application = make
sys.exit(app.main())
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_in_the_terminal_closes_the_window(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        env=environment(QT_QPA_PLATFORM="offscreen", **own_folders(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


FIRST_FRAME = """
import builtins, sys
from tripscope_gui import app
app.make_application("light")
import tripscope_gui.main_window
from tripscope_gui.settings import Settings
from tripscope_gui.theme import Theme
from tripscope_gui.aio import run_app
from PySide6.QtWidgets import QApplication

async def main():
    window = tripscope_gui.main_window.MainWindow(Theme("light"), Settings.in_memory())
    window.show()
    QApplication.processEvents()
    print(*sorted(sys.modules))
    # PySide makes a type when it is named or met for the first time
    print(*vars(sys.modules["PySide6.QtWidgets"]), *vars(sys.modules["PySide6.QtGui"]))
    print(builtins.__import__ is builtins.__orig_import__)
    window.closed.set()
    window.close()
    window.deleteLater()
    return 0

sys.exit(run_app(QApplication.instance(), main))
"""


def test_the_first_frame_waits_for_no_engine_and_for_no_pane() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_FRAME],
        env=environment(QT_QPA_PLATFORM="offscreen"),
        capture_output=True,
        text=True,
        check=True,
    )
    modules, types, plainly = done.stdout.splitlines()
    loaded = set(modules.split())
    assert "tripscope_gui.bars.start_page" in loaded
    heavy = ("pydantic", "httpx", "regex", "msgspec", "sqlite3", "keyring", "PySide6.QtNetwork")
    assert loaded & {*heavy, "tripscope.trace", "tripscope.patterns", "tripscope.session"} == set()
    assert not any(name.startswith("tripscope_gui.panes") for name in loaded)
    assert "QScrollArea" in types.split()
    unseen = {"QStyle", "QWizard", "QTableView", "QTextEdit", "QTextCharFormat", "QWindow"}
    assert set(types.split()) & unseen == set()
    assert plainly == "True"


OPENED = """
import sys
from pathlib import Path
from tripscope_gui import app, main_window
from tripscope_gui.aio import run_app
from tripscope_gui.settings import Settings
from tripscope_gui.theme import Theme
from PySide6.QtWidgets import QApplication

async def main():
    window = main_window.MainWindow(Theme("light"), Settings.in_memory())
    window.resize(1600, 1000)
    window.open_paths([Path(sys.argv[1])], run_now=True)
    window.show()
    loaded, made = [], []
    def arrived(*_):
        loaded.append(sorted(sys.modules))
        made.append([*vars(sys.modules["PySide6.QtWidgets"]), *vars(sys.modules["PySide6.QtGui"])])
    window.context.events_appended.connect(arrived)
    window.context.runs.finished.connect(lambda _run: window.closed.set())
    await window.closed.wait()
    print(*loaded[0])
    print(*made[0])
    window.close()
    window.deleteLater()
    return 0

application = app.make_application("light")
sys.exit(run_app(application, main))
"""


def test_what_comes_first_of_a_run_waits_for_no_start_page_and_no_other_pane(
    tmp_path: Path,
) -> None:
    session = write_session(tmp_path, prompts=["a prompt that is cut: " + "word " * 80])
    done = subprocess.run(
        [sys.executable, "-c", OPENED, str(session)],
        env=environment(QT_QPA_PLATFORM="offscreen"),
        capture_output=True,
        text=True,
        check=True,
    )
    modules, types = done.stdout.splitlines()
    loaded = set(modules.split())
    assert "QTableView" in types.split()
    unseen = {"QStyle", "QTextCharFormat", "QPlainTextEdit", "QTreeWidget"}
    assert set(types.split()) & unseen == set()
    panes = {name for name in loaded if name.startswith("tripscope_gui.panes.")}
    assert panes == {f"tripscope_gui.panes.{FRONT[0]}"}
    later = {"bars.start_page", "bars.change_strip", "compare.comparison"}
    assert loaded & {"ctypes", *(f"tripscope_gui.{name}" for name in later)} == set()


SHOWN = """
import sys
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow
from tripscope_gui import app
from tripscope_gui.main_window import MainWindow

class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            told.append(self.told(watched.window()))
        return False

    def told(self, window):
        if isinstance(window, QDialog):
            return "question" if window.parentWidget().isVisible() else "question before the window"
        return type(window.pages.currentWidget()).__name__

told = []
def end():
    windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]
    if not windows or not {"WorkArea", "question"} & set(told):
        QTimer.singleShot(20, end)
        return
    for box in windows[0].findChildren(QDialog):
        box.close()
    windows[0].close()

original = app.make_application
def make(*args):
    made = original(*args)
    made.watch = Watch()
    made.installEventFilter(made.watch)
    QTimer.singleShot(20, end)
    return made
app.make_application = make
code = app.main([sys.argv[1]], run_now=True)
print(*dict.fromkeys(told), sep="\\n")
sys.exit(code)
"""


def what_is_painted(session: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", SHOWN, str(session)],
        env=environment(QT_QPA_PLATFORM="offscreen", **own_folders(session.parent)),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_a_session_is_in_the_first_frame(tmp_path: Path) -> None:
    assert what_is_painted(write_session(tmp_path, model=slow_script(4))) == ["WorkArea"]


def test_what_is_wrong_with_a_file_is_told_before_a_window_that_is_shown(tmp_path: Path) -> None:
    session = write_session(tmp_path)
    session.write_text("{")
    painted = what_is_painted(session)
    assert "question" in painted
    assert "question before the window" not in painted
