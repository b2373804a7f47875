"""Marks of cells: each is told by its form, none by colour alone."""

from collections.abc import Callable
from itertools import combinations

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from tests.gui.look.pictures import colors, painted, silhouette
from tripscope_gui.delegates import marks
from tripscope_gui.delegates.rules import (
    boxed_run,
    draw_swatch,
)
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK, LIGHT, Palette

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
