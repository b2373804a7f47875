import asyncio
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.support.made_events import leak_run
from tests.support.window import finished, live, session_wire, slow_script, until, write_session
from tripscope.session import session_from_wire
from tripscope.trace.events import AnyEvent, EditedByHand
from tripscope.trace.file import save
from tripscope_gui import run_controller
from tripscope_gui.event_feed import DRAIN_MS
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes.chunks import ChunksPane
from tripscope_gui.selection import Selection
from tripscope_gui.theme import Theme


def open_small(window: MainWindow, **more: object) -> None:
    window.context.session.take(session_from_wire(session_wire(**more)))


def times_aside(events: Sequence[AnyEvent]) -> list[str]:
    return [f"{e.kind} {e.step} {e.attempt} {e.hook} {e.processor}" for e in events]


def test_a_run_ends_with_all_its_events_in_the_store(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        open_small(window)
        ranges: list[tuple[int, int]] = []
        window.context.events_appended.connect(lambda a, b: ranges.append((a, b)))
        run = await finished(window, window.context.runs.start)
        store = run.store
        assert store.status == "changed"
        assert store.ended is not None
        assert store.ended.text == "Mail [EMAIL] now."
        assert [event.seq for event in store.events] == list(range(len(store.events)))
        assert ranges[0][0] == 0
        assert ranges[-1][1] == len(store.events)
        assert all(before[1] == after[0] for before, after in pairwise(ranges))
        assert not window.context.runs.running

    live(qapp, theme, drive)


def test_an_edit_and_a_replay_make_a_run_beside_the_old_one(
    qapp: QApplication, theme: Theme
) -> None:
    async def drive(window: MainWindow) -> None:
        open_small(window)
        first = await finished(window, window.context.runs.start)
        access = window.context.session
        assert access.session is not None
        (filter_,) = access.session.chain
        softer = filter_.model_copy(update={"options": filter_.options | {"strategy": "warn"}})
        access.edit("warn only", access.session.model_copy(update={"chain": [softer]}))
        second = await finished(window, window.context.runs.replay)
        assert (second.number, second.parent, second.mode) == (2, 1, "replay")
        assert second.store.status == "flagged"
        assert second.store.ended is not None
        assert second.store.ended.text == "Mail ann@example.test now."
        assert first.store.status == "changed"
        assert window.context.run is second
        # the recording of a replay serves another replay
        third = await finished(window, window.context.runs.replay)
        told = [edit.what for edit in second.store.edits]
        assert told == ["option strategy changed"]
        assert not third.store.edits
        same = [event for event in second.store.events if not isinstance(event, EditedByHand)]
        assert times_aside(third.store.events) == times_aside(same)

    live(qapp, theme, drive)


def test_at_the_end_of_a_run_a_view_takes_news_and_selection_in_one_turn(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_controller, "SHORT_RUN", 0)

    async def drive(window: MainWindow) -> None:
        open_small(window)
        context = window.context
        chunks = window.work.grid.pane("Chunks")
        assert isinstance(chunks, ChunksPane)
        log: list[object] = []
        grow, follow = chunks.grow, chunks.follow

        def growing(first: int, end: int) -> None:
            log.append("grow")
            grow(first, end)

        def following() -> None:
            log.append("follow")
            follow()

        monkeypatch.setattr(chunks, "grow", growing)
        monkeypatch.setattr(chunks, "follow", following)
        context.events_appended.connect(lambda _first, end: log.append(end))
        context.runs.finished.connect(lambda _run: log.append("finished"))
        run = await finished(window, context.runs.start)
        await context.turns.shown()
        end = log.index("finished")
        assert [told for told in log[:end] if isinstance(told, int)][-1] == len(run.store.events)
        # what came at the very end may have been shown already
        assert log[end + 1 :] in (["grow", "follow"], ["follow"])

    live(qapp, theme, drive)


def test_views_of_a_long_run_follow_to_its_end_in_turns(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_controller, "SHORT_RUN", 0)

    async def drive(window: MainWindow) -> None:
        open_small(window)
        context = window.context
        chunks = window.work.grid.pane("Chunks")
        assert isinstance(chunks, ChunksPane)
        seen: list[tuple[bool, bool]] = []

        def look(_run: object) -> None:
            moved = chunks.view.currentIndex().isValid()
            seen.append((context.turns.hurried, moved))

        context.runs.finished.connect(look)
        run = await finished(window, context.runs.start)
        assert seen == [(True, False)]
        assert context.selection.current != Selection(run=run.number)
        await until(lambda: not context.turns.on)
        assert chunks.view.currentIndex().isValid()

    live(qapp, theme, drive)


def test_stop_keeps_what_arrived(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        open_small(window, model=slow_script())
        runs = window.context.runs
        run = runs.start()
        assert run is not None
        assert runs.running
        assert not runs.can_run
        assert runs.start() is None
        await until(lambda: len(run.store.rows) > 5)
        await finished(window, runs.stop)
        assert run.store.status == "cancelled"
        assert 5 < len(run.store.rows) < 900
        assert runs.can_run

    live(qapp, theme, drive)


def test_freeze_stops_the_view_and_not_the_run(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        open_small(window, model=slow_script(300, 2, ends=True))
        runs = window.context.runs
        run = runs.start()
        assert run is not None
        await until(lambda: len(run.store.events) > 10)
        runs.set_frozen(True)
        seen = len(run.store.events)
        ended: list[object] = []
        runs.finished.connect(ended.append)
        await until(lambda: runs.behind > 20)
        assert len(run.store.events) == seen
        await until(lambda: not runs.running)
        assert ended == []
        assert window.run_bar.outcome.label.endswith("behind")
        runs.set_frozen(False)
        assert ended == [run]
        assert run.store.over
        assert runs.behind == 0

    live(qapp, theme, drive)


def test_a_session_that_cannot_be_built_is_refused_in_words(
    qapp: QApplication, theme: Theme
) -> None:
    async def drive(window: MainWindow) -> None:
        open_small(window, chain=[{"id": "x", "type": "no-such-type"}])
        refused: list[str] = []
        window.context.runs.refused.disconnect(window._on_refused)
        window.context.runs.refused.connect(refused.append)
        window.context.runs.start()
        await until(lambda: refused and not window.context.runs.running)
        assert "no-such-type" in refused[0]
        assert window.context.workspace.runs == []
        assert window.context.run is None

    live(qapp, theme, drive)


def test_a_loaded_trace_is_a_run_that_can_be_looked_at(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        run = window.context.runs.load(leak_run(), Path("a.trace.jsonl"))
        assert (run.kind, run.store.status) == ("loaded", "changed")
        assert not window.context.runs.can_replay
        window.context.session.take(session_from_wire(session_wire()))
        assert window.context.runs.can_replay

    live(qapp, theme, drive)


@pytest.mark.parametrize("text", ["\ud83d", "<b>x</b> & <3"])
def test_odd_text_comes_through(
    qapp: QApplication, theme: Theme, tmp_path: Path, text: str
) -> None:
    async def drive(window: MainWindow) -> None:
        path = write_session(tmp_path, model={"use": "scripted", "script": [{"text": [text]}]})
        window.documents.open_session(path)
        run = await finished(window, window.context.runs.start)
        assert run.store.ended is not None
        assert run.store.ended.text == text
        (row,) = [row for row in run.store.rows if row.type == "text-delta"]
        assert run.store.rows.cell(row, "model").text == text

    live(qapp, theme, drive)


def test_what_nobody_expected_is_told_too(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tripscope.session

    async def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("in the engine")

    async def drive(window: MainWindow) -> None:
        open_small(window)
        monkeypatch.setattr(tripscope.session, "start_run", broken)
        runs = window.context.runs
        refused: list[str] = []
        runs.refused.disconnect(window._on_refused)
        runs.refused.connect(refused.append)
        runs.start()
        await until(lambda: refused and not runs.running)
        assert refused == ["ZeroDivisionError: in the engine"]
        assert runs.can_run
        assert window.context.run is None

    live(qapp, theme, drive)


def test_a_trace_without_an_end_is_cut_off_not_running(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        open_small(window)
        runs = window.context.runs
        whole = await finished(window, runs.start)
        path = tmp_path / "killed.trace.jsonl"
        save(path, whole.store.events)
        lines = path.read_bytes().splitlines(keepends=True)
        half = next(n for n, line in enumerate(lines) if b"mple.test" in line) + 2
        path.write_bytes(b"".join(lines[:half]) + lines[half][:20])
        run = await finished(window, lambda: window.open_paths([path]))
        assert run.store.over
        assert run.store.ended is None
        assert run.status == "cancelled"
        assert "cut off" in window.run_bar.outcome.accessibleName()
        assert "cut off" in window.status._run_words(run.store)
        # what it holds can be replayed, up to where it breaks off
        assert runs.can_replay
        replay = await finished(window, runs.replay)
        assert replay.status == "needs-live"

    live(qapp, theme, drive)


def test_the_window_rests_while_the_key_is_waited_for(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def key(*_what: object) -> None:
        asked.set()
        await go.wait()

    async def drive(window: MainWindow) -> None:
        open_small(window)
        runs = window.context.runs
        monkeypatch.setattr(runs, "_api_key", key)
        assert runs.start() is not None
        await asked.wait()
        assert runs._feed._timer.interval() == DRAIN_MS
        await finished(window, go.set)

    live(qapp, theme, drive)
