"""Text of others is shown whole, on one line, with its offsets kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

from tripscope_gui.delegates.texts import elided, one_line, shown
from tripscope_gui.fonts import mono_font
from tripscope_gui.theme import Theme

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
