"""Half an emoji per chunk: from the model through the chain and the trace file into the window."""

from pathlib import Path

from PySide6.QtWidgets import QApplication

from tests.support.window import live, session_wire, until
from tripscope.session import session_from_wire, start_run
from tripscope.trace.file import load
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes.text import TextPane
from tripscope_gui.theme import Theme

DELTAS = ["ann@exam", "ple.test \ud83d", "\ude00 caf\u00e9 \ud83d", "\udc69 end"]


def test_the_window_shows_what_a_trace_file_kept(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    trace = tmp_path / "emoji.trace.jsonl"
    script = {"use": "scripted", "script": [{"text": DELTAS}]}
    session = session_from_wire(session_wire(model=script))

    async def drive(window: MainWindow) -> None:
        async with await start_run(session, trace=trace, real_time=False) as stream:
            result = await stream.result()
        assert result.text == "[EMAIL] \U0001f600 caf\u00e9 \U0001f469 end"
        await window.documents.open_trace(trace)
        await until(lambda: window.context.store is not None and window.context.store.over)
        store = window.context.store
        assert store is not None
        assert list(store.events) == load(trace)
        pane = window.work.grid.pane("Text")
        assert isinstance(pane, TextPane)
        before, after = pane.before.text, pane.after.text
        await until(lambda: after.toPlainText() != "")
        assert before.toPlainText() == "ann@example.test \U0001f600 caf\u00e9 \U0001f469 end"
        assert after.toPlainText() == result.text

    live(qapp, theme, drive)
