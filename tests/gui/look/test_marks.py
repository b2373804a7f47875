"""Marks of cells and rules: each is told by its form, none by colour alone."""

from collections.abc import Callable
from itertools import combinations

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from tests.gui.look.pictures import colors, painted, silhouette
from tripscope_gui.delegates import marks
from tripscope_gui.delegates.rules import (
    band_of,
    boxed_run,
    boxed_run_width,
    draw_swatch,
    rule_band,
    rule_tint_run,
)
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK, LIGHT, RULE_NAMES, Palette

BLACK = QColor("#000000")
EDGES: dict[str, Callable[[QPainter, QRectF, Palette], QRectF]] = {
    "released": marks.released_edge,
    "flushed": lambda p, r, c: marks.released_edge(p, r, c, flush=True),
    "changed": marks.changed_edge,
    "blocked": marks.blocked_edge,
    "leak": marks.leak_edge,
    "unscanned": marks.unscanned_frame,
}


@pytest.mark.parametrize("name", EDGES)
def test_edges_leave_room_and_draw_only_outside_it(name: str, theme: Theme) -> None:
    left: list[QRectF] = []
    image = painted(lambda p, r: left.append(EDGES[name](p, r, DARK)), 120, 19, DARK.pane)
    room = left[0]
    assert 12 < room.left() < 60
    assert room.right() == 120
    ground = image.pixelColor(110, 9)
    inside = image.copy(int(room.left()) + 1, 2, int(room.width()) - 3, 15)
    assert colors(inside) == {ground.name()}


def test_edges_differ_without_colour(theme: Theme) -> None:
    seen = {
        name: silhouette(painted(lambda p, r, e=edge: e(p, r, DARK), 80, 19, DARK.pane), DARK.pane)
        for name, edge in EDGES.items()
    }
    for one, other in combinations(EDGES, 2):
        assert len(seen[one] ^ seen[other]) > 20, (one, other)


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
def test_held_hatch_is_amber_lines_with_its_label(palette: Palette, theme: Theme) -> None:
    bare = painted(lambda p, r: marks.held_hatch(p, r, palette), 120, 17, palette.pane)
    told = painted(lambda p, r: marks.held_hatch(p, r, palette, "held 24"), 120, 17, palette.pane)
    assert palette.held_ground.name() in colors(bare)
    assert palette.pane.name() not in colors(bare)
    rows = [[bare.pixelColor(x, y).name() for x in range(20, 100)] for y in (5, 8)]
    assert rows[0] != rows[1], "the lines lean"
    assert rows[0][:8] == rows[0][8:16] == rows[0][16:24], "the hatch repeats every 8 pixels"
    assert bare != told
    assert bare.copy(80, 0, 40, 17) == told.copy(80, 0, 40, 17)


def test_hatches_of_held_and_not_run_lean_differently(theme: Theme) -> None:
    def lean(image_ground: str, draw: Callable[[QPainter, QRectF], object]) -> int:
        image = painted(draw, 64, 32, DARK.pane)
        strong = [
            [image.pixelColor(x, y).name() != image_ground for x in range(8, 56)] for y in range(32)
        ]
        same = {
            step: sum(
                strong[y][x] == strong[y + 1][x + step] for y in range(4, 27) for x in range(4, 40)
            )
            for step in (-1, 1)
        }
        return max(same, key=lambda step: same[step])

    held = lean(DARK.held_ground.name(), lambda p, r: marks.held_hatch(p, r, DARK))
    not_run = lean(DARK.pane.name(), lambda p, r: marks.not_run_hatch(p, r, DARK))
    assert (held, not_run) == (-1, 1)


def test_held_width_fits_the_label(theme: Theme) -> None:
    assert marks.held_width("held 120") > marks.held_width("held 5") > 40


def test_helpers_leave_the_painter_as_found(theme: Theme) -> None:
    def draw(painter: QPainter, rect: QRectF) -> None:
        painter.setPen(DARK.t2)
        painter.setBrush(DARK.accent)
        font, pen, brush = painter.font(), painter.pen(), painter.brush()
        hints = painter.renderHints()
        for edge in EDGES.values():
            edge(painter, rect, DARK)
        marks.held_hatch(painter, rect, DARK, "held 1")
        marks.not_run_hatch(painter, rect, DARK)
        marks.lineage_link(painter, QPointF(0, 0), QPointF(9, 9), DARK)
        marks.selected_frame(painter, rect, DARK)
        boxed_run(painter, rect, 0, DARK, "[EMAIL]")
        draw_swatch(painter, rect, 1, DARK)
        assert (painter.font(), painter.pen(), painter.brush()) == (font, pen, brush)
        assert painter.renderHints() == hints

    painted(draw, 60, 19, DARK.pane)


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
