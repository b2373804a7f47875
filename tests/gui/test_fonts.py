"""The shipped fonts are really what text is drawn with."""

import pytest
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF
from PySide6.QtWidgets import QApplication

from tripscope_gui.fonts import MONO_FAMILY, UI_FAMILY, load_fonts, mono_font, ui_font
from tripscope_resources import files


@pytest.fixture(autouse=True)
def loaded(qapp: QApplication) -> None:
    assert load_fonts() == ()


def test_both_families_are_known_and_loading_twice_adds_nothing() -> None:
    before = QFontDatabase.families()
    assert {UI_FAMILY, MONO_FAMILY} <= set(before)
    assert load_fonts() == ()
    assert QFontDatabase.families() == before


@pytest.mark.parametrize("weight", [400, 500, 600])
def test_weights_are_real(weight: int) -> None:
    for font in (ui_font(12, weight), mono_font(11, weight)):
        assert QFontInfo(font).family() in (UI_FAMILY, MONO_FAMILY)
        assert QFontInfo(font).weight() == weight
    thin = QFontMetricsF(ui_font(22, 400)).horizontalAdvance("Blocked by a rule")
    heavy = QFontMetricsF(ui_font(22, weight)).horizontalAdvance("Blocked by a rule")
    assert heavy > thin if weight > 400 else heavy == thin


def test_digits_are_tabular() -> None:
    metrics = QFontMetricsF(ui_font())
    assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("0000")
    plain = QFont(UI_FAMILY)
    plain.setPixelSize(12)
    proportional = QFontMetricsF(plain)
    assert proportional.horizontalAdvance("1111") < proportional.horizontalAdvance("0000")


def test_mono_makes_no_ligatures() -> None:
    metrics = QFontMetricsF(mono_font(12))
    assert metrics.horizontalAdvance("!=") == 2 * metrics.horizontalAdvance("!")
    assert mono_font().featureValue(QFont.Tag("calt")) == 0
    assert mono_font().featureValue(QFont.Tag("liga")) == 0


def test_licences_stand_beside_the_fonts() -> None:
    names = {entry.name for entry in files("fonts").iterdir()}
    assert {"Inter-OFL.txt", "JetBrainsMono-OFL.txt"} <= names
    for family in ("Inter", "JetBrainsMono"):
        text = files("fonts", f"{family}-OFL.txt").read_text("utf-8")
        assert text.startswith("Copyright")
        assert "SIL OPEN FONT LICENSE Version 1.1" in text
