"""Results of checks, as shown."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.look.pictures import colors
from tests.gui.look.windows import shown
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK
from tripscope_gui.widgets.check_item import CheckItem, CheckState

LEFT = Qt.MouseButton.LeftButton


@pytest.mark.parametrize("state", CheckState)
def test_only_a_pass_is_green_and_only_a_failure_boxed(
    state: CheckState, theme: Theme, qtbot: QtBot
) -> None:
    item = CheckItem(theme, "Joined = whole")
    shown(item, qtbot)
    item.set_state(state, "166 = 166 units")
    item.resize(item.sizeHint())
    seen = colors(item.grab().toImage())
    assert (DARK.outcome("pass").name() in seen) == (state is CheckState.PASS)
    assert (DARK.tint_red.name() in seen) == (state is CheckState.FAIL)
    assert item.accessibleName() == f"Joined = whole: {state} 166 = 166 units"
    assert (item.state, item.detail) == (state, "166 = 166 units")


def test_failing_check_leads_to_its_place(theme: Theme, qtbot: QtBot) -> None:
    item = CheckItem(theme, "Nothing left before decided")
    shown(item, qtbot)
    assert item.link_button.isHidden()
    item.set_state(CheckState.FAIL, "deploy-key, 22 units", "at chunk 7")
    with qtbot.waitSignal(item.link_activated):
        qtbot.mouseClick(item.link_button, LEFT)
    with qtbot.waitSignal(item.link_activated):
        qtbot.keyClick(item.link_button, Qt.Key.Key_Space)
