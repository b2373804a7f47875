"""An outcome with its word."""

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from tests.gui.look.pictures import colors
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK, LIGHT, OUTCOMES
from tripscope_gui.widgets.badge import Badge


def test_unknown_outcome_is_an_error(theme: Theme, qtbot: QtBot) -> None:
    widget = Badge(theme)
    qtbot.addWidget(widget)
    with pytest.raises(KeyError):
        widget.set_outcome("ok")


def test_badge_widget_names_itself_and_repaints(theme: Theme, qtbot: QtBot) -> None:
    widget = Badge(theme, "changed", "passed with changes")
    qtbot.addWidget(widget)
    widget.resize(widget.sizeHint())
    assert widget.accessibleName() == "passed with changes"
    assert widget.toolTip() == OUTCOMES["changed"].meaning
    dark = colors(widget.grab().toImage())
    theme.set_mode("light")
    light = colors(widget.grab().toImage())
    assert QColor(DARK.outcome("changed")).name() in dark - light
    assert QColor(LIGHT.outcome("changed")).name() in light - dark


def test_badge_label_falls_back_to_the_outcome(theme: Theme, qtbot: QtBot) -> None:
    widget = Badge(theme, "timed-out")
    qtbot.addWidget(widget)
    assert (widget.label, widget.outcome) == ("timed-out", "timed-out")
    widget.set_outcome("pass", "")
    assert widget.label == ""
    assert widget.accessibleName() == "pass"
    narrow = widget.sizeHint().width()
    widget.set_outcome(None, "running")
    assert widget.outcome is None
    assert widget.sizeHint().width() > narrow
