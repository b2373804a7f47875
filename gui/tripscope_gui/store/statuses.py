"""How the status of a run and the end of an attempt are worded and drawn, everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tripscope.processor import Outcome
    from tripscope.trace.events import Status
    from tripscope_gui.run_store import RunStore

_WORDS: Final[dict[Status, str]] = {
    "running": "running",
    "passed": "passed",
    "changed": "passed with changes",
    "flagged": "passed, flagged",
    "blocked": "blocked",
    "error": "error",
    "cancelled": "stopped",
    "needs-live": "needs a live run",
}
OUTCOME_OF_STATUS: Final[dict[Status, str]] = {
    "passed": "pass",
    "changed": "changed",
    "flagged": "flagged",
    "blocked": "blocked",
    "error": "errored",
    "cancelled": "not-run",
    "needs-live": "not-run",
}
"""The outcome whose badge stands for a status; a running run has none."""
_ENDINGS: Final[dict[Outcome, str]] = {
    "pass": "accepted",
    "blocked": "rejected",
    "errored": "ended by an error",
    "not-run": "stopped",
}


def ending_words(outcome: Outcome) -> str:
    """How the window words the end of an attempt."""
    return _ENDINGS.get(outcome, outcome)


def status_words(status: Status) -> str:
    """How the window words a run's status."""
    return _WORDS.get(status, status)


def words_of(store: RunStore) -> str:
    """How the window words what became of a run; ``cut off`` if its end is not on record."""
    return "cut off" if store.cut_off else status_words(store.status)
