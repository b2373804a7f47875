"""Times over lengths are drawn to scale, with their units."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.growth_chart import Growth, GrowthChart

SQUARE = tuple((1000 * 2**n, 0.002 * 4**n) for n in range(4))


def chart_of(theme: Theme, qtbot: QtBot, growth: Growth) -> GrowthChart:
    chart = GrowthChart(theme)
    chart.resize(400, 200)
    shown(chart, qtbot)
    chart.show_growth(growth)
    return chart


def test_it_is_read_aloud_and_hidden_without_points(qtbot: QtBot, theme: Theme) -> None:
    chart = chart_of(theme, qtbot, Growth(SQUARE, True, False, 0.25))
    assert "1,000 UTF-16 units: 2.0 ms; 2,000 UTF-16 units: 8.0 ms" in chart.accessibleName()
    chart.show_growth(None)
    assert not chart.isVisible()
    chart.show_growth(Growth((), True, True, 0.25))
    assert not chart.isVisible()


def test_what_is_too_short_to_tell_is_left_out() -> None:
    points = ((1, 1e-5), (2, 2e-5), *SQUARE)
    assert Growth(points, True, False, 0.25).shown == SQUARE
    assert Growth(points[:3], False, False, 0.25).shown == points[:3], "else nothing would be there"


def test_it_is_drawn_in_both_themes_and_at_any_size(qtbot: QtBot, theme: Theme) -> None:
    chart = chart_of(theme, qtbot, Growth(SQUARE, True, False, 0.25))
    blocked = theme.palette.tone("blocked").rgb()

    def red() -> int:
        image = chart.grab().toImage()
        wide, high = image.width(), image.height()
        return sum(image.pixel(x, y) == blocked for x in range(wide) for y in range(high))

    assert red() > 30
    chart.show_growth(Growth(SQUARE, False, True, 0.25))
    assert red() == 0, "red is for what is slow"
    for size in ((60, 96), (1200, 900)):
        chart.resize(*size)
        chart.grab()
    chart.show_growth(Growth(((30, 2.0),), True, True, 0.25))
    chart.grab()
