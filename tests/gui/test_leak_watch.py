"""What left too early is looked for between frames, and in a thread where the text is long."""

from PySide6.QtWidgets import QApplication

from tests.support.made_events import Events, leak_run
from tests.support.window import live, until
from tripscope.chunks import text_delta
from tripscope.trace.events import AnyEvent
from tripscope_gui.main_window import MainWindow
from tripscope_gui.store.leaks import AT_ONCE
from tripscope_gui.store.run_index import index_of
from tripscope_gui.theme import Theme

CHAIN = {
    "input": [],
    "output": [
        {
            "id": "pii",
            "type": "regex-filter",
            "hooks": ["processOutputStream"],
            "presets": ["pii"],
            "strategy": "redact",
            "scans": ["text-delta"],
        }
    ],
    "error": [],
}


def long_leak() -> list[AnyEvent]:
    """A long text that a filter let out unchanged, an address in it too."""
    made = Events(chain=CHAIN)
    made.begin_attempt()
    at = 0
    for number in range(1200):
        text = "ann@example.test " if number == 700 else "word and "
        part = made.chunk(number, text_delta(text))
        stretch = (at, at + len(text), at, at + len(text), None)
        made.hook(number, part, (part,), held=0, intervals=(stretch,))
        made.deliver(number, part)
        at += len(text)
    assert at > AT_ONCE
    made.end_attempt()
    made.end("passed")
    return made.all


def test_leaks_of_a_long_text_are_looked_for_in_a_thread_and_reach_the_panes(
    qapp: QApplication, theme: Theme
) -> None:
    async def drive(window: MainWindow) -> None:
        store = window.context.runs.load(long_leak()).store
        index = index_of(store)
        await until(lambda: index.leaks.by_block)
        assert not index.leaks.searches
        await until(lambda: index.search is None)
        ((leak,),) = index.leaks.by_block.values()
        assert (leak.rule, leak.processor) == ("email", "pii")
        timeline = window.work.grid.pane("Timeline")
        assert timeline is not None
        await until(lambda: timeline.canvas.data.early.units == 16)  # type: ignore[attr-defined]
        chunks = window.work.grid.pane("Chunks")
        assert chunks is not None
        await until(lambda: not chunks.busy)  # type: ignore[attr-defined]
        table = chunks.table  # type: ignore[attr-defined]
        assert table.look(store.rows[700], "client").edge == "leak"

    live(qapp, theme, drive)


def test_a_short_text_is_looked_at_without_a_thread(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        store = window.context.runs.load(leak_run()).store
        index = index_of(store)
        while index.advance(1_000_000):
            pass
        assert index.search is None
        assert not index.leaks.searches

    live(qapp, theme, drive)
