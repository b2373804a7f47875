from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tests.support.window import make_context
from tripscope_gui.bars.status_bar import StatusBar
from tripscope_gui.theme import Theme


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (None, "Run 1 is running, 20 events"),
        (Path("/a/b.trace.jsonl"), "Run 1 is being read from b.trace.jsonl, 20 events"),
    ],
)
def test_it_says_what_makes_a_run_grow(
    qtbot: QtBot, theme: Theme, source: Path | None, words: str
) -> None:
    context = make_context(theme)
    bar = StatusBar(context)
    qtbot.addWidget(bar)
    run = context.workspace.add()
    run.source = source
    run.store.extend(example_events("support-agent")[:20])
    context.show_current()
    assert bar._run.text() == words
