"""Combo boxes whose words are cut only where there is no room for them."""

import pytest
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.elided_combo import ElidedCombo


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize(
    "words", ["pii", "contact-filter", "secrets \N{MIDDLE DOT} redact", "WWWW"]
)
def test_words_are_whole_at_the_width_that_they_ask_for(
    theme: Theme, qtbot: QtBot, words: str, small: bool
) -> None:
    bar = QWidget()
    bar.resize(300, 40)
    combo = ElidedCombo(bar)
    combo.setProperty("small", small)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    combo.addItem(words)
    shown(bar, qtbot)
    combo.resize(combo.sizeHint())
    assert combo.cut_text() == words
    combo.resize(combo.sizeHint().width() - 4, combo.height())
    assert combo.cut_text() in {"", *(words[:n] + "\N{HORIZONTAL ELLIPSIS}" for n in range(20))}
