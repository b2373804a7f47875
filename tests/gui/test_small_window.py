"""The window at its usual smallest size: docks keep their shares, the status bar says something."""

from pathlib import Path

from PySide6.QtWidgets import QApplication

from tests.support.window import finished, live
from tripscope_gui.main_window import MainWindow
from tripscope_gui.shot import settle
from tripscope_gui.theme import Theme
from tripscope_resources import files

SIZE = (1280, 800)


async def _run(window: MainWindow) -> None:
    window.context.runs.real_time = False
    path = Path(str(files("examples", "support-agent.tripscope.json")))
    window.documents.open_session(path)
    await finished(window, lambda: window.context.actions.trigger("run.start"))
    await settle()


def test_panes_in_front_do_not_push_the_docks(qapp: QApplication, theme: Theme) -> None:
    async def test(window: MainWindow) -> None:
        await _run(window)
        docks = window.work.grid.docks
        for title in ("State", "Tripwire", "Chain", "Tests", "Rules", "Event", "Text"):
            window.context.show_pane(title)
            await settle()
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
        await settle()
        outcome = window.run_bar.outcome
        right = outcome.mapTo(window, outcome.rect().bottomRight()).x()
        assert right < window.width()
        assert outcome.width() >= outcome.sizeHint().width()

    live(qapp, theme, test, size=SIZE)


def test_all_of_the_start_page_is_in_view(qapp: QApplication, theme: Theme) -> None:
    async def test(window: MainWindow) -> None:
        await settle()
        assert window.start_page.verticalScrollBar().maximum() == 0

    live(qapp, theme, test, size=SIZE)


def test_a_sentence_of_the_status_bar_has_it_to_itself(qapp: QApplication, theme: Theme) -> None:
    async def test(window: MainWindow) -> None:
        labels = [window.status._run, window.status._hint]
        for ready in (settle, lambda: _run(window)):
            await ready()
            window.context.say("something was done")
            window.status.refresh()
            in_view = [label for label in (*labels, window.status._shelf) if label.isVisible()]
            assert in_view == []
            window.status.clearMessage()
            assert any(label.isVisible() for label in (*labels, window.status._shelf))

    live(qapp, theme, test, size=SIZE)
