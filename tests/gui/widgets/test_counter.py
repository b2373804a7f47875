"""Numbers of the run bar."""

from pytestqt.qtbot import QtBot

from tripscope_gui.theme import Theme
from tripscope_gui.widgets.counter import Counter


def test_counter_never_gets_narrower(theme: Theme, qtbot: QtBot) -> None:
    counter = Counter("tokens in")
    qtbot.addWidget(counter)
    counter.set_value("1,284,000,000,000")
    wide = counter.sizeHint().width()
    counter.set_value("1")
    assert counter.sizeHint().width() == wide
    assert (counter.value, counter.accessibleName()) == ("1", "tokens in 1")
