"""Strips that warn."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.notice import Notice, Severity

LEFT = Qt.MouseButton.LeftButton


@pytest.mark.parametrize("severity", Severity)
def test_notice_offers_one_thing(severity: Severity, theme: Theme, qtbot: QtBot) -> None:
    notice = Notice(theme, severity, "Shortest match 152", "its start can leave", "set window")
    shown(notice, qtbot)
    notice.resize(500, notice.sizeHint().height())
    with qtbot.waitSignal(notice.link_activated):
        qtbot.mouseClick(notice.link_button, LEFT)
    notice.set_notice(severity, "<b>Position</b> 50")
    assert notice.link_button.isHidden()
    assert "<b>Position</b> 50" in notice.accessibleName()
