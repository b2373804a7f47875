import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.support.window import live, until
from tripscope_gui.actions import MENUS
from tripscope_gui.main_window import MainWindow
from tripscope_gui.overlays import match
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.labels import PlainLabel


@pytest.mark.parametrize(
    ("typed", "better", "worse"),
    [
        ("op", "Open", "Stop"),
        ("rep", "Replay", "Reset the docks, please"),
        ("sa", "Save", "Show all"),
    ],
)
def test_nearer_letters_rank_better(typed: str, better: str, worse: str) -> None:
    best, other = match(typed, better), match(typed, worse)
    assert best is not None
    assert other is not None
    assert best < other
    assert match(typed, "xyz") is None


def test_a_command_is_found_and_run_by_keys(qapp: QApplication, theme: Theme, qtbot: QtBot) -> None:
    async def drive(window: MainWindow) -> None:
        window.context.actions.trigger("view.palette")
        palette = window.palette_overlay
        assert palette.isVisible()
        qtbot.keyClicks(palette.field, "offutf8")
        first = palette.model.row(0)
        assert first is not None
        assert first.id == "view.unit.UTF-8"
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
        assert not palette.isVisible()
        assert window.context.unit == "UTF-8"

    live(qapp, theme, drive)


def test_only_what_can_be_used_is_offered(qapp: QApplication, theme: Theme, qtbot: QtBot) -> None:
    async def drive(window: MainWindow) -> None:
        assert window.work.grid.panes, "they bring commands of their own"
        window.open_palette()
        palette = window.palette_overlay
        ids = {palette.model.row(n).id for n in range(palette.model.rowCount())}  # type: ignore[union-attr]
        assert "file.open" in ids
        assert "run.stop" not in ids
        assert not [one for one in ids if one.startswith(("chunks.", "text."))], "no run is open"
        qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
        assert not palette.isVisible()

    live(qapp, theme, drive)


def test_commands_come_in_the_order_of_the_menus_and_none_is_told(
    qapp: QApplication, theme: Theme, qtbot: QtBot
) -> None:
    async def drive(window: MainWindow) -> None:
        window.open_palette()
        palette = window.palette_overlay
        menus = [palette.model.row(n).menu for n in range(palette.model.rowCount())]  # type: ignore[union-attr]
        assert menus == sorted(menus, key=MENUS.index)
        assert palette.nothing.isHidden()
        qtbot.keyClicks(palette.field, "qqqq")
        assert palette.model.rowCount() == 0
        assert not palette.nothing.isHidden()
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)

    live(qapp, theme, drive)


def test_all_keys_are_listed(qapp: QApplication, theme: Theme, qtbot: QtBot) -> None:
    async def drive(window: MainWindow) -> None:
        window.context.actions.trigger("help.keys")
        overlay = window.keys_overlay
        assert overlay.isVisible()
        words = {label.text() for label in overlay.findChildren(PlainLabel)}
        keyed = {command.title for command in window.context.actions if command.keys}
        assert keyed <= words
        qtbot.keyClick(overlay, Qt.Key.Key_Escape)
        assert not overlay.isVisible()

    live(qapp, theme, drive)


def test_a_click_elsewhere_closes_the_palette(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        window.activateWindow()
        await until(window.isActiveWindow)
        window.open_palette()
        await until(window.palette_overlay.field.hasFocus)
        window.start_page.choose.setFocus()
        assert not window.palette_overlay.isVisible()

    live(qapp, theme, drive)
