"""The walk of a new user: from half an address in an answer to the proof that it is gone."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.gui.look.hand import Hand
from tests.gui.look.walk import MOST, walk
from tests.support.example_runs import example_events
from tests.support.shown import shown_windows
from tests.support.window import live
from tripscope.trace.file import save
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)], ids=["1280x800", "1920x1080"])
def test_why_the_fix_and_the_proof_in_few_steps(
    qapp: QApplication, theme: Theme, size: tuple[int, int]
) -> None:
    """Each click, each key and each character typed counts as one."""

    async def drive(window: MainWindow) -> None:
        hand = Hand(window)
        with shown_windows() as windows:
            await walk(hand)
        # nothing was a window of its own, be it for a moment, but what a person asks for
        assert windows == []
        assert 5 < len(hand.steps) <= MOST, hand.steps

    live(qapp, theme, drive, size=size)


def test_a_trace_is_all_that_it_takes(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    trace = tmp_path / "answer.trace.jsonl"
    save(trace, example_events("half-an-address"))

    async def drive(window: MainWindow) -> None:
        hand = Hand(window)
        await walk(hand, trace)
        assert "click 'Edit the chain of this trace'" in hand.steps
        assert len(hand.steps) <= MOST, hand.steps
        # what was made of it is not lost by accident
        assert window.context.session.dirty

    live(qapp, theme, drive, size=(1280, 800))
