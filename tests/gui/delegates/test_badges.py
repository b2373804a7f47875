"""Outcomes are told by shape, whatever the colour."""

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from tests.gui.look.pictures import colors, painted, silhouette
from tripscope_gui.delegates.badges import badge_path, draw_badge
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import DARK, LIGHT, OUTCOMES, Palette


def badge(outcome: str, edge: int, palette: Palette) -> QImage:
    return painted(lambda p, r: draw_badge(p, r, outcome, palette), edge, edge, palette.pane)


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize(("edge", "least"), [(11, 6), (15, 10), (34, 60)])
def test_silhouettes_differ_without_colour(
    edge: int, least: int, palette: Palette, theme: Theme
) -> None:
    marks = {name: silhouette(badge(name, edge, palette), palette.pane) for name in OUTCOMES}
    near = {
        (a, b): len(marks[a] ^ marks[b])
        for a, b in combinations(OUTCOMES, 2)
        if len(marks[a] ^ marks[b]) < least
    }
    assert near == {}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_letter_is_drawn_on_the_badge(outcome: str, theme: Theme) -> None:
    look = OUTCOMES[outcome]
    image = badge(outcome, 34, DARK)
    inside = image.copy(8, 8, 18, 18)
    letter = DARK.outcome(outcome) if look.hollow else DARK.badge_letter
    ground = DARK.pane if look.hollow else DARK.outcome(outcome)
    assert {letter.name(), ground.name()} <= colors(inside)


@pytest.mark.parametrize("edge", [11, 15, 34])
def test_badges_stay_inside_their_square(edge: int, theme: Theme) -> None:
    square = QRectF(10, 10, edge, edge).adjusted(-0.6, -0.6, 0.6, 0.6)
    for look in OUTCOMES.values():
        assert square.contains(badge_path(look.shape, QRectF(10, 10, edge, edge)).boundingRect())


def test_a_wide_rect_centres_the_badge(theme: Theme) -> None:
    path = badge_path(OUTCOMES["pass"].shape, QRectF(0, 0, 100, 15))
    assert path.boundingRect().center().x() == pytest.approx(50)
    assert path.boundingRect().width() <= 15
