"""The command line: ``tripscope [SESSION | TRACE]``, ``tripscope run``, ``check`` and ``shot``."""

from tripscope.cli.command_line import main

__all__ = ["main"]
