"""Swatches, bands and boxes of rules."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from tests.gui.look.pictures import colors, painted
from tripscope_gui.delegates.rules import (
    band_of,
    boxed_run,
    boxed_run_width,
    draw_swatch,
    rule_band,
    rule_tint_run,
)
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK, RULE_NAMES

BLACK = QColor("#000000")


def test_bands_differ_without_colour(theme: Theme) -> None:
    def band(index: int) -> frozenset[tuple[int, int]]:
        image = painted(lambda p, r: rule_band(p, 0, 60, 1, index, DARK), 60, 5, BLACK)
        base = {(x, y) for x in range(60) for y in range(5)}
        return frozenset((x, y) for x, y in base if image.pixelColor(x, y) != BLACK)

    seen = [band(index) for index in range(4)]
    assert len(set(seen)) == 4
    assert [band(index) for index in range(4, 8)] == seen
    solid, dashed, dotted, double = seen
    assert len(solid) == 120
    assert 60 < len(dashed) < 90
    assert len(dotted) == pytest.approx(60, abs=6)
    assert {y for _x, y in double} == {1, 3}


@pytest.mark.parametrize("index", range(8), ids=RULE_NAMES)
def test_swatch_is_square_and_holds_tint_and_band(index: int, theme: Theme) -> None:
    image = painted(lambda p, r: draw_swatch(p, r, index, DARK), 30, 12, DARK.pane)
    assert {DARK.rule(index).name(), DARK.rule_tint(index).name()} <= colors(image)
    used = [x for x in range(30) if image.pixelColor(x, 2) != DARK.pane]
    assert len(used) == 12


def test_boxed_run_is_cut_to_its_room(theme: Theme) -> None:
    boxes: list[QRectF] = []
    room = QRectF(0, 0, 40, 16)

    def draw(painter: QPainter, _rect: QRectF) -> None:
        boxes.append(boxed_run(painter, room, 0, DARK, "[BEARER_TOKEN]"))
        boxes.append(boxed_run(painter, room, 0, DARK, "[A]"))

    painted(draw, 120, 16, DARK.pane)
    assert boxes[0].width() == 40
    assert boxes[1].width() == boxed_run_width("[A]") < 40


def test_tinted_run_has_ground_and_band(theme: Theme) -> None:
    image = painted(lambda p, r: rule_tint_run(p, r, 0, DARK), 20, 16, DARK.pane)
    assert image.pixelColor(5, 3) == DARK.rule_tint(0)
    assert image.pixelColor(5, 15) == DARK.rule(0)
    assert band_of(8) is band_of(0)
