"""What you can try: a leak in the window, from its row to a run without it."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.support.still import still
from tests.support.window import finished, live, until, write_session
from tripscope.session.model import ProcessorSpec
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes.findings import FindingsPane
from tripscope_gui.store.workspace import Run
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.advice_list import AdviceList

LONG = {
    "id": "keys",
    "type": "regex-filter",
    "options": {"strategy": "redact", "streamCarryoverSize": 16},
    "rules": [{"name": "key", "pattern": "BEGIN [a-z ]+ END", "replacement": "[KEY]"}],
}
ANSWER = ["So BEGIN ", "abc def ghi ", "jkl mno pqr", " END it is."]


def pane_of(window: MainWindow) -> FindingsPane:
    pane = window.work.grid.pane("Findings")
    assert isinstance(pane, FindingsPane)
    return pane


async def advised(pane: FindingsPane) -> AdviceList:
    await until(lambda: pane.desk.advice is not None)
    return pane.advice


def spec_of(window: MainWindow) -> ProcessorSpec:
    session = window.context.session.session
    assert session is not None
    return session.chain[0]


def words_of(advice: AdviceList) -> list[str]:
    return [line.link.accessibleName() for line in advice.lines]


async def run_of(window: MainWindow, path: Path) -> Run:
    """Open a session and run it."""
    await window.documents.open(path)
    return await finished(window, lambda: window.context.actions.trigger("run.start"))


@pytest.fixture
def leaky(tmp_path: Path) -> Path:
    """A session whose answer leaves before it is decided."""
    model = {"use": "scripted", "script": [{"text": ANSWER}]}
    return write_session(tmp_path, model=model, chain=[LONG])


async def run_leaky(window: MainWindow, path: Path) -> FindingsPane:
    await run_of(window, path)
    pane = pane_of(window)
    await until(lambda: any(row.leak is not None for row in pane.model_rows))
    place = next(n for n, row in enumerate(pane.model_rows) if row.leak is not None)
    pane.table.selectRow(place)
    return pane


def test_a_leak_is_mended_by_one_link_replayed_by_the_next_and_taken_back(
    qapp: QApplication, theme: Theme, leaky: Path
) -> None:
    async def test(window: MainWindow) -> None:
        pane = await run_leaky(window, leaky)
        advice = await advised(pane)
        assert advice.isVisible()
        assert advice.lines[0].link.text() == "to 64"
        assert "nothing of it leaves" in words_of(advice)[0]
        assert advice.lines[1].link.text() == "set streamHold to complete"
        runs = len(window.context.workspace.runs)
        advice.lines[0].link.click()
        assert spec_of(window).options["streamCarryoverSize"] == 64
        # nothing ran by that; what is offered now is the replay that shows it
        assert len(window.context.workspace.runs) == runs
        await until(lambda: words_of(advice)[:1] and advice.lines[0].link.text() == "replay")
        run = await finished(window, advice.lines[0].link.click)
        assert {f.outcome for f in run.store.findings} == {"changed"}
        await until(lambda: advice.undo.isVisible())
        advice.undo.click()
        assert spec_of(window).options["streamCarryoverSize"] == 16
        window.context.session.undo_stack.redo()
        assert spec_of(window).options["streamCarryoverSize"] == 64

    live(qapp, theme, test)


def test_the_pane_keeps_rows_in_sight_in_a_small_window(
    qapp: QApplication, theme: Theme, leaky: Path
) -> None:
    async def test(window: MainWindow) -> None:
        pane = await run_leaky(window, leaky)
        advice = await advised(pane)
        assert advice.isVisible()
        assert pane.table.viewport().height() >= pane.table.rowHeight(0)

    live(qapp, theme, test, size=(960, 640))


@pytest.mark.parametrize("height", [800, 807, 813, 1080])
def test_no_row_is_cut_in_two_over_what_can_be_tried(
    qapp: QApplication, theme: Theme, leaky: Path, height: int
) -> None:
    async def test(window: MainWindow) -> None:
        pane = await run_leaky(window, leaky)
        await advised(pane)
        await still(window)
        room = pane.table.viewport().height()
        assert room >= pane.table.rowHeight(0)
        assert room % pane.table.rowHeight(0) == 0

    live(qapp, theme, test, size=(1280, height))


@pytest.mark.parametrize(
    ("strategy", "answer", "links"),
    [
        ("warn", ["see BEGIN abc END"], ["redact", "block", "Keep this text as a test case:"]),
        ("block", ["see BEGIN abc END"], ["redact", "Keep this text as a test case:"]),
        ("redact", ["see BEGIN abc END"], []),
    ],
)
def test_what_was_flagged_or_blocked_can_be_handled_otherwise(
    qapp: QApplication,
    theme: Theme,
    tmp_path: Path,
    strategy: str,
    answer: list[str],
    links: list[str],
) -> None:
    model = {"use": "scripted", "script": [{"text": answer}]}
    chain = [LONG | {"options": {"strategy": strategy}}]
    path = write_session(tmp_path, model=model, chain=chain)

    async def test(window: MainWindow) -> None:
        await run_of(window, path)
        pane = pane_of(window)
        await until(lambda: pane.model.rowCount() >= 1)
        pane.table.selectRow(0)
        advice = await advised(pane)
        assert [line.link.text() for line in advice.lines] == links
        assert advice.isVisible() == bool(links)
        if links:
            advice.lines[-1].link.click()
            rule = spec_of(window).rules[0]
            assert [(t.span, t.match) for t in rule.tests] == [((4, 17), True)]

    live(qapp, theme, test)


def test_a_rule_that_is_off_is_named_where_no_row_is_chosen(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    rule = {"name": "key", "pattern": "BEGIN [a-z ]+ END", "enabled": False}
    other = {"name": "other", "pattern": "zzz"}
    chain = [LONG | {"rules": [rule, other]}]
    model = {"use": "scripted", "script": [{"text": ["BEGIN abc END"]}]}
    path = write_session(tmp_path, model=model, chain=chain)

    async def test(window: MainWindow) -> None:
        await run_of(window, path)
        advice = await advised(pane_of(window))
        assert words_of(advice) == [
            "Rule key is switched off and matches once in what left: switch it on"
        ]
        advice.lines[0].link.click()
        assert spec_of(window).rules[0].enabled

    live(qapp, theme, test)


def test_a_rule_that_ran_out_of_time_can_be_switched_off_to_see_the_rest(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    slow = {"name": "slow", "pattern": "(a|aa)+(?=$)"}
    other = {"name": "other", "pattern": "zzz"}
    chain = [LONG | {"rules": [slow, other], "options": {"strategy": "redact"}}]
    model = {"use": "scripted", "script": [{"text": ["a" * 60 + "b"]}]}
    path = write_session(tmp_path, model=model, chain=chain)

    async def test(window: MainWindow) -> None:
        run = await run_of(window, path)
        assert run.store.status == "error"
        pane = pane_of(window)
        row = next(n for n, r in enumerate(pane.model_rows) if r.event.outcome == "timed-out")
        pane.table.selectRow(row)
        await until(lambda: pane.desk.advice is not None)
        assert [line.link.text() for line in pane.advice.lines] == ["switch slow off"]
        pane.advice.lines[0].link.click()
        assert [rule.enabled for rule in spec_of(window).rules] == [False, True]

    live(qapp, theme, test)
