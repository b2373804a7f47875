"""Controls work with mouse and keys, and say what they are."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QMainWindow, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.look.pictures import colors
from tripscope_gui.icons import Icon
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK, Height
from tripscope_gui.widgets.block_band import BlockBand
from tripscope_gui.widgets.breadcrumb import Breadcrumb
from tripscope_gui.widgets.buttons import Button, IconButton, Kind
from tripscope_gui.widgets.check_item import CheckItem, CheckState
from tripscope_gui.widgets.chip import Chip
from tripscope_gui.widgets.counter import Counter
from tripscope_gui.widgets.dock import Dock
from tripscope_gui.widgets.dock_head import DockHead
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.keycap import KeyCap
from tripscope_gui.widgets.notice import Notice, Severity
from tripscope_gui.widgets.segmented import SegmentedControl

# said by the offscreen platform about any window with a least size
pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints")

LEFT = Qt.MouseButton.LeftButton
UNITS = [("utf16", "UTF-16"), ("points", "code points"), ("utf8", "UTF-8")]
PATH = ["Run 7 live", "step 1", "attempt 2", "processOutputStream", "chunk 12", "finding email"]


def shown(widget: QWidget, qtbot: QtBot) -> None:
    qtbot.addWidget(widget)
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()


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
    edges = (DARK.line2, DARK.accent)
    lines = [x for x in range(seam - 2, seam + 2) if image.pixelColor(x, 4) in edges]
    assert len(lines) == 1


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


@pytest.mark.parametrize("state", CheckState)
def test_only_a_pass_is_green_and_only_a_failure_boxed(
    state: CheckState, theme: Theme, qtbot: QtBot
) -> None:
    item = CheckItem(theme, "Joined = whole")
    shown(item, qtbot)
    item.set_state(state, "166 = 166 units")
    item.resize(item.sizeHint())
    seen = colors(item.grab().toImage())
    assert (DARK.outcome("pass").name() in seen) == (state is CheckState.PASS)
    assert (DARK.tint_red.name() in seen) == (state is CheckState.FAIL)
    assert item.accessibleName() == f"Joined = whole: {state} 166 = 166 units"
    assert (item.state, item.detail) == (state, "166 = 166 units")


def test_failing_check_leads_to_its_place(theme: Theme, qtbot: QtBot) -> None:
    item = CheckItem(theme, "Nothing left before decided")
    shown(item, qtbot)
    assert item.link_button.isHidden()
    item.set_state(CheckState.FAIL, "deploy-key, 22 units", "at chunk 7")
    with qtbot.waitSignal(item.link_activated):
        qtbot.mouseClick(item.link_button, LEFT)
    with qtbot.waitSignal(item.link_activated):
        qtbot.keyClick(item.link_button, Qt.Key.Key_Space)


def test_counter_never_gets_narrower(theme: Theme, qtbot: QtBot) -> None:
    counter = Counter("tokens in")
    qtbot.addWidget(counter)
    counter.set_value("1,284,000,000,000")
    wide = counter.sizeHint().width()
    counter.set_value("1")
    assert counter.sizeHint().width() == wide
    assert (counter.value, counter.accessibleName()) == ("1", "tokens in 1")


@pytest.mark.parametrize("severity", Severity)
def test_notice_offers_one_thing(severity: Severity, theme: Theme, qtbot: QtBot) -> None:
    notice = Notice(theme, severity, "Shortest match 152", "its start can leave", "set window")
    shown(notice, qtbot)
    notice.resize(500, notice.sizeHint().height())
    with qtbot.waitSignal(notice.link_activated):
        qtbot.mouseClick(notice.link_button, LEFT)
    notice.set_notice(severity, "<b>Position</b> 50")
    assert notice.link_button.isHidden()
    assert "<b>Position</b> 50" in notice.accessibleName()


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


def test_empty_state_offers_at_most_two_things(theme: Theme, qtbot: QtBot) -> None:
    empty = EmptyState(theme, "No rule yet", "They run on text.", ("Add a rule", "Paste"))
    shown(empty, qtbot)
    with qtbot.waitSignal(empty.button_clicked) as caught:
        qtbot.mouseClick(empty.buttons[1], LEFT)
    assert caught.args == [1]
    assert empty.accessibleName() == "No rule yet. They run on text."
    with pytest.raises(ValueError, match="at most two"):
        EmptyState(theme, "x", "", ("a", "b", "c"))


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


def test_keycap_fits_its_text(theme: Theme, qtbot: QtBot) -> None:
    short, long = KeyCap(theme, "?"), KeyCap(theme, "Ctrl+Shift+P")
    for cap in (short, long):
        qtbot.addWidget(cap)
    assert long.sizeHint().width() > short.sizeHint().width()
    assert long.accessibleName() == "Ctrl+Shift+P"


def test_dock_head_tabs_by_mouse_and_keys(theme: Theme, qtbot: QtBot) -> None:
    head = DockHead(theme, "Findings")
    for title in ("Findings", "Advisories", "Runs"):
        head.add_tab(title)
    head.resize(500, head.height())
    shown(head, qtbot)
    with qtbot.waitSignal(head.current_changed) as caught:
        qtbot.mouseClick(head.tabs, LEFT, pos=head.tabs.tabRect(1).center())
    assert caught.args == [1]
    with qtbot.waitSignal(head.current_changed) as caught:
        qtbot.keyClick(head.tabs, Qt.Key.Key_Right)
    assert caught.args == [2]


def test_counts_widen_their_tab_and_are_read_aloud(theme: Theme, qtbot: QtBot) -> None:
    head = DockHead(theme, "Findings")
    head.add_tab("Findings")
    head.add_tab("Runs")
    head.resize(500, head.height())
    shown(head, qtbot)
    before = head.tabs.tabRect(1).left()
    head.set_count(0, "1,284")
    assert head.tabs.accessibleTabName(0) == "Findings 1,284"
    assert head.tabs.tabRect(1).left() > before + 20
    head.set_count(0, "")
    assert head.tabs.tabRect(1).left() == before


def test_dock_shows_pages_and_where_the_focus_is(theme: Theme, qtbot: QtBot) -> None:
    window = QMainWindow()
    other = QLineEdit()
    window.setCentralWidget(other)
    dock = Dock(theme, "findings", "Findings")
    first, second = QLineEdit(), QWidget()
    inner = QVBoxLayout(second)
    field = QLineEdit()
    inner.addWidget(field)
    dock.add_page("Findings", first)
    dock.add_page("Runs", second, "7")
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.resize(600, 300)
    shown(window, qtbot)
    other.setFocus()
    assert DARK.accent.name() not in edge_colors(dock)
    dock.show_page(1)
    assert (dock.current, dock.page(1)) == (1, second)
    field.setFocus()
    assert edge_colors(dock) == {DARK.accent.name()}


def edge_colors(dock: Dock) -> set[str]:
    image = dock.grab().toImage()
    return {image.pixelColor(QPoint(0, y)).name() for y in (10, image.height() - 10)} | {
        image.pixelColor(QPoint(image.width() // 2, image.height() - 1)).name()
    }
