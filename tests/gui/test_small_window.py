"""The window at its usual smallest size: docks keep their shares, the status bar says something."""

from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from tests.support.still import still
from tests.support.window import finished, live, until
from tripscope_gui.delegates.texts import elided
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes.text import TextPane
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel
from tripscope_resources import files

SIZE = (1280, 800)
NONE = "\N{EN DASH}"


async def _run(window: MainWindow) -> None:
    window.context.runs.real_time = False
    path = Path(str(files("examples", "support-agent.tripscope.json")))
    window.documents.open_session(path)
    await finished(window, lambda: window.context.actions.trigger("run.start"))
    await still(window)


def test_panes_in_front_do_not_push_the_docks(qapp: QApplication, theme: Theme) -> None:
    async def test(window: MainWindow) -> None:
        await _run(window)
        docks = window.work.grid.docks
        for title in ("State", "Tripwire", "Chain", "Tests", "Rules", "Event", "Text"):
            window.context.show_pane(title)
            await still(window)
            assert abs(docks["middle-left"].width() - 772) <= 4, title
            assert abs(docks["bottom-right"].width() - 628) <= 4, title

    live(qapp, theme, test, size=SIZE)


def test_the_path_is_in_the_status_bar_only_where_there_is_one(
    qapp: QApplication, theme: Theme
) -> None:
    async def test(window: MainWindow) -> None:
        crumbs, status = window.work.crumbs, window.status
        assert not crumbs.isVisible()
        assert status._run.isVisible()
        await _run(window)
        assert crumbs.isVisible()
        assert not status._run.isVisible()
        bottom = crumbs.units.mapTo(window, crumbs.units.rect().bottomLeft()).y()
        assert bottom < window.height()
        window.work.toggle_lab()
        assert not crumbs.isVisible()
        assert status._run.isVisible()
        window.work.toggle_lab()
        assert crumbs.isVisible()

    live(qapp, theme, test, size=SIZE)


def test_the_outcome_is_in_view_beside_a_long_name(qapp: QApplication, theme: Theme) -> None:
    async def test(window: MainWindow) -> None:
        await _run(window)
        session = window.context.session.session
        assert session is not None
        named = session.model_copy(update={"name": "a name that is rather long " * 3})
        window.context.session.edit("rename", named)
        await still(window)
        outcome = window.run_bar.outcome
        right = outcome.mapTo(window, outcome.rect().bottomRight()).x()
        assert right < window.width()
        assert outcome.width() >= outcome.sizeHint().width()

    live(qapp, theme, test, size=SIZE)


def test_all_of_the_start_page_is_in_view(qapp: QApplication, theme: Theme) -> None:
    async def test(window: MainWindow) -> None:
        await still(window)
        assert window.start_page.verticalScrollBar().maximum() == 0

    live(qapp, theme, test, size=SIZE)


def test_a_sentence_of_the_status_bar_has_it_to_itself(qapp: QApplication, theme: Theme) -> None:
    async def test(window: MainWindow) -> None:
        labels = [window.status._run, window.status._hint]
        for ready in (still, _run):
            await ready(window)
            window.context.say("something was done")
            window.status.refresh()
            in_view = [label for label in (*labels, window.status._shelf) if label.isVisible()]
            assert in_view == []
            window.status.clearMessage()
            assert any(label.isVisible() for label in (*labels, window.status._shelf))

    live(qapp, theme, test, size=SIZE)


@pytest.mark.parametrize(("width", "height"), [(960, 700), (1024, 768), (1280, 800)])
def test_no_dock_lies_over_another_or_leaves_the_window(
    qapp: QApplication, theme: Theme, width: int, height: int
) -> None:
    async def drive(window: MainWindow) -> None:
        await _run(window)
        grid = window.work.grid
        assert grid.panes, "all of them, also those that are made later"
        await still(window)
        shown = [dock for dock in grid.docks.values() if dock.isVisible()]
        assert len(shown) == 5
        for dock in shown:
            assert grid.rect().contains(dock.geometry()), dock.place
            for other in shown:
                assert dock is other or not dock.geometry().intersects(other.geometry())
            tabs = dock.head.tabs
            assert tabs.tabRect(tabs.count() - 1).right() <= tabs.width()

    live(qapp, theme, drive, size=(width, height))


