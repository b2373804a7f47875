"""Empty panes."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.empty_state import EmptyState

LEFT = Qt.MouseButton.LeftButton


def test_empty_state_offers_at_most_two_things(theme: Theme, qtbot: QtBot) -> None:
    empty = EmptyState(theme, "No rule yet", "They run on text.", ("Add a rule", "Paste"))
    shown(empty, qtbot)
    with qtbot.waitSignal(empty.button_clicked) as caught:
        qtbot.mouseClick(empty.buttons[1], LEFT)
    assert caught.args == [1]
    assert empty.accessibleName() == "No rule yet. They run on text."
    with pytest.raises(ValueError, match="at most two"):
        EmptyState(theme, "x", "", ("a", "b", "c"))
