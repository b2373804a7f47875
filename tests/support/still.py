"""When the window has done all that a step set off, however long that took."""

import asyncio

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog

from tests.support.patience import PATIENCE
from tripscope_gui.main_window import MainWindow

LOOKS = 4
APART = 0.05
"""Seconds between two looks; the window is still once it was so in `LOOKS` of them in a row."""
LONGEST_PAUSE_MS = 500
"""Timers that fire once and later than that are no part of an answer: a message that goes."""


async def still(window: MainWindow) -> None:
    """Wait until nothing is at work or due in the window; no longer than a while beside a run."""
    looks = 0
    async with asyncio.timeout(PATIENCE):
        while looks < LOOKS:
            await asyncio.sleep(APART)
            looks = looks + 1 if _is_still(window) else 0


def _is_still(window: MainWindow) -> bool:
    context = window.context
    if context.runs.running:
        return True
    # each question waits for its answer in a task of its own
    asking = sum(dialog.isVisible() for dialog in window.findChildren(QDialog))
    if context.tasks.running > asking:
        return False
    return not any(
        timer.isActive() and timer.isSingleShot() and timer.interval() <= LONGEST_PAUSE_MS
        for timer in window.findChildren(QTimer)
    )
