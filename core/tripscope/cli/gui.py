"""The way from the command line to the window, which the engine does not import.

The window names its functions as entry points of the group ``tripscope.window``.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from tripscope.errors import TripscopeError


def call(name: str, *arguments: Any, **options: Any) -> int:
    """Call what the window offers as ``name``; gives its exit code.

    Raises:
        TripscopeError: the window, or Qt below it, is not installed.
    """
    found = [entry for entry in entry_points(group="tripscope.window") if entry.name == name]
    try:
        function = found[0].load()
    except (ImportError, IndexError) as error:
        raise TripscopeError(
            f"the window is not installed here ({error}); it needs PySide6 and qasync."
            " `tripscope run` and `tripscope check` work without them"
        ) from error
    return int(function(*arguments, **options))
