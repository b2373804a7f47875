"""Labels never read markup."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tripscope_gui.theme import Theme
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel, plain_tooltip


def test_plain_label_never_reads_markup(theme: Theme, qtbot: QtBot) -> None:
    label = PlainLabel("<b>x</b>\ud83d", "fail")
    qtbot.addWidget(label)
    assert label.text() == "<b>x</b>\ufffd"
    label.setTextFormat(Qt.TextFormat.RichText)
    assert label.textFormat() == Qt.TextFormat.PlainText
    wide = label.sizeHint().width()
    label.setText("x")
    assert label.sizeHint().width() < wide / 3


def test_elided_label_offers_the_whole_as_plain_tooltip(theme: Theme, qtbot: QtBot) -> None:
    label = ElidedLabel(theme, "<i>long</i> " * 20, Qt.TextElideMode.ElideMiddle)
    qtbot.addWidget(label)
    label.resize(120, 18)
    label.grab()
    assert "\u2026" in label.cut_text()
    assert "&lt;i&gt;long" in label.toolTip()
    assert label.accessibleName().startswith("<i>long</i>")
    label.set_text("short")
    label.grab()
    assert label.toolTip() == ""
    assert label.cut_text() == label.text() == "short"


def test_tooltip_is_escaped_and_cut() -> None:
    assert "<b>" not in plain_tooltip("<b>&amp;")
    assert "&lt;b&gt;&amp;amp;" in plain_tooltip("<b>&amp;")
    assert len(plain_tooltip("x" * 100_000)) < 1200
    assert plain_tooltip("") == ""
