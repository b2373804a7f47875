"""The parser of the command line, and the way from its words to an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

from tripscope import __version__
from tripscope.cli import exit_codes, terminal, window
from tripscope.errors import SessionError, TripscopeError

if TYPE_CHECKING:
    import argparse

_DEFAULT: Final = "open"
_MODULES: Final = {"run": "run", "check": "check", "shot": "shot", _DEFAULT: "window"}
_HELP: Final = {
    "run": "run a session headless and print what every processor did",
    "check": "check the chain of a session and run the tests of its rules",
    "shot": "run a session, or load a trace, and save a picture of the window; needs no display",
    _DEFAULT: "open the window, with session or trace files if given (the default command)",
}
_ABOUT: Final = {"-h", "--help", "--version"}


class _Command(Protocol):
    """What the module of a command has."""

    add_arguments: Callable[[argparse.ArgumentParser], None]
    execute: Callable[[argparse.Namespace], int]


def parser(chosen: str) -> argparse.ArgumentParser:
    """The command line with the options of one command; ``--help`` is made from it.

    Only that command's module is imported: the window needs none of the engine for its start.
    """
    import argparse

    top = argparse.ArgumentParser(
        prog="tripscope",
        description="See what each processor of an LLM chain did to every message and chunk.",
        epilog=exit_codes.TEXT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"tripscope {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    for name, words in _HELP.items():
        command = commands.add_parser(
            name,
            help=words,
            description=words,
            epilog=exit_codes.TEXT,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == chosen:
            module = cast(_Command, import_module(f"tripscope.cli.{_MODULES[name]}"))
            module.add_arguments(command)
            command.set_defaults(execute=module.execute, refuse=command.error)
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
    if not words or words[0] not in _HELP.keys() | _ABOUT:
        _refuse_unknown(words)
        words.insert(0, _DEFAULT)
    try:
        if words[0] == _DEFAULT and (plain := window.plain(words[1:])) is not None:
            files, run_now = plain
            return window.show(files, run_now=run_now)
        options, unknown = parser(words[0]).parse_known_args(words)
        if unknown:
            # of the command itself: the whole program's would show none of its options
            options.refuse(f"unrecognized arguments: {' '.join(unknown)}")
        return _run(options)
    finally:
        terminal.flush()


def _run(options: argparse.Namespace) -> int:
    """Run the command; what is wrong with a session that was read names its file too."""
    try:
        return int(options.execute(options))
    except SessionError as error:
        if file := getattr(options, "session", None):
            raise error.in_file(file) from error
        raise


def _refuse_unknown(words: list[str]) -> None:
    """A word alone that names no file is taken for a command that was misspelt."""
    word = words[0] if words else ""
    if word.isidentifier() and not os.path.lexists(word):
        names = ", ".join(_HELP)
        raise TripscopeError(
            f"there is no command {word!r} and no file of that name; the commands are {names}"
        )
