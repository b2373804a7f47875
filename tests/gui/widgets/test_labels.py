"""Labels never read markup."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tripscope_gui.theme import Theme
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel, StillLabel, plain_tooltip


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


class Laid(QWidget):
    """A line of widgets; ``requests`` counts how often it was asked to lay them out."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self.requests = 0
        line = QHBoxLayout(self)
        for widget in widgets:
            line.addWidget(widget)
        line.addStretch(1)

    def event(self, event: QEvent) -> bool:
        self.requests += event.type() == QEvent.Type.LayoutRequest
        return super().event(event)


def test_a_number_that_goes_up_moves_nothing_around_its_label(theme: Theme, qtbot: QtBot) -> None:
    still, cut = StillLabel("event 1,000"), ElidedLabel(theme, "of 1,000 rows")
    laid = Laid(still, cut)
    qtbot.addWidget(laid)
    laid.show()
    QApplication.processEvents()
    laid.requests = 0
    still.setText("event 9,271")
    cut.set_text("of 9,271 rows")
    QApplication.processEvents()
    assert laid.requests == 0
    assert still.width() == still.sizeHint().width()
    still.setText("event 10,000")
    QApplication.processEvents()
    assert laid.requests == 1
    assert still.width() == still.sizeHint().width()
    cut.set_text("of 10,000 rows")
    QApplication.processEvents()
    assert laid.requests == 2


def test_labels_measure_their_text_in_another_font(theme: Theme, qtbot: QtBot) -> None:
    still, cut = StillLabel("event 1,000"), ElidedLabel(theme, "event 1,000")
    laid = Laid(still, cut)
    qtbot.addWidget(laid)
    for label in (still, cut):
        font = label.font()
        font.setPixelSize(30)
        before = label.sizeHint().width()
        label.setFont(font)
        assert label.sizeHint().width() > before * 1.5
    assert still.maximumSize() == still.sizeHint()
