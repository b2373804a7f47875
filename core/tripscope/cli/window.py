"""``tripscope [FILE ...]``: open the window."""

from __future__ import annotations

import argparse
import os

from tripscope.cli import gui
from tripscope.errors import TripscopeError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="a session or a trace")
    parser.add_argument("--run", action="store_true", help="run the session at once")


def execute(options: argparse.Namespace) -> int:
    """Show the window until it is closed.

    Raises:
        TripscopeError: a file is not there, or the window is not installed.
    """
    for path in options.files:
        if not os.path.exists(path):
            raise TripscopeError(f"{path}: no such file")
    return gui.call("app", options.files, run_now=options.run)
