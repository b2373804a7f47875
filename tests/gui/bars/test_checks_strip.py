import pytest
from PySide6.QtWidgets import QApplication

from tests.support.made_events import leak_run
from tests.support.window import finished, live, session_wire, until
from tripscope.session import session_from_wire
from tripscope.trace import checks, packed_events, packing
from tripscope.trace.events import AnyEvent
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.check_item import CheckState


def long_key() -> dict[str, object]:
    """A rule whose match outgrows the window: the beginning of it leaves undecided."""
    key = "-----BEGIN KEY-----" + "A" * 200 + "-----END KEY-----"
    pieces = [key[n : n + 20] for n in range(0, len(key), 20)]
    rule = {"name": "key", "pattern": "-----BEGIN KEY-----A{200}-----END KEY-----"}
    return session_wire(
        model={"use": "scripted", "script": [{"text": ["Here: ", *pieces, " done."]}]},
        chain=[
            {
                "id": "secrets",
                "type": "regex-filter",
                "options": {"strategy": "redact", "streamCarryoverSize": 32},
                "rules": [rule],
            }
        ],
    )


def test_results_and_the_way_to_a_failure(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        window.context.session.take(session_from_wire(long_key()))
        run = await finished(window, window.context.runs.start)
        item = window.work.checks.items[checks.DECIDED]
        assert item.state is CheckState.FAIL
        assert item.link_button.isVisible()
        window.context.selection.select(row=0)
        item.link_button.click()
        now = window.context.selection.current
        assert (now.processor, now.rule) == ("secrets", "key")
        assert now.row is not None
        assert run.store.rows[now.row].label in item.link_button.text()
        assert "_" not in item.link_button.text()

    live(qapp, theme, drive)


def test_nothing_is_green_before_there_is_a_stream(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        states = {item.state for item in window.work.checks.items.values()}
        assert states == {CheckState.NOT_MADE}
        window.context.runs.load(leak_run()[:-1])
        running = {item.state for item in window.work.checks.items.values()}
        assert CheckState.PASS not in running
        assert CheckState.SO_FAR in running

    live(qapp, theme, drive)


def test_a_check_that_breaks_is_not_made(qapp: QApplication, theme: Theme, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    def broken(_events: object) -> None:
        raise KeyError("oops")

    async def drive(window: MainWindow) -> None:
        monkeypatch.setattr(checks, "run_checks", broken)
        window.context.runs.load(leak_run())
        assert {i.state for i in window.work.checks.items.values()} == {CheckState.NOT_MADE}

    live(qapp, theme, drive)


def test_a_narrow_strip_keeps_the_failure_in_full(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        window.resize(1280, 800)
        window.context.session.take(session_from_wire(long_key()))
        await finished(window, window.context.runs.start)
        item = window.work.checks.items[checks.DECIDED]
        assert item.state is CheckState.FAIL
        assert item.isVisible()
        assert item.link_button.isVisible()
        last = list(window.work.checks.items.values())[-1]
        assert last.geometry().right() <= window.work.checks.width()
        assert window.width() == 1280

    live(qapp, theme, drive)


def test_text_that_is_held_while_a_run_goes_on_is_no_failure(
    qapp: QApplication, theme: Theme
) -> None:
    async def drive(window: MainWindow) -> None:
        window.context.session.take(session_from_wire(session_wire()))
        run = await finished(window, window.context.runs.start)
        events = list(run.store.events)
        items = window.work.checks.items
        seen = set()
        for end in range(1, len(events)):
            window.context.runs.load(events[:end])
            states = {name: items[name].state for name in items}
            assert CheckState.FAIL not in states.values(), (end, states)
            seen.add(items[checks.ACCOUNTED].detail)
        assert "text is held" in seen

    live(qapp, theme, drive)


def test_the_checks_of_a_long_run_unpack_nothing(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def drive(window: MainWindow) -> None:
        script = {"use": "scripted", "script": [{"text": ["ab "] * 1500}]}
        window.context.session.take(session_from_wire(session_wire(model=script)))
        strip = window.work.checks
        run = await finished(window, window.context.runs.start)
        await until(lambda: strip.results and not run.store.collect(0))
        before = strip.results
        while run.store.events.pack(1_000_000_000, loose=0):
            pass
        opened: set[bytes] = set()
        unpack = packing.unpack_page

        def unpack_counted(page: bytes) -> list[AnyEvent]:
            opened.add(page)
            return unpack(page)

        monkeypatch.setattr(packed_events, "unpack_page", unpack_counted)
        run.store.events._open.clear()
        strip.refresh()
        assert strip.results == []
        await until(lambda: strip.results)
        assert strip.results == before
        # the first page tells of the chain, be it in two threads
        assert len(opened) <= 1

    live(qapp, theme, drive)
