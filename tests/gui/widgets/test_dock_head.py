"""Heads of docks: tabs and counts."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.dock_head import DockHead

LEFT = Qt.MouseButton.LeftButton


def test_dock_head_tabs_by_mouse_and_keys(theme: Theme, qtbot: QtBot) -> None:
    head = DockHead(theme, "Findings")
    for title in ("Findings", "Advisories", "Runs"):
        head.add_tab(title)
    head.resize(500, head.height())
    shown(head, qtbot)
    with qtbot.waitSignal(head.current_changed) as caught:
        qtbot.mouseClick(head.tabs, LEFT, pos=head.tabs.tabRect(1).center())
    assert caught.args == [1]
    with qtbot.waitSignal(head.current_changed) as caught:
        qtbot.keyClick(head.tabs, Qt.Key.Key_Right)
    assert caught.args == [2]


def test_counts_widen_their_tab_and_are_read_aloud(theme: Theme, qtbot: QtBot) -> None:
    head = DockHead(theme, "Findings")
    head.add_tab("Findings")
    head.add_tab("Runs")
    head.resize(500, head.height())
    shown(head, qtbot)
    before = head.tabs.tabRect(1).left()
    head.set_count(0, "1,284")
    assert head.tabs.accessibleTabName(0) == "Findings 1,284"
    assert head.tabs.tabRect(1).left() > before + 20
    head.set_count(0, "")
    assert head.tabs.tabRect(1).left() == before
