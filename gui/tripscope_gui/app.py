"""Start of the window."""

from __future__ import annotations

import builtins
import importlib
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tripscope_gui.collector import loading

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from tripscope_gui.theme import Mode

_NO_DISPLAY: Final = (
    "tripscope: there is no display here, so no window can be opened.\n"
    "These work without one:\n"
    "  tripscope run SESSION           run a session and print what happened\n"
    "  tripscope shot SESSION OUT.png  run it and save a picture of the window\n"
)
EXIT_NO_DISPLAY: Final = 2
_X_PORT: Final = 6000
_WORDS: Final = ["tripscope", "-style", "fusion"]
"""The style by argument: `setStyle` makes PySide load the whole of `QStyle`, 12 ms."""


def main(paths: Sequence[str] = (), run_now: bool = False) -> int:
    """Open the window, with session or trace files if given, and stay until it is closed.

    Returns:
        The exit code: 0, or 2 where there is no display (said on stderr).

    Raises:
        SessionError: there is no display, and besides a file is no session and no trace.
    """
    if not has_display():
        _check_files(paths)
        sys.stderr.write(_NO_DISPLAY)
        return EXIT_NO_DISPLAY
    # pydantic would read the metadata of every installed package when the first session is loaded
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    with loading():
        if any(not str(path).endswith(".jsonl") for path in paths):
            # else it would be loaded while the window stands there and cannot be used
            importlib.import_module("tripscope.session")
        from tripscope_gui.aio import run_app

        app = make_application()
    return run_app(app, lambda: _live([Path(path) for path in paths], run_now))


def _check_files(paths: Sequence[str]) -> None:
    """Read them as the window would: a display would not help a file that cannot be used."""
    from tripscope.file_kinds import is_trace
    from tripscope.session.file import load_session
    from tripscope.trace.file import read_header

    for path in paths:
        if is_trace(path):
            read_header(path)
        else:
            load_session(path)


def _import_plainly() -> None:
    """Take PySide's hook off `import`: it reads the source of every module that is imported.

    It looks for ``from __feature__ import``, which nothing here uses.
    """
    plain = getattr(builtins, "__orig_import__", None)
    if plain is not None:
        builtins.__import__ = plain


def make_application(mode: Mode | None = None) -> QApplication:
    """The dressed application; ``mode`` overrides the theme that the settings name."""
    from PySide6.QtWidgets import QApplication

    _import_plainly()
    from tripscope_gui import theme as themes
    from tripscope_gui.settings import Settings

    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(_WORDS)
    app.setApplicationName("tripscope")
    app.setApplicationDisplayName("Tripscope")
    app.setDesktopFileName("tripscope")
    theme = themes.Theme(mode or Settings().theme, parent=app)
    theme.setObjectName("theme")
    themes.apply(app, theme)
    return app


async def _live(paths: list[Path], run_now: bool) -> int:
    import asyncio

    from PySide6.QtWidgets import QApplication

    from tripscope_gui import window_state
    from tripscope_gui.aio import on_interrupt
    from tripscope_gui.main_window import MainWindow
    from tripscope_gui.run_history import history_path
    from tripscope_gui.session_recovery import recovery_folder
    from tripscope_gui.settings import Settings
    from tripscope_gui.theme import Theme

    app = QApplication.instance()
    theme = app.findChild(Theme, "theme") if app is not None else None
    assert isinstance(theme, Theme)
    settings = Settings()
    with loading():
        window = MainWindow(theme, settings, history_path(), recovery_folder())
        on_interrupt(window.close)
        window_state.restore_window(settings, window)
        if paths:
            window.open_paths(paths, run_now=run_now)
            # one turn to read a session, so that no frame without it is painted in vain, and one
            # to have its run prepared in a thread while Qt lays out and paints that frame
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        window.show()
    await window.closed.wait()
    window.deleteLater()
    return 0


def has_display() -> bool:
    """Whether a window can be opened: a platform was chosen by hand, or a display answers."""
    if os.environ.get("QT_QPA_PLATFORM") or not sys.platform.startswith("linux"):
        return True
    if _wayland_answers(os.environ.get("WAYLAND_DISPLAY", "")):
        return True
    return _x_answers(os.environ.get("DISPLAY", ""))


def _wayland_answers(name: str) -> bool:
    if not name:
        return False
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    return _connects(socket.AF_UNIX, str(Path(folder, name)))


def _x_answers(display: str) -> bool:
    """Whether the X server of ``host:number.screen`` takes a connection; Qt aborts if not."""
    host, colon, rest = display.rpartition(":")
    number = rest.partition(".")[0]
    if not colon or not number.isdigit():
        return False
    if host and not host.startswith("unix"):
        return _connects(socket.AF_INET, (host, _X_PORT + int(number)))
    path = f"/tmp/.X11-unix/X{number}"
    return _connects(socket.AF_UNIX, path) or _connects(socket.AF_UNIX, f"\0{path}")


def _connects(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.settimeout(2)
            probe.connect(address)
    except OSError:
        return False
    return True
