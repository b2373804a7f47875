"""Re-chunk in the window: progress, cancel, the first failing cut as a run."""

from typing import Any

from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester

from tests.support.window import finished, live, session_wire, until
from tripscope.session import session_from_wire
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes.rechunk import RechunkPane
from tripscope_gui.theme import Theme


def chain(strategy: str, window: int = 24) -> list[dict[str, Any]]:
    options = {"presets": ["pii"], "strategy": strategy, "streamCarryoverSize": window}
    return [{"id": "pii", "type": "regex-filter", "options": options}]


async def ready(window: MainWindow, **more: Any) -> RechunkPane:
    window.context.session.take(session_from_wire(session_wire(**more)))
    await finished(window, window.context.runs.start)
    pane = window.work.grid.pane("Re-chunk")
    assert isinstance(pane, RechunkPane)
    return pane


def cells(pane: RechunkPane, row: int) -> list[str]:
    return [str(pane.model.index(row, column).data()) for column in range(4)]


def test_a_chain_that_holds_whatever_the_cut(
    qapp: QApplication, theme: Theme, qtmodeltester: ModelTester
) -> None:
    async def drive(window: MainWindow) -> None:
        pane = await ready(window)
        assert window.context.actions.trigger("run.rechunk")
        assert pane.isVisible()
        assert pane.runner.running
        await until(lambda: not pane.runner.running)
        qtmodeltester.check(pane.model)
        assert pane.model.rowCount() == 1
        assert cells(pane, 0)[0] == "step 0 \N{MIDDLE DOT} attempt 1"
        assert cells(pane, 0)[1].startswith("pass  ")
        assert pane.badge == ""
        assert not pane.open_cut.isEnabled()

    live(qapp, theme, drive)


def test_the_first_failing_cut_opens_as_a_run(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        pane = await ready(window, chain=chain("block"))
        first = window.context.run
        window.context.show_pane("Re-chunk")
        pane.empty.buttons[0].click()
        await until(lambda: not pane.runner.running)
        assert cells(pane, 0)[1].startswith("FAIL  ")
        assert pane.badge == "1"
        assert cells(pane, 1)[1].startswith("cut at ")
        assert cells(pane, 1)[1].endswith(" UTF-16")
        assert "UTF-16 units left" in cells(pane, 1)[3]
        assert pane.table.currentIndex().row() == 1
        pane.open_cut.click()
        await until(lambda: window.context.run is not first)
        run = window.context.run
        assert run is not None
        assert run.kind.startswith("cut at ")
        deltas = [row for row in run.store.rows if row.type == "text-delta"]
        assert len(deltas) == 2
        # the list stays, for the next cut
        assert cells(pane, 0)[1].startswith("FAIL  ")
        assert pane.badge == "1"

    live(qapp, theme, drive)


def test_it_uses_the_chain_as_it_stands(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        pane = await ready(window, chain=chain("block"))
        edited = session_from_wire(session_wire(chain=chain("redact")))
        window.context.session.edit("redact", edited)
        window.context.actions.trigger("run.rechunk")
        await until(lambda: not pane.runner.running)
        assert cells(pane, 0)[1].startswith("pass  ")

    live(qapp, theme, drive)


def test_it_can_be_cancelled_and_the_window_stays_alive(qapp: QApplication, theme: Theme) -> None:
    text = "word ann@example.test " * 300
    script = {"use": "scripted", "script": [{"text": [text]}]}

    async def drive(window: MainWindow) -> None:
        pane = await ready(window, model=script)
        window.context.actions.trigger("run.rechunk")
        # the window has its turns while most is still to be done
        await until(lambda: pane.runner.done > 3 and pane.progress.maximum() > 100)
        assert pane.runner.running
        pane.cancel.click()
        await until(lambda: not pane.runner.running)
        assert pane.model.rowCount() == 0
        assert pane.again.isEnabled()

    live(qapp, theme, drive)


def test_another_run_is_another_text(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        pane = await ready(window)
        window.context.actions.trigger("run.rechunk")
        await until(lambda: pane.model.rowCount())
        await finished(window, window.context.runs.start)
        assert pane.model.rowCount() == 0
        assert pane.runner.run is None

    live(qapp, theme, drive)


def test_without_rules_nothing_is_shown_as_passed(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        normalizer = {"id": "normal", "type": "unicode-normalizer"}
        pane = await ready(window, chain=[normalizer])
        window.context.actions.trigger("run.rechunk")
        await until(lambda: pane.model.rowCount())
        assert cells(pane, 0)[1] == "not made"
        assert "no processor with rules" in cells(pane, 0)[3]

    live(qapp, theme, drive)
