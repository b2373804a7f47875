"""A picture of the window after a run; needs no display."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tripscope.cli.terminal import complain
from tripscope.errors import TripscopeError
from tripscope.whole_file import refuse_read_only, replacing

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap

    from tripscope_gui.main_window import MainWindow
    from tripscope_gui.theme import Mode

_SETTLE: Final = 0.05
_PATIENCE: Final = 60.0
MOST: Final = (7680, 4320)
"""Width and height of the largest picture, an 8K screen: 130 MB of pixels while it is taken."""


def shot(
    session_path: str | os.PathLike[str],
    out_png: str | os.PathLike[str],
    theme: Mode = "light",
    size: tuple[int, int] = (1600, 1000),
    pane: str | None = None,
) -> int:
    """Open a session or a trace, run the session, save a picture of the window.

    Args:
        session_path: a session, which is run, or a trace, which is shown.
        out_png: where the picture goes; its ending names the format.
        theme: ``light`` or ``dark``.
        size: width and height of the window in logical pixels.
        pane: title of a pane to bring to the front, case aside.

    Returns:
        0.

    Raises:
        TripscopeError: the file cannot be opened, there is no such pane, no format of pictures has
            that ending, no window has that size, or the picture cannot be written or is there and
            read-only.
    """
    # a variable that is set but empty chooses nothing, and Qt would look for a display
    if sys.platform.startswith("linux") and not os.environ.get("QT_QPA_PLATFORM"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from tripscope_gui.aio import run_app
    from tripscope_gui.app import make_application

    refuse_read_only(out_png, what="the picture")
    quiet_offscreen()
    app = make_application(theme)
    _check_ending(Path(out_png))
    return run_app(app, lambda: _shoot(Path(session_path), Path(out_png), size, pane))


def _check_ending(out: Path) -> None:
    from PySide6.QtGui import QImageWriter

    known = sorted({bytes(name.data()).decode() for name in QImageWriter.supportedImageFormats()})
    if out.suffix.removeprefix(".").lower() not in known:
        endings = ", ".join(f".{name}" for name in known)
        raise TripscopeError(f"{out}: the ending names no format of pictures; use one of {endings}")


def _check_size(size: tuple[int, int], window: MainWindow) -> None:
    least = window.minimumWidth(), window.minimumHeight()
    if any(not low <= n <= high for low, n, high in zip(least, size, MOST, strict=True)):
        limits = " to ".join(f"{width}x{height}" for width, height in (least, MOST))
        raise TripscopeError(f"the window cannot be {size[0]}x{size[1]}; its size is {limits}")


def quiet_offscreen() -> None:
    """Leave out what the offscreen platform says of each window that has a least size."""
    from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

    def pass_on(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        if "does not support propagateSizeHints" not in message:
            sys.stderr.write(f"{message}\n")
            if kind == QtMsgType.QtFatalMsg:
                os.abort()

    qInstallMessageHandler(pass_on)


async def _shoot(path: Path, out: Path, size: tuple[int, int], pane: str | None) -> int:
    from PySide6.QtWidgets import QApplication

    from tripscope_gui.main_window import MainWindow
    from tripscope_gui.settings import Settings
    from tripscope_gui.theme import Theme

    app = QApplication.instance()
    theme = app.findChild(Theme, "theme") if app is not None else None
    assert isinstance(theme, Theme)
    # nobody's own arrangement, and none left behind
    settings = Settings.in_memory()
    window = MainWindow(theme, settings)
    try:
        if pane is not None and window.work.grid.pane(pane) is None:
            titles = ", ".join(p.TITLE for p in window.work.grid.panes)
            raise TripscopeError(f"there is no pane {pane!r}; there are {titles}")
        _check_size(size, window)
        window.work.grid.fill()
        window.resize(*size)
        window.show()
        await show_run(window, path)
        if pane is not None:
            window.work.grid.show_pane(pane)
        await _worked_out(window)
        _save(window.grab(), out)
    finally:
        await window.context.tasks.shutdown()
        window.closed.set()
        window.close()
        window.deleteLater()
    return 0


def _save(picture: QPixmap, out: Path) -> None:
    from PySide6.QtCore import QBuffer, QIODevice

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not picture.save(buffer, out.suffix.removeprefix(".").upper()):
        raise TripscopeError(f"{out}: this picture cannot be made in this format")
    with replacing(out, what="the picture", keep_mode=True) as fresh:
        fresh.write_bytes(buffer.data().data())


async def show_run(window: MainWindow, path: Path) -> None:
    """Open a file in the window; a session is run to its end.

    Raises:
        TripscopeError: it cannot be opened or run.
    """
    from tripscope.file_kinds import is_trace

    context = window.context
    if is_trace(path):
        context.said.connect(complain)  # that it is cut off, say
        try:
            await window.documents.open_trace(path)
        finally:
            context.said.disconnect(complain)
        await settle()
        return
    window.documents.open_session(path)
    context.runs.real_time = False
    done = asyncio.Event()
    refused: list[str] = []
    context.runs.finished.connect(lambda _run: done.set())
    context.runs.refused.connect(refused.append)
    context.runs.refused.connect(lambda _why: done.set())
    if not context.actions.trigger("run.start"):
        raise TripscopeError(f"{path} has no prompt to run")
    await asyncio.wait_for(done.wait(), _PATIENCE)
    if refused:
        raise TripscopeError(f"{path}: {refused[0]}")
    await settle()


async def _worked_out(window: MainWindow) -> None:
    """Let all happen that a picture shows, also what threads find out, and panes write then."""
    await settle()
    until = time.monotonic() + _PATIENCE
    while window.context.tasks.running and time.monotonic() < until:
        await settle()


async def settle() -> None:
    """Let timers, layouts and paintings that are due happen."""
    for _ in range(4):
        await asyncio.sleep(_SETTLE)