@pytest.mark.parametrize("width", [960, 1024])
def test_words_of_checks_end_in_an_ellipsis_and_results_are_whole(
    qapp: QApplication, theme: Theme, width: int
) -> None:
    async def drive(window: MainWindow) -> None:
        await _run(window)
        strip = window.work.checks
        for item in strip.items.values():
            assert strip.rect().contains(item.geometry())
            for label in item.findChildren(PlainLabel):
                assert label.isHidden() or label.width() >= label.sizeHint().width(), label.text()
            for cut in item.findChildren(ElidedLabel):
                assert cut.cut_text() == cut.text() or cut.cut_text().endswith("\u2026")
        outcome = window.run_bar.outcome
        corner = outcome.mapTo(window, outcome.rect().bottomRight())
        assert corner.x() <= window.width()

    live(qapp, theme, drive, size=(width, 700))


def overlaps(window: MainWindow) -> list[str]:
    found = []
    for dock in window.work.grid.docks.values():
        line = [
            child
            for child in dock.head.children()
            if isinstance(child, QWidget) and child.isVisible()
        ]
        for one, other in combinations(line, 2):
            if one.geometry().intersects(other.geometry()):
                found.append(f"{dock.place}: {one.geometry()} {other.geometry()}")
    return found


@pytest.mark.parametrize("width", [960, 1024, 1100])
def test_tabs_and_tools_of_a_dock_never_share_a_place(
    qapp: QApplication, theme: Theme, width: int
) -> None:
    async def test(window: MainWindow) -> None:
        await _run(window)
        for title in ("Findings", "Rules", "Chunks", "Hooks", "State", "Re-chunk", "Tests"):
            window.context.show_pane(title)
            await still(window)
            # what is asked of the layout is done a turn later
            await until(lambda: not overlaps(window))

    live(qapp, theme, test, size=(width, 700))


def test_a_prompt_can_be_read_in_a_narrow_window(qapp: QApplication, theme: Theme) -> None:
    async def test(window: MainWindow) -> None:
        await _run(window)
        prompt = window.run_bar.prompt
        shown = elided(*prompt._drawn())
        assert len(shown) >= 12, shown
        assert prompt.text().startswith(shown.rstrip("\u2026").rstrip())

    live(qapp, theme, test, size=(1024, 700))


def test_what_a_block_was_shown_in_front_of_comes_back(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def test(window: MainWindow) -> None:
        docks = window.work.grid.docks

        def fronts() -> list[str]:
            panes = (docks["middle-left"].pane, docks["bottom-right"].pane)
            return [pane.TITLE for pane in panes if pane is not None]

        await _run(window)
        before = fronts()
        assert before == ["Chunks", "Rules"]
        blocked = Path(str(files("examples", "secret-in-prompt.tripscope.json")))
        window.documents.open_session(blocked)
        await finished(window, lambda: window.context.actions.trigger("run.start"))
        assert fronts() == ["Hooks", "Tripwire"]
        caret = window.work.grid.pane("Text")
        assert isinstance(caret, TextPane)
        await until(lambda: caret.caret_bar.numbers != (NONE, NONE, NONE))
        await window.documents.new()
        assert fronts() == before
        assert caret.caret_bar.numbers == (NONE, NONE, NONE)
        # a tab that was chosen meanwhile stays
        window.context.session.undo_stack.setClean()
        window.documents.open_session(blocked)
        await finished(window, lambda: window.context.actions.trigger("run.start"))
        window.context.show_pane("Chain")
        await _run(window)
        assert fronts() == ["Chunks", "Chain"]

    live(qapp, theme, test, size=SIZE)
