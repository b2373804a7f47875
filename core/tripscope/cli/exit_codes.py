"""What the process says to the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tripscope.trace.events import Status

ERROR: Final = 1
USAGE: Final = 2
CHECK_FAILED: Final = 5

OF_STATUS: Final[dict[Status, int]] = {
    "passed": 0,
    "changed": 0,
    "flagged": 0,
    "blocked": 3,
    "error": ERROR,
    "needs-live": 4,
    "cancelled": 130,
}

TEXT: Final = """\
exit codes:
  0    passed, changed or flagged
  1    error: a model call or a processor failed
  2    wrong usage, or a file that cannot be used
  3    blocked by a processor
  4    the recording is used up: needs a live model
  5    a stream check failed (with --strict), or a rule test or check failed
  130  cancelled"""
