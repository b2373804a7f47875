"""The band of a tripwire."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.look.pictures import colors
from tests.gui.look.windows import shown
from tripscope_gui.icons import Icon
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK
from tripscope_gui.widgets.block_band import BlockBand

LEFT = Qt.MouseButton.LeftButton


def test_block_band_tells_and_offers(theme: Theme, qtbot: QtBot) -> None:
    band = BlockBand(theme, [(Icon.SEARCH, "Show the match"), (None, "Open rule")])
    shown(band, qtbot)
    band.resize(800, band.height())
    band.set_block("blocked", "Blocked by secrets in processInput", "Rule aws-key matched once.")
    seen = colors(band.grab().toImage())
    assert {DARK.tint_red.name(), DARK.outcome("blocked").name()} <= seen
    with qtbot.waitSignal(band.button_clicked) as caught:
        qtbot.mouseClick(band.buttons[1], LEFT)
    assert caught.args == [1]
    assert band.accessibleName().startswith("blocked: Blocked by secrets")
    with pytest.raises(KeyError):
        band.set_block("not-run", "")
    assert band.outcome == "blocked"
