import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.support.window import until, write_session
from tripscope_gui import shot
from tripscope_gui.aio import run_app
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme

SHOT = """
import sys
from tripscope.errors import TripscopeError
from tripscope_gui.shot import shot
try:
    pane = sys.argv[4] or None
    size = tuple(map(int, sys.argv[5].split("x")))
    code = shot(sys.argv[1], sys.argv[2], theme=sys.argv[3], size=size, pane=pane)
except TripscopeError as error:
    print(error)
    code = 1
sys.exit(code)
"""

TRACE = (
    '{"format":"tripscope-trace","version":1,"offsetUnit":"utf-16"}\n'
    '{"kind":"warning","seq":0,"time":0,"message":"m"}\n'
)


def take(
    session: Path,
    out: Path,
    theme: str = "light",
    pane: str = "",
    size: str = "1280x800",
    **variables: str,
) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "QT_QPA_PLATFORM")}
    env |= variables
    return subprocess.run(
        [sys.executable, "-c", SHOT, str(session), str(out), theme, pane, size],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("theme", "dark"), [("light", False), ("dark", True)])
def test_a_picture_of_the_run_without_a_display(
    tmp_path: Path, theme: str, dark: bool, qtbot: QtBot
) -> None:
    out = tmp_path / "out.png"
    done = take(write_session(tmp_path), out, theme)
    assert done.returncode == 0, done.stderr
    picture = QImage(str(out))
    assert (picture.width(), picture.height()) == (1280, 800)
    assert (picture.pixelColor(640, 4).lightness() < 128) is dark
    colours = {picture.pixel(x, y) for x in range(0, 1280, 3) for y in range(0, 800, 3)}
    assert len(colours) > 20


def test_a_picture_waits_for_what_is_at_work(
    tmp_path: Path, qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    theme.setObjectName("theme")
    theme.setParent(qapp)
    settle, grab, at_work = shot.settle, MainWindow.grab, []
    settled = 0

    async def settle_counted() -> None:
        nonlocal settled
        await settle()
        settled += 1

    async def late(_window: MainWindow) -> None:
        # longer than after the run, and before the picture
        await until(lambda: settled >= 4)

    def grabbed(window: MainWindow) -> QPixmap:
        at_work.append(window.context.tasks.running)
        return grab(window)

    monkeypatch.setattr(shot, "settle", settle_counted)
    monkeypatch.setattr(MainWindow, "_get_ready", late)
    monkeypatch.setattr(MainWindow, "grab", grabbed)
    path = write_session(tmp_path)
    try:
        run_app(qapp, lambda: shot._shoot(path, tmp_path / "out.png", (1280, 800), None))
    finally:
        theme.setParent(None)
    assert at_work == [0]


def test_what_cannot_be_pictured_is_said(tmp_path: Path) -> None:
    session = write_session(tmp_path)
    done = take(session, tmp_path / "out.png", pane="no-such-pane")
    assert done.returncode == 1
    assert "no-such-pane" in done.stdout
    done = take(session, tmp_path / "missing" / "out.png")
    assert "out.png: the picture cannot be written: No such file or directory" in done.stdout
    done = take(tmp_path / "gone.tripscope.json", tmp_path / "out.png")
    assert "gone.tripscope.json" in done.stdout
    wire = json.loads(session.read_text())
    wire["chain"][0]["rules"] = [{"name": "odd", "pattern": "a("}]
    session.write_text(json.dumps(wire))
    done = take(session, tmp_path / "out.png")
    assert f"{session.name}: chain[0].options: rules[0] 'odd': " in done.stdout
    assert not (tmp_path / "out.png").exists()


def test_a_picture_that_is_read_only_stays_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    out.write_text("old")
    out.chmod(0o444)
    done = take(write_session(tmp_path), out)
    assert "the picture was not written, for this file is read-only" in done.stdout
    assert out.read_text() == "old"


@pytest.mark.parametrize("size", ["10x10", "1280x599", "959x800", "7681x1000", "1280x99999"])
def test_a_size_that_no_window_has_is_refused_with_the_limits(tmp_path: Path, size: str) -> None:
    out = tmp_path / "out.png"
    done = take(write_session(tmp_path), out, size=size)
    assert done.returncode == 1
    assert f"the window cannot be {size}; its size is 960x600 to 7680x4320" in done.stdout
    assert not out.exists()


def test_a_trace_is_known_by_its_first_line_where_its_name_says_nothing(tmp_path: Path) -> None:
    trace = tmp_path / "run.json"
    trace.write_text(TRACE)
    done = take(trace, tmp_path / "out.png")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_trace_that_is_cut_off_is_pictured_and_told(tmp_path: Path) -> None:
    trace = tmp_path / "cut.trace.jsonl"
    trace.write_text(TRACE + '{"kind":"war')
    done = take(trace, tmp_path / "out.png")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tripscope: cut.trace.jsonl: line 3, the last one, is cut off" in done.stderr


def test_an_ending_that_no_picture_has_is_refused_before_anything_is_run(tmp_path: Path) -> None:
    out = tmp_path / "out.bmpp"
    done = take(tmp_path / "not-even-a-session.json", out, QT_QPA_PLATFORM="")
    assert done.returncode == 1
    assert "out.bmpp: the ending names no format of pictures" in done.stdout
    assert ".png" in done.stdout
    assert not out.exists()


def test_the_ending_chooses_the_format(tmp_path: Path) -> None:
    out = tmp_path / "out.BMP"
    done = take(write_session(tmp_path), out, QT_QPA_PLATFORM="")
    assert done.returncode == 0, done.stderr
    assert out.read_bytes().startswith(b"BM")
