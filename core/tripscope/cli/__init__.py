"""The command line: ``tripscope [SESSION | TRACE]``, ``tripscope run``, ``check`` and ``shot``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tripscope import __version__
from tripscope.cli import check, exit_codes, run, shot, window
from tripscope.errors import TripscopeError

_COMMANDS = {"run": run, "check": check, "shot": shot}


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
    for name, module in {**_COMMANDS, "open": window}.items():
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
    words = list(sys.argv[1:] if arguments is None else arguments)
    known = {*_COMMANDS, "open"}
    if not words or (words[0] not in known and not words[0].startswith("-")):
        words.insert(0, "open")
    options = parser().parse_args(words)
    try:
        return int(options.execute(options))
    except TripscopeError as error:
        print(f"tripscope: {error}", file=sys.stderr)
        return exit_codes.USAGE
    except KeyboardInterrupt:
        return exit_codes.OF_STATUS["cancelled"]
    except BrokenPipeError:
        sys.stderr.close()
        return exit_codes.ERROR
