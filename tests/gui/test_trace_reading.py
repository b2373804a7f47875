"""A trace comes in while the window lives; views are told in turns, and of all of it."""

import re
from itertools import islice, pairwise
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.bench.bench_trace_file import _trace
from tests.support.window import live, until
from tripscope.errors import SessionError
from tripscope.trace.file import iter_load, save
from tripscope_gui.main_window import MainWindow
from tripscope_gui.store.run_index import index_of
from tripscope_gui.theme import Theme

EVENTS = 15_000


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trace") / "long.trace.jsonl"
    save(path, list(islice(_trace(), EVENTS)))
    return path


def test_views_are_told_of_all_of_it_less_often_than_it_is_read(
    qapp: QApplication, theme: Theme, trace: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        context = window.context
        told: list[tuple[int, int]] = []
        shown: list[int] = []
        ended: list[int] = []
        context.events_appended.connect(lambda a, b: told.append((a, b)))
        context.store_changed.connect(
            lambda: shown.append(len(context.store.events) if context.store else 0)
        )
        context.runs.finished.connect(lambda run: ended.append(len(run.store.events)))
        run = await context.runs.read(trace)
        batches = list(iter_load(trace))
        assert len(run.store.events) == EVENTS
        assert shown[0] == len(batches[0]), "the first batch is shown before the next is read"
        assert told[0][0] == shown[0]
        assert told[-1][1] == EVENTS
        assert all(before[1] == after[0] for before, after in pairwise(told))
        assert len(told) < len(batches)
        assert ended == [EVENTS]
        assert index_of(run.store).ready
        assert not context.turns.on

    live(qapp, theme, drive)


def test_what_is_shown_anew_meanwhile_is_not_told_twice(
    qapp: QApplication, theme: Theme, trace: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        context = window.context
        told: list[tuple[int, int]] = []
        context.events_appended.connect(lambda a, b: told.append((a, b)))
        window.open_paths([trace])
        await until(lambda: context.store is not None and bool(told))
        store = context.store
        assert store is not None
        await until(lambda: len(store.events) > told[-1][1])
        before, shown = len(told), len(store.events)
        context.show_current()
        await until(lambda: told[-1][1] == EVENTS)
        assert told[before][0] == shown

    live(qapp, theme, drive)


def test_a_run_that_is_closed_meanwhile_is_not_read_to_its_end(
    qapp: QApplication, theme: Theme, trace: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        context = window.context
        window.open_paths([trace])
        await until(lambda: context.run is not None)
        run = context.run
        assert run is not None
        context.workspace.clear()
        context.show_current()
        await until(lambda: context.tasks.running == 0)
        assert len(run.store.events) < EVENTS
        assert context.run is None
        assert not context.turns.on

    live(qapp, theme, drive)


def test_what_stands_before_a_broken_line_is_kept_and_shown(
    qapp: QApplication, theme: Theme, trace: Path, tmp_path: Path
) -> None:
    lines = trace.read_bytes().splitlines(keepends=True)
    broken = tmp_path / "broken.trace.jsonl"
    broken.write_bytes(b"".join([*lines[:9_000], b"{not json}\n", *lines[9_000:9_100]]))

    async def drive(window: MainWindow) -> None:
        told: list[int] = []
        window.context.events_appended.connect(lambda _first, end: told.append(end))
        with pytest.raises(SessionError, match="line 9001"):
            await window.context.runs.read(broken)
        run = window.context.run
        assert run is not None
        assert told[-1] == len(run.store.events) == 8_999
        assert run.store.status == "cancelled"
        assert not window.context.turns.on

    live(qapp, theme, drive)


def test_the_bars_say_how_much_was_read(qapp: QApplication, theme: Theme, trace: Path) -> None:
    async def drive(window: MainWindow) -> None:
        seen: list[tuple[str, str]] = []

        def look() -> None:
            seen.append((window.run_bar.outcome.accessibleName(), window.status._run.text()))

        window.context.events_appended.connect(lambda _first, _end: look())
        run = await window.context.runs.read(trace)
        told = [re.search(r"reading (\d+) %", bar) for bar, _ in seen]
        shares = [int(found[1]) for found in told if found is not None]
        assert len(shares) > 1
        assert shares == sorted(shares)
        assert 0 < shares[0] < 60
        (first, *_) = (line for bar, line in seen if "reading" in bar)
        assert f"is being read from {trace.name}, {shares[0]} %" in first
        assert run.share is None
        assert "reading" not in window.run_bar.outcome.accessibleName()
        assert "read from" not in window.status._run.text()

    live(qapp, theme, drive)
