"""Render the whole look kit in both themes: ``python tests/gui/look/gallery.py OUT_FOLDER``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMainWindow,
    QRadioButton,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from tripscope_gui.delegates.badges import draw_badge
from tripscope_gui.delegates.marks import (
    blocked_edge,
    changed_edge,
    held_hatch,
    held_width,
    leak_edge,
    lineage_link,
    not_run_hatch,
    released_edge,
    unscanned_frame,
)
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.delegates.rules import boxed_run, draw_swatch, rule_tint_run
from tripscope_gui.fonts import mono_font
from tripscope_gui.icons import Icon, draw_icon
from tripscope_gui.theme import Theme, apply
from tripscope_gui.tokens import OUTCOMES, RULE_NAMES
from tripscope_gui.widgets.badge import Badge
from tripscope_gui.widgets.block_band import BlockBand
from tripscope_gui.widgets.breadcrumb import Breadcrumb
from tripscope_gui.widgets.buttons import Button, IconButton, Kind
from tripscope_gui.widgets.check_item import CheckItem, CheckState
from tripscope_gui.widgets.chip import Chip
from tripscope_gui.widgets.counter import Counter
from tripscope_gui.widgets.dock import Dock
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.keycap import KeyCap
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel
from tripscope_gui.widgets.notice import Notice, Severity
from tripscope_gui.widgets.segmented import SegmentedControl
from tripscope_gui.widgets.tables import TableView


class Marks(QWidget):
    """Every paint helper once."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(760, 300)

    def paintEvent(self, _event: QPaintEvent) -> None:
        palette = self._theme.palette
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), palette.pane)
            x = 10.0
            for outcome in OUTCOMES:
                draw_badge(painter, QRectF(x, 10, 34, 34), outcome, palette)
                draw_badge(painter, QRectF(x + 40, 18, 15, 15), outcome, palette)
                draw_badge(painter, QRectF(x + 62, 20, 11, 11), outcome, palette)
                x += 92
            for n, name in enumerate(RULE_NAMES):
                left = 10.0 + n * 92
                draw_swatch(painter, QRectF(left, 60, 12, 12), n, palette)
                draw_swatch(painter, QRectF(left + 20, 56, 20, 20), n, palette)
                rule_tint_run(painter, QRectF(left, 84, 76, 17), n, palette)
                painter.setFont(mono_font(12.5))
                painter.setPen(palette.t1)
                painter.drawText(QPointF(left + 2, 97), name)
                boxed_run(painter, QRectF(left, 108, 84, 16), n, palette, f"[{name.upper()}]")
            self._cells(painter)
            x = 10.0
            for icon in Icon:
                draw_icon(painter, QRectF(x % 740, 232 + 22 * (x // 740), 16, 16), icon, palette.t1)
                x += 24

    def _cells(self, painter: QPainter) -> None:
        palette = self._theme.palette
        painter.setFont(mono_font(11))

        def text(box: QRectF, words: str) -> None:
            painter.setPen(palette.t1)
            painter.setFont(mono_font(11))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), words)

        held_hatch(painter, QRectF(10, 136, 150, 17), palette, "held 120")
        box = released_edge(painter, QRectF(180, 136, 150, 17), palette)
        text(box, "re is Ann's")
        held_hatch(painter, QRectF(330, 136, held_width("held 24"), 17), palette, "held 24")
        text(released_edge(painter, QRectF(420, 136, 150, 17), palette, flush=True), "-END")
        not_run_hatch(painter, QRectF(600, 136, 150, 60), palette)
        text(changed_edge(painter, QRectF(10, 160, 150, 17), palette), "…at [EMAIL]")
        text(leak_edge(painter, QRectF(180, 160, 150, 17), palette), "…key: ---")
        text(blocked_edge(painter, QRectF(350, 160, 150, 17), palette), "cut off")
        text(unscanned_frame(painter, QRectF(10, 184, 150, 17), palette), "Answer")
        lineage_link(painter, QPointF(180, 190), QPointF(220, 210), palette)


def _row(*widgets: QWidget) -> QWidget:
    box = QWidget()
    line = QHBoxLayout(box)
    line.setContentsMargins(10, 2, 10, 2)
    line.setSpacing(8)
    for widget in widgets:
        line.addWidget(widget)
    line.addStretch(1)
    return box


def _controls(theme: Theme) -> list[QWidget]:
    off = Button(theme, "Stop", Icon.STOP)
    off.setEnabled(False)
    pressed = Button(theme, "Freeze", Icon.FREEZE)
    pressed.setCheckable(True)
    pressed.setChecked(True)
    combo = QComboBox()
    combo.addItems(["openai/gpt-5-nano", "scripted"])
    small = QComboBox()
    small.setProperty("small", True)
    small.addItems(["all columns"])
    edit = QLineEdit()
    edit.setPlaceholderText("Open a session, then type a prompt here")
    edit.setMinimumWidth(260)
    checked = QCheckBox("show different only")
    checked.setChecked(True)
    disabled = QCheckBox("off")
    disabled.setEnabled(False)
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setValue(40)
    units = SegmentedControl(
        [("utf16", "UTF-16"), ("points", "code points"), ("utf8", "UTF-8")], "spans in"
    )
    return [
        _row(
            combo,
            edit,
            Button(theme, "Run live", Icon.PLAY, kind=Kind.PRIMARY),
            Button(theme, "Replay", Icon.REPLAY),
            off,
            pressed,
            Counter("step", "2 of 5"),
            Counter("tokens in", "1,284"),
            Counter("time", "3.31 s"),
        ),
        _row(
            small,
            Button(theme, "follow", Icon.FOLLOW, small=True),
            Button(theme, "copy", kind=Kind.LINK),
            IconButton(theme, Icon.MORE, "more"),
            checked,
            disabled,
            QRadioButton("radio"),
            QSpinBox(),
            slider,
            units,
        ),
        _row(
            Chip("changed"),
            Chip("held", checked=True),
            Chip("!type:finish", negated=True),
            KeyCap(theme, "Ctrl+Shift+P"),
            KeyCap(theme, "F9", boxed=False),
            PlainLabel("19 of 19 rows", "t2", px=11),
            PlainLabel("&lt;", "t3", mono=True, px=11),
        ),
        _checks(theme),
        _crumbs(theme),
        _band(theme),
        Notice(theme, Severity.WARNING, "Shortest match 152 > window 128", "its start", "set 256"),
        Notice(theme, Severity.FAILURE, "Position 50 to 55, UTF-16", "numbers out of order" * 9),
    ]


def _checks(theme: Theme) -> QWidget:
    items = [
        CheckItem(theme, title) for title in ("Joined = whole", "Nothing left", "All", "Kinds")
    ]
    items[0].set_state(CheckState.PASS, "answer, 166 = 166 units")
    items[1].set_state(CheckState.FAIL, "deploy-key, 22 units", "at chunk 7")
    items[2].set_state(CheckState.SO_FAR, "469 units")
    items[3].set_state(CheckState.UNSCANNED, "reasoning 2", "show")
    return _row(*items)


def _crumbs(theme: Theme) -> QWidget:
    crumb = Breadcrumb(theme)
    crumb.set_segments(
        ["Run 7 live", "step 1", "attempt 2", "processOutputStream", "chunk 12", "finding email"]
    )
    return crumb


def _band(theme: Theme) -> QWidget:
    band = BlockBand(theme, [(Icon.SEARCH, "Show the match"), (Icon.FILE, "What the client got")])
    band.set_block(
        "blocked",
        "Blocked by regex-filter · secrets in processInput",
        "Rule aws-key matched once in the prompt. The model was not called.",
    )
    return band


def _table(theme: Theme) -> TableView:
    model = QStandardItemModel(0, 5)
    model.setHorizontalHeaderLabels(["rule", "UTF-16", "replacement", "hits", "outcome"])
    for n, outcome in enumerate(OUTCOMES):
        cells = [
            QStandardItem(text)
            for text in (RULE_NAMES[n], "155–171", "[BEARER_TOKEN_LONG_NAME]", "1,284", outcome)
        ]
        cells[0].setData(n, CellRole.RULE)
        cells[1].setData(True, CellRole.MONO)
        cells[2].setData(True, CellRole.MONO)
        cells[3].setData(Qt.AlignmentFlag.AlignRight, Qt.ItemDataRole.TextAlignmentRole)
        cells[4].setData(outcome, CellRole.OUTCOME)
        cells[4].setData(outcome, CellRole.TONE)
        model.appendRow(cells)
    view = TableView(theme, "Findings")
    model.setParent(view)
    view.setModel(model)
    view.set_column_widths([120, 90, 150, 60, 120], stretch=4)
    view.selectRow(1)
    return view


def _docks(theme: Theme) -> QWidget:
    window = QMainWindow()
    window.setFixedHeight(250)
    window.menuBar().addMenu("File")
    window.menuBar().addMenu("Edit")
    window.statusBar().showMessage("Run 7 finished, 94 events")
    left = Dock(theme, "findings", "Findings")
    left.add_page("Findings", _table(theme), "6")
    left.add_page("Advisories", QWidget(), "1")
    left.add_page("Runs", QWidget(), "7")
    left.head.add_tool(PlainLabel("values masked", "t2", px=11))
    left.head.add_tool(IconButton(theme, Icon.MORE, "more"))
    left.set_active(True)
    right = Dock(theme, "rules", "Rules")
    empty = EmptyState(theme, "No rules yet", "They run on text.", ("Add a rule", "Paste"))
    right.add_page("Rules", empty)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, left)
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, right)
    window.resizeDocks([left, right], [640, 350], Qt.Orientation.Horizontal)
    return window


def build(theme: Theme) -> QWidget:
    """The gallery as a widget."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 8, 0, 8)
    column.addWidget(Marks(theme))
    for widget in _controls(theme):
        column.addWidget(widget)
    column.addWidget(
        _row(
            Badge(theme, "changed", "passed with changes"),
            Badge(theme, "timed-out"),
            PlainLabel("<b>plain</b>", "t2"),
            ElidedLabel(theme, "processOutputStream of a very long name" * 3, mono=True),
        )
    )
    column.addWidget(_docks(theme))
    column.addStretch(1)
    page.resize(1000, 960)
    return page


def main(folder: Path) -> None:
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme = Theme("dark")
    apply(app, theme)
    page = build(theme)
    page.show()
    for name in ("dark", "light"):
        theme.set_mode(name)
        app.processEvents()
        page.grab().save(str(folder / f"gallery-{name}.png"))
    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
