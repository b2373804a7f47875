"""The name of the text shown fits its button, or says that it is cut."""

from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from tripscope_gui.theme import Theme
from tripscope_gui.widgets.text_bar import TextBar


def test_a_long_title_ends_in_an_ellipsis_and_is_told_whole(qtbot: QtBot, theme: Theme) -> None:
    bar = TextBar(theme)
    qtbot.addWidget(bar)
    bar.set_narrow(True)
    bar.show_title("processToolResult · call_1 · invoice")
    bar.resize(480, bar.height())
    bar.show()
    words = bar.source.text().rstrip()
    assert words.startswith("processTool")
    assert words.endswith("…")
    assert QFontMetricsF(bar.source.font()).horizontalAdvance(words) < bar.source.width() - 24
    assert "processToolResult · call_1 · invoice" in bar.source.toolTip()
    bar.resize(1200, bar.height())
    assert bar.source.text().rstrip() == "processToolResult · call_1 · invoice"
    assert "call_1" not in bar.source.toolTip()
