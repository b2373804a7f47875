"""Filter chips."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.chip import Chip


def test_chip_toggles_and_tells_its_negation(theme: Theme, qtbot: QtBot) -> None:
    chip = Chip("type:finish", negated=True)
    shown(chip, qtbot)
    assert chip.accessibleName() == "not type:finish"
    assert chip.font().strikeOut()
    with qtbot.waitSignal(chip.toggled):
        qtbot.keyClick(chip, Qt.Key.Key_Space)
    assert chip.isChecked()
    chip.set_negated(False)
    assert (chip.accessibleName(), chip.negated) == ("type:finish", False)
    assert not chip.font().strikeOut()


def test_chip_shows_text_of_users_as_it_is(theme: Theme, qtbot: QtBot) -> None:
    chip = Chip("a&b\n\ud83d")
    qtbot.addWidget(chip)
    assert chip.text() == "a&&b\u240a\ufffd"
    assert chip.words == "a&b\n\ud83d"
