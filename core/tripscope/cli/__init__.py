"""The command line: ``tripscope [SESSION | TRACE]``, ``tripscope run``, ``check`` and ``shot``."""

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """See `tripscope.cli.command_line.main`."""
    try:
        # Late, so that Ctrl-C is answered while everything is being loaded, too.
        from tripscope.cli import command_line
    except KeyboardInterrupt:
        return 130
    return command_line.main(arguments)
