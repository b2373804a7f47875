"""The way from the command line to the window, which the engine does not import.

The window is looked up by name when it is asked for. Entry points would say the same, but reading
them loads an e-mail parser, which the start of the window would have to wait for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from tripscope.errors import TripscopeError

_FUNCTIONS: Final = {"app": ("tripscope_gui.app", "main"), "shot": ("tripscope_gui.shot", "shot")}


def call_window(name: str, *arguments: Any, **options: Any) -> int:
    """Call what the window offers as ``name``, ``app`` or ``shot``; gives its exit code.

    Raises:
        TripscopeError: the window, or Qt below it, is not installed.
    """
    try:
        module, function = _FUNCTIONS[name]
        window = getattr(import_module(module), function)
    except ImportError as error:
        raise TripscopeError(
            f"the window is not installed here ({error}); it needs PySide6 and qasync."
            " `tripscope run` and `tripscope check` work without them"
        ) from error
    return int(window(*arguments, **options))
