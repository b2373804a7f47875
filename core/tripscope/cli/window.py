"""``tripscope [FILE ...]``: open the window."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tripscope.cli import gui
from tripscope.errors import TripscopeError

if TYPE_CHECKING:
    import argparse

_RUN: Final = "--run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="a session or a trace")
    parser.add_argument(_RUN, action="store_true", help="run the session at once")


def plain(words: Sequence[str]) -> tuple[list[str], bool] | None:
    """The files, and whether ``--run`` is given; None if there is anything else.

    To make a parser takes 8 ms, for which a window would be waited for.
    """
    files = [word for word in words if word != _RUN]
    if any(word.startswith("-") for word in files):
        return None
    return files, len(files) < len(words)


def execute(options: argparse.Namespace) -> int:
    """Show the window until it is closed; raises as `show`."""
    return show(options.files, run_now=options.run)


def show(files: Sequence[str], *, run_now: bool = False) -> int:
    """Show the window with these files until it is closed; gives its exit code.

    Raises:
        TripscopeError: a file is not there, or the window is not installed.
    """
    for path in files:
        if not os.path.exists(path):
            raise TripscopeError(f"{path}: no such file")
    return gui.call_window("app", files, run_now=run_now)
