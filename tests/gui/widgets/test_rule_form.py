"""Flags and colours of a rule by mouse and by key; a form tells of every edit."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown as show
from tripscope.session.model import SessionRule
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.flag_row import FLAGS, FlagRow
from tripscope_gui.widgets.rule_form import RuleForm
from tripscope_gui.widgets.swatch_row import SwatchRow


def test_flags_come_in_the_order_of_javascript(qtbot: QtBot) -> None:
    row = FlagRow()
    show(row, qtbot)
    assert "".join(row.buttons) == "".join(FLAGS) == "dgimsuvy"
    seen: list[str] = []
    row.changed.connect(seen.append)
    row.set_flags("ig")
    assert seen == []
    row.buttons["y"].setFocus()
    QTest.keyClick(row.buttons["y"], Qt.Key.Key_Space)
    row.buttons["u"].click()
    row.buttons["v"].click()
    assert seen == ["giy", "giuy", "givy"]


def test_a_colour_is_picked_by_mouse_or_key(qtbot: QtBot, theme: Theme) -> None:
    row = SwatchRow(theme)
    show(row, qtbot)
    seen: list[int] = []
    row.picked.connect(seen.append)
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(22 * 5 + 8, 10))
    QTest.keyClick(row, Qt.Key.Key_Right)
    QTest.keyClick(row, Qt.Key.Key_Right)
    QTest.keyClick(row, Qt.Key.Key_Right)
    assert seen == [5, 6, 7, 0]
    assert "sky" in row.accessibleName()


def test_what_no_editor_holds_is_shown_as_its_escape(qtbot: QtBot, theme: Theme) -> None:
    form = RuleForm(theme, roomy=True)
    show(form, qtbot)
    typed: list[tuple[str, str]] = []
    form.pattern_typed.connect(lambda pattern, flags: typed.append((pattern, flags)))
    rule = SessionRule(name="r", pattern="\ud83d\n\u2028x", flags="g")
    form.show_rule(rule, 0, editable=True, pattern=rule.pattern, flags=rule.flags)
    assert form.pattern.toPlainText() == r"\ud83d\n\u2028x"
    assert typed == []
    QTest.keyClick(form.pattern, Qt.Key.Key_End)
    QTest.keyClicks(form.pattern, "y")
    assert typed == [(r"\ud83d\n\u2028xy", "g")]
