"""Text of others is shown whole, on one line, with its offsets kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from tripscope_gui.delegates.texts import elided, one_line, shown
from tripscope_gui.fonts import mono_font
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel, plain_tooltip

ANY = st.text(alphabet=st.characters(exclude_categories=[]))


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(ANY)
def test_offsets_stay_valid(text: str) -> None:
    for made in (shown(text), one_line(text)):
        assert units(made) == units(text)
        made.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb\tc", "a\u240ab\u2409c"),
        ("half \ud83d", "half \ufffd"),
        ("\ude00 and 😀", "\ufffd and 😀"),
        ("\x7f\x85\u2028", "\u2421\u2424\u2424"),
        ("plain", "plain"),
    ],
)
def test_one_line(text: str, line: str) -> None:
    assert one_line(text) == line


@pytest.mark.parametrize(
    ("mode", "start", "end"),
    [
        (Qt.TextElideMode.ElideRight, "start", "\u2026"),
        (Qt.TextElideMode.ElideLeft, "\u2026", "end"),
        (Qt.TextElideMode.ElideMiddle, "start", "end"),
    ],
)
def test_a_megabyte_is_cut_at_the_right_end(
    mode: Qt.TextElideMode, start: str, end: str, theme: Theme
) -> None:
    font = mono_font()
    cut = elided("start" + "x" * 1_000_000 + "end", font, 200, mode)
    assert cut.startswith(start)
    assert cut.endswith(end)
    assert QFontMetricsF(font).horizontalAdvance(cut) <= 200


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
