"""The parser of the command line, and the way from its words to an exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tripscope import __version__
from tripscope.cli import check, exit_codes, run, shot, terminal, window
from tripscope.errors import TripscopeError

_DEFAULT = "open"
_COMMANDS = {"run": run, "check": check, "shot": shot, _DEFAULT: window}
_ABOUT = {"-h", "--help", "--version"}


def parser() -> argparse.ArgumentParser:
    """The whole command line; ``--help`` is made from it."""
    top = argparse.ArgumentParser(
        prog="tripscope",
        description="See what each processor of an LLM chain did to every message and chunk.",
        epilog=exit_codes.TEXT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"tripscope {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    for name, module in _COMMANDS.items():
        command = commands.add_parser(
            name,
            help=module.HELP,
            description=module.HELP,
            epilog=exit_codes.TEXT,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(execute=module.execute)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code; see `exit_codes`."""
    try:
        return _execute(list(sys.argv[1:] if arguments is None else arguments))
    except TripscopeError as error:
        terminal.complain(error)
        return exit_codes.USAGE
    except KeyboardInterrupt:
        return exit_codes.OF_STATUS["cancelled"]
    except BrokenPipeError:
        return exit_codes.ERROR


def _execute(words: list[str]) -> int:
    if not words or words[0] not in _COMMANDS.keys() | _ABOUT:
        words.insert(0, _DEFAULT)
    try:
        options = parser().parse_args(words)
        return int(options.execute(options))
    finally:
        terminal.flush()
