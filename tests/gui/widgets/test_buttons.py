"""Push buttons of all kinds."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.look.pictures import colors
from tests.gui.look.windows import shown
from tripscope_gui.icons import Icon
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK, Height
from tripscope_gui.widgets.buttons import Button, IconButton, Kind


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("small", [False, True])
def test_button_heights_and_names(kind: Kind, small: bool, theme: Theme, qtbot: QtBot) -> None:
    button = Button(theme, "Save & run", Icon.SAVE, kind=kind, small=small)
    qtbot.addWidget(button)
    assert button.accessibleName() == "Save & run"
    assert button.text() == "Save && run"
    if kind is not Kind.LINK:
        assert button.sizeHint().height() == (Height.SMALL_BUTTON if small else Height.BUTTON)
    filled = DARK.accent_fill.name() in colors(button.grab().toImage())
    assert filled == (kind is Kind.PRIMARY)


def test_buttons_take_the_space_key(theme: Theme, qtbot: QtBot) -> None:
    button = Button(theme, "Run live", Icon.PLAY)
    shown(button, qtbot)
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, Qt.Key.Key_Space)


def test_icon_button_is_named_and_reached_by_tab(theme: Theme, qtbot: QtBot) -> None:
    button = IconButton(theme, Icon.MORE, "more")
    qtbot.addWidget(button)
    assert button.accessibleName() == button.toolTip() == "more"
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
