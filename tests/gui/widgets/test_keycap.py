"""Key caps."""

from pytestqt.qtbot import QtBot

from tripscope_gui.theme import Theme
from tripscope_gui.widgets.keycap import KeyCap


def test_keycap_fits_its_text(theme: Theme, qtbot: QtBot) -> None:
    short, long = KeyCap(theme, "?"), KeyCap(theme, "Ctrl+Shift+P")
    for cap in (short, long):
        qtbot.addWidget(cap)
    assert long.sizeHint().width() > short.sizeHint().width()
    assert long.accessibleName() == "Ctrl+Shift+P"
