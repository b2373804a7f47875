"""``tripscope [FILE ...]``: open the window."""

from __future__ import annotations

import argparse

from tripscope.cli import gui

HELP = "open the window, with session or trace files if given (the default command)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="a session or a trace")
    parser.add_argument("--run", action="store_true", help="run the session at once")


def execute(options: argparse.Namespace) -> int:
    """Show the window until it is closed."""
    return gui.call("app", options.files, run_now=options.run)
