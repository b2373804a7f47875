"""Model settings as a trace may hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tripscope.wire import JSON

MASKED: Final = "***"


def for_trace(settings: Mapping[str, JSON] | None) -> dict[str, JSON] | None:
    """A flat copy in which no value of a header stands: headers carry keys, under any name."""
    if settings is None:
        return None
    shown = dict(settings)
    if isinstance(headers := shown.get("headers"), dict):
        shown["headers"] = dict.fromkeys(headers, MASKED)
    return shown
