"""Numbers of the bars in words: times, counts, steps."""

from __future__ import annotations

from typing import Final

NONE: Final = "\u2013"
_MS: Final = 1_000_000
_S: Final = 1_000_000_000


def duration(ns: int) -> str:
    """Time in the unit that keeps it short: ``1.9 ms``, ``270 ms``, ``3.31 s``, ``2 min 5 s``."""
    if ns < 10 * _MS:
        return f"{ns / _MS:.1f} ms"
    if ns < _S:
        return f"{round(ns / _MS)} ms"
    if ns < 60 * _S:
        return f"{ns / _S:.2f} s"
    minutes, seconds = divmod(round(ns / _S), 60)
    return f"{minutes} min {seconds} s"


def count(number: int | None) -> str:
    """A number with its thousands parted; an en dash for one that is not known."""
    return NONE if number is None else f"{number:,}"


def of(number: int, limit: int | None) -> str:
    """``2 of 5``; the number alone where there is no limit."""
    return str(number) if limit is None else f"{number} of {limit}"
