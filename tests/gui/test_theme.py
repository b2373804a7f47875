"""Light, dark and what the desktop says."""

import re

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.look.pictures import colors
from tripscope_gui.theme import Theme, apply, qt_palette, set_style_property, style_sheet
from tripscope_gui.tokens import DARK, LIGHT, PALETTES, Palette
from tripscope_resources import files


def test_mode_chooses_the_palette_and_tells_once(theme: Theme, qtbot: QtBot) -> None:
    with qtbot.waitSignal(theme.changed):
        theme.set_mode("light")
    assert (theme.name, theme.palette, theme.mode) == ("light", LIGHT, "light")
    with qtbot.assertNotEmitted(theme.changed):
        theme.set_mode("light")


def test_unknown_mode_is_refused(theme: Theme) -> None:
    with pytest.raises(ValueError, match="use one of system, dark, light"):
        theme.set_mode("sepia")  # type: ignore[arg-type]
    assert theme.mode == "dark"


def test_system_mode_follows_the_desktop(theme: Theme, qtbot: QtBot) -> None:
    hints = QGuiApplication.styleHints()
    theme.set_mode("system")
    assert theme.name == "light"
    theme.set_mode("dark")
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert theme.name == "dark", "a choice of the user stands"


def test_applying_dresses_new_and_old_widgets(theme: Theme, qapp: QApplication) -> None:
    assert qapp.palette().color(QPalette.ColorRole.Base) == DARK.pane
    assert DARK.accent_fill.name() in qapp.styleSheet()
    theme.set_mode("light")
    assert qapp.palette().color(QPalette.ColorRole.Base) == LIGHT.pane
    assert LIGHT.accent_fill.name() in qapp.styleSheet()
    assert DARK.pane.name() not in qapp.styleSheet()


def test_a_second_theme_takes_over(theme: Theme, qapp: QApplication) -> None:
    other = Theme("light")
    apply(qapp, other)
    theme.set_mode("light")
    theme.set_mode("dark")
    assert qapp.palette().color(QPalette.ColorRole.Base) == LIGHT.pane


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_style_sheet_is_filled_and_its_pictures_exist(palette: Palette) -> None:
    sheet = style_sheet(palette)
    assert "$" not in sheet.split("*/", 1)[1]
    pictures = re.findall(r"url\(tripscopetheme:([^)]+)\)", sheet)
    assert len(pictures) > 8
    for path in pictures:
        assert path.startswith(palette.name)
        assert files("themes", *path.split("/")).is_file(), path
    for word in ("gradient", "shadow", "rgba"):
        assert word not in sheet


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_pictures_of_the_style_sheet_have_the_colours_of_the_tokens(palette: Palette) -> None:
    allowed = {c.name() for c in (palette.t1, palette.t2, palette.t3, palette.accent_text)}
    for entry in files("themes", palette.name).iterdir():
        used = re.findall(r"#[0-9A-Fa-f]{6}", entry.read_text("utf-8"))
        assert {QColor(value).name() for value in used} <= allowed, entry.name


def test_qt_palette_keeps_disabled_text_readable() -> None:
    made = qt_palette(DARK)
    assert made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text) == DARK.t3


def test_switch_repaints_what_is_on_screen(theme: Theme, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    primary = QPushButton("Run")
    primary.setProperty("kind", "primary")
    column.addWidget(primary)
    plain = QPushButton("Replay")
    column.addWidget(plain)
    page.resize(200, 120)
    for palette in (DARK, LIGHT):
        theme.set_mode(palette.name)  # type: ignore[arg-type]
        image = page.grab().toImage()
        assert image.pixelColor(1, 1) == palette.head
        # left of the words, inside the frame
        for button, ground in ((primary, palette.accent_fill), (plain, palette.raise_)):
            spot = button.geometry().center()
            assert image.pixelColor(button.x() + 4, spot.y()) == ground


def test_style_property_is_looked_up_again(theme: Theme, qtbot: QtBot) -> None:
    button = QPushButton("Run")
    qtbot.addWidget(button)
    button.resize(80, 28)
    assert DARK.accent_fill.name() not in colors(button.grab().toImage())
    set_style_property(button, "kind", "primary")
    assert DARK.accent_fill.name() in colors(button.grab().toImage())


def test_a_switch_looks_up_the_style_of_a_widget_as_often_however_deep_it_lies(
    theme: Theme, qtbot: QtBot
) -> None:
    class Counting(QPushButton):
        changes = 0

        def changeEvent(self, event: QEvent) -> None:
            self.changes += event.type() == QEvent.Type.StyleChange
            super().changeEvent(event)

    outer = widget = QWidget()
    qtbot.addWidget(outer)
    shallow = Counting(outer)
    for _ in range(12):
        widget = QWidget(widget)
    deep = Counting(widget)
    outer.show()
    shallow.changes = deep.changes = 0
    theme.set_mode("light")
    assert 0 < deep.changes <= 2
    assert deep.changes == shallow.changes


def test_a_switched_window_looks_like_one_that_was_made_so(theme: Theme, qtbot: QtBot) -> None:
    def made() -> QWidget:
        widget = QWidget()
        qtbot.addWidget(widget)
        button = QPushButton("Run", widget)
        set_style_property(button, "kind", "primary")
        widget.resize(120, 40)
        widget.show()
        return widget

    switched = made()
    before = switched.grab().toImage()
    theme.set_mode("light")
    fresh = made()
    assert switched.grab().toImage() == fresh.grab().toImage()
    assert switched.grab().toImage() != before
