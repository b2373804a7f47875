"""The program from outside: as a process of its own."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.window import slow_script, write_session
from tripscope_gui import app

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
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return kept | more


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
        timeout=30,
        check=False,
    )
    assert done.returncode == app.EXIT_NO_DISPLAY
    assert done.stdout == ""
    assert "no display" in done.stderr
    assert "tripscope run SESSION" in done.stderr
    assert "tripscope shot SESSION OUT.png" in done.stderr
    assert "Traceback" not in done.stderr


def test_closing_in_mid_run_is_quick_and_quiet(tmp_path: Path) -> None:
    session = write_session(tmp_path, model=slow_script(4000))
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", CLOSE_IN_MID_RUN, str(session)],
        env=environment(QT_QPA_PLATFORM="offscreen", XDG_CONFIG_HOME=str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=30,
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
    assert ended - float(done.stdout) < 2
