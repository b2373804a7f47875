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
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QTabBar,
    QToolButton,
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
from tripscope_gui.fonts import mono_font, ui_font
from tripscope_gui.icons import Icon, bind_icon, draw_icon
from tripscope_gui.theme import Theme, apply
from tripscope_gui.tokens import OUTCOMES, RULE_NAMES
from tripscope_gui.widgets.badge import Badge
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel
from tripscope_gui.widgets.tables import TableView


class Marks(QWidget):
    """Every paint helper once."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(760, 300)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, palette = QPainter(self), self._theme.palette
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
        painter.end()

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


def _button(
    theme: Theme, text: str, icon: str = "", kind: str = "", small: bool = False
) -> QPushButton:
    button = QPushButton(text)
    if kind:
        button.setProperty("kind", kind)
    if small:
        button.setProperty("small", True)
    if icon:
        bind_icon(button, theme, icon, "accent_text" if kind == "primary" else "t1")
    return button


def _controls(theme: Theme) -> list[QWidget]:
    primary = _button(theme, "Run live", "play", "primary")
    off = _button(theme, "Stop", "stop")
    off.setEnabled(False)
    pressed = _button(theme, "Freeze", "freeze")
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
    more = QToolButton()
    more.setProperty("kind", "quiet")
    bind_icon(more, theme, "more")
    more.setAccessibleName("more")
    checked = QCheckBox("show different only")
    checked.setChecked(True)
    disabled = QCheckBox("off")
    disabled.setEnabled(False)
    spin = QSpinBox()
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setValue(40)
    tabs = QTabBar()
    tabs.setDrawBase(False)
    for name in ("Chunks", "Hooks", "Messages"):
        tabs.addTab(name)
    return [
        _row(combo, edit, primary, _button(theme, "Replay", "replay"), off, pressed),
        _row(
            small,
            _button(theme, "follow", "follow", small=True),
            _button(theme, "copy", kind="link"),
            more,
            checked,
            disabled,
            QRadioButton("radio"),
            spin,
            slider,
            tabs,
        ),
    ]


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
    view.setFixedHeight(21 * 9 + 2)
    return view


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
    column.addWidget(_table(theme))
    column.addStretch(1)
    page.resize(1000, 800)
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
