"""The path of the selection."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.breadcrumb import Breadcrumb

LEFT = Qt.MouseButton.LeftButton
PATH = ["Run 7 live", "step 1", "attempt 2", "processOutputStream", "chunk 12", "finding email"]


def test_breadcrumb_segments_are_pressed(theme: Theme, qtbot: QtBot) -> None:
    crumb = Breadcrumb(theme)
    crumb.set_segments(PATH)
    crumb.resize(900, crumb.height())
    shown(crumb, qtbot)
    assert crumb.visible_positions() == [0, 1, 2, 3, 4, 5]
    buttons = [b for b in crumb.findChildren(QPushButton) if b.isVisible()]
    assert [b.accessibleName() for b in buttons] == PATH
    with qtbot.waitSignal(crumb.clicked) as caught:
        qtbot.mouseClick(buttons[2], LEFT)
    assert caught.args == [2]
    assert [b.isChecked() for b in buttons] == [False] * 5 + [True]
    with qtbot.waitSignal(crumb.clicked) as caught:
        qtbot.keyClick(buttons[5], Qt.Key.Key_Space)
    assert caught.args == [5]


def test_breadcrumb_leaves_out_the_middle(theme: Theme, qtbot: QtBot) -> None:
    crumb = Breadcrumb(theme)
    crumb.set_segments(PATH)
    shown(crumb, qtbot)
    crumb.resize(330, crumb.height())
    seen = crumb.visible_positions()
    assert seen[0] == 0
    assert seen[-1] == 5
    assert 2 <= len(seen) < 6
    buttons = [b for b in crumb.findChildren(QPushButton) if not b.isHidden()]
    assert max(b.geometry().right() for b in buttons) <= 330
    crumb.resize(900, crumb.height())
    assert len(crumb.visible_positions()) == 6


def test_breadcrumb_gets_shorter_and_longer(theme: Theme, qtbot: QtBot) -> None:
    crumb = Breadcrumb(theme)
    crumb.resize(900, crumb.height())
    shown(crumb, qtbot)
    crumb.set_segments(PATH)
    crumb.set_segments(["Run <b>8</b>"])
    assert crumb.visible_positions() == [0]
    assert crumb.segments == ("Run <b>8</b>",)
    crumb.set_segments([])
    assert crumb.visible_positions() == []
