"""What a person expects of any desktop program, done in the whole window."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.support.window import finished, live, session_wire, until, write_session
from tripscope.session import session_from_wire
from tripscope_gui import menus
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes import Pane
from tripscope_gui.settings import Settings
from tripscope_gui.theme import Mode, Theme
from tripscope_gui.widgets.empty_state import EmptyState


def test_the_question_mark_shows_all_keys_and_escape_takes_them_away(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path))
        window.activateWindow()
        await until(window.isActiveWindow)
        window.pages.setFocus()
        QTest.keyClick(window, Qt.Key.Key_Question)
        assert window.keys_overlay.isVisible()
        QTest.keyClick(window.keys_overlay, Qt.Key.Key_Escape)
        assert not window.keys_overlay.isVisible()

    live(qapp, theme, drive)


def test_recent_files_open_from_the_menu(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    paths = [write_session(tmp_path, name) for name in ("one", "two")]

    async def drive(window: MainWindow) -> None:
        for path in paths:
            assert await window.documents.open(path)
        menu = QMenu(window)
        menus.fill_recent(menu, window.context, window._open_path)
        named = [action for action in menu.actions() if "one" in action.text()]
        named[0].trigger()
        await until(lambda: window.context.session.path == paths[0])
        assert window.context.settings.recent == paths

    live(qapp, theme, drive)


@pytest.mark.parametrize("mode", ["light", "dark", "system"])
def test_a_theme_is_chosen_by_command_and_kept(
    qapp: QApplication, theme: Theme, mode: Mode
) -> None:
    settings = Settings.in_memory()

    async def drive(window: MainWindow) -> None:
        command = window.context.actions.get(f"view.theme.{mode}")
        assert window.context.actions.trigger(command.id)
        assert window.context.theme.mode == mode
        assert command.checked is not None
        assert command.checked()

    live(qapp, theme, drive, settings=settings)
    assert settings.theme == mode


def test_each_empty_pane_says_what_it_waits_for(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    path = write_session(tmp_path, chain=[])

    async def drive(window: MainWindow) -> None:
        window.documents.open_session(path)
        silent: list[str] = []
        seen = 0
        for pane in window.work.grid.panes:
            window.context.show_pane(pane.TITLE)
            for state in pane.findChildren(EmptyState):
                if not state.isVisible():
                    continue
                seen += 1
                told = state.accessibleName()
                # a title alone says what is missing, and not what brings it
                asks = told.startswith("Select ") or any(b.isVisible() for b in state.buttons)
                if ". " not in told and not asks:
                    silent.append(f"{pane.TITLE}: {told}")
        assert silent == []
        assert seen > 8

    live(qapp, theme, drive)


def test_each_replay_and_each_live_run_stands_beside_those_before(
    qapp: QApplication, theme: Theme
) -> None:
    async def drive(window: MainWindow) -> None:
        window.context.session.take(session_from_wire(session_wire()))
        runs = window.context.runs
        first = await finished(window, runs.start)
        events = list(first.store.events)
        second = await finished(window, runs.replay)
        third = await finished(window, runs.start)
        workspace = window.context.workspace
        assert workspace.runs == [first, second, third]
        assert [run.parent for run in workspace.runs][:2] == [None, 1]
        assert list(first.store.events) == events
        assert third.mode == first.mode != second.mode

    live(qapp, theme, drive)


def test_messages_are_listed_by_their_source(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        wire = session_wire(instructions="Be brief.")
        window.context.session.take(session_from_wire(wire))
        run = await finished(window, window.context.runs.start)
        window.context.show_pane("Messages")
        window.context.selection.select(seq=run.store.messages[-1].seq)
        pane = window.work.grid.pane("Messages")
        assert isinstance(pane, Pane)
        model = pane.table.model()  # type: ignore[attr-defined]
        titles = [
            model.headerData(n, Qt.Orientation.Horizontal) for n in range(model.columnCount())
        ]
        column = titles.index("source")
        sources = {model.index(row, column).data() for row in range(model.rowCount())}
        assert {"system", "input", "response"} <= sources

    live(qapp, theme, drive)


def test_the_numbers_after_a_replay_lead_to_what_they_count(
    qapp: QApplication, theme: Theme
) -> None:
    now = {"name": "now", "pattern": "now", "replacement": "[NOW]"}
    chain = [
        {
            "id": "pii",
            "type": "regex-filter",
            "options": {"strategy": "redact", "streamCarryoverSize": 24},
            "rules": [now],
        }
    ]

    async def drive(window: MainWindow) -> None:
        access = window.context.session
        access.take(session_from_wire(session_wire()))
        await finished(window, window.context.runs.start)
        access.edit("rules", session_from_wire(session_wire(chain=chain)))
        run = await finished(window, window.context.runs.replay)
        strip = window.work.changes
        await until(strip.isVisible)
        facts = {button.fact.words: button for button in strip.buttons}
        assert {"finding", "output changed"} <= set(facts)
        added = next(b for b in strip.buttons if b.fact.number.startswith("+") and
                     b.fact.words.startswith("finding"))  # fmt: skip
        added.click()
        assert window.context.run is run
        assert window.context.selection.current.rule == "now"
        facts["output changed"].click()
        await until(lambda: window.work.comparing)
        texts = window.work.compare_area.grid.pane("Text that left")
        assert texts is not None
        assert texts.isVisible()

    live(qapp, theme, drive)
