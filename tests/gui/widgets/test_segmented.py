"""Joined choices by mouse and keys."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK
from tripscope_gui.widgets.segmented import SegmentedControl

LEFT = Qt.MouseButton.LeftButton
UNITS = [("utf16", "UTF-16"), ("points", "code points"), ("utf8", "UTF-8")]


def test_segments_by_mouse(theme: Theme, qtbot: QtBot) -> None:
    control = SegmentedControl(UNITS, "spans in")
    shown(control, qtbot)
    assert control.current == "utf16"
    with qtbot.waitSignal(control.selected) as caught:
        qtbot.mouseClick(control.button("utf8"), LEFT)
    assert caught.args == ["utf8"]
    with qtbot.assertNotEmitted(control.selected):
        qtbot.mouseClick(control.button("utf8"), LEFT)
    assert control.current == "utf8"


def test_segments_by_arrow_keys(theme: Theme, qtbot: QtBot) -> None:
    control = SegmentedControl(UNITS, "spans in", "points")
    shown(control, qtbot)
    button = control.button("points")
    button.setFocus()
    with qtbot.waitSignal(control.selected) as caught:
        qtbot.keyClick(button, Qt.Key.Key_Right)
    assert caught.args == ["utf8"]
    assert control.button("utf8").accessibleName() == "spans in: UTF-8"


def test_segments_refuse_unknown_keys(theme: Theme, qtbot: QtBot) -> None:
    control = SegmentedControl(UNITS, "spans in")
    qtbot.addWidget(control)
    with pytest.raises(KeyError):
        control.set_current("bytes")
    control.set_current("points")
    assert control.current == "points"


def test_segments_touch_without_a_double_line(theme: Theme, qtbot: QtBot) -> None:
    control = SegmentedControl(UNITS, "spans in")
    shown(control, qtbot)
    image = control.grab().toImage()
    seam = control.button("points").x()
    edges = (DARK.line2, DARK.accent, DARK.t1)  # the last where the keyboard is
    lines = [x for x in range(seam - 2, seam + 2) if image.pixelColor(x, 4) in edges]
    assert len(lines) == 1
