from collections.abc import Callable, Iterator
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from tests.support.window import make_context
from tripscope_gui.context import PaneContext
from tripscope_gui.dock_grid import DockGrid
from tripscope_gui.panes import Pane, Place
from tripscope_gui.place_dock import move_pane
from tripscope_gui.theme import Theme

PANES: tuple[tuple[str, Place], ...] = (
    ("Timeline", "top"),
    ("Chunks", "middle-left"),
    ("Hooks", "middle-left"),
    ("Text", "middle-right"),
    ("Findings", "bottom-left"),
    ("State", "bottom-centre"),
    ("Rules", "bottom-right"),
)


def make_pane(context: PaneContext, title: str, place: Place, order: int) -> Pane:
    kind = type(title, (Pane,), {"TITLE": title, "PLACE": place, "ORDER": order})
    pane: Pane = kind(context)
    return pane


@pytest.fixture
def grid(qtbot: QtBot, theme: Theme) -> DockGrid:
    context = make_context(theme)
    made = DockGrid(theme, [make_pane(context, t, p, n) for n, (t, p) in enumerate(PANES)])
    made.context = context  # type: ignore[attr-defined]
    qtbot.addWidget(made)
    return made


def sizes(grid: DockGrid) -> dict[Place, tuple[int, int]]:
    return {
        place: (dock.width(), dock.height())
        for place, dock in grid.docks.items()
        if dock.isVisible()
    }


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (
            (1600, 842),
            {"top": (1592, 196), "middle-left": (966, 403), "middle-right": (622, 403),
             "bottom-left": (676, 206), "bottom-centre": (366, 206), "bottom-right": (542, 206)},
        ),
        (
            (1920, 922),
            {"top": (1912, 214), "middle-left": (1160, 440), "middle-right": (748, 440),
             "bottom-left": (810, 231), "bottom-centre": (440, 231), "bottom-right": (654, 231)},
        ),
    ],
)  # fmt: skip
def test_the_places_have_the_sizes_of_the_layout(
    grid: DockGrid,
    qtbot: QtBot,
    window: tuple[int, int],
    expected: dict[Place, tuple[int, int]],
) -> None:
    grid.resize(*window)
    grid.show()
    # the docks are laid out in the next turns of the loop
    qtbot.wait_until(lambda: abs(grid.docks["top"].height() - expected["top"][1]) < 8)
    qtbot.wait_until(
        lambda: abs(grid.docks["middle-left"].width() - expected["middle-left"][0]) < 4
    )
    got = sizes(grid)
    assert got.keys() == expected.keys()
    for place, (width, height) in expected.items():
        assert got[place][0] == pytest.approx(width, abs=3), place
        assert got[place][1] == pytest.approx(height, abs=12), place


def test_a_narrow_window_has_two_docks_at_the_bottom(grid: DockGrid, qtbot: QtBot) -> None:
    grid.set_narrow(True)
    grid.resize(1280, 642)
    grid.show()
    qtbot.wait_until(lambda: abs(grid.docks["bottom-left"].width() - 640) < 4)
    got = sizes(grid)
    assert "bottom-centre" not in got
    assert got["bottom-left"][0] == pytest.approx(640, abs=3)
    assert got["bottom-right"][0] == pytest.approx(628, abs=3)
    titles = [pane.TITLE for pane in grid.docks["bottom-right"].panes]
    assert titles == ["Rules", "State"]
    grid.set_narrow(False)
    assert [pane.TITLE for pane in grid.docks["bottom-centre"].panes] == ["State"]
    assert grid.docks["bottom-centre"].isVisible()


@pytest.mark.parametrize("narrow_after", range(len(PANES) + 1))
def test_panes_that_come_later_find_their_docks_waiting(
    qtbot: QtBot, theme: Theme, narrow_after: int
) -> None:
    context = make_context(theme)

    def later() -> Iterator[Callable[[], Pane]]:
        for number, (title, place) in enumerate(PANES):
            yield partial(make_pane, context, title, place, number)

    grid = DockGrid(theme, (), later=later())
    qtbot.addWidget(grid)
    grid.resize(1280, 842)
    grid.show()
    assert all(dock.isVisible() for dock in grid.docks.values())
    for _ in range(narrow_after):
        grid.make_next()
    grid.set_narrow(True)
    assert grid.waiting == (narrow_after < len(PANES))
    assert not grid.docks["bottom-centre"].isVisible()
    assert grid.docks["bottom-right"].isVisible()
    grid.fill()
    titles = {place: [pane.TITLE for pane in dock.panes] for place, dock in grid.docks.items()}
    assert titles == {
        "top": ["Timeline"],
        "middle-left": ["Chunks", "Hooks"],
        "middle-right": ["Text"],
        "bottom-left": ["Findings"],
        "bottom-centre": [],
        "bottom-right": ["Rules", "State"],
    }
    grid.set_narrow(False)
    assert grid.docks["bottom-centre"].isVisible()
    assert [pane.TITLE for pane in grid.docks["bottom-right"].panes] == ["Rules"]


def test_in_a_low_window_the_timeline_keeps_its_height(grid: DockGrid, qtbot: QtBot) -> None:
    grid.set_narrow(True)
    grid.resize(1280, 590)
    grid.show()
    qtbot.wait_until(lambda: abs(grid.docks["top"].height() - 160) < 4)
    got = sizes(grid)
    assert got["bottom-left"][1] == pytest.approx(164 * 590 / 642, abs=8)
    assert got["middle-left"][1] > 250


def test_a_pane_comes_to_the_front_by_its_title(grid: DockGrid) -> None:
    grid.show()
    assert grid.show_pane("hooks")
    dock = grid.docks["middle-left"]
    assert dock.pane is grid.pane("Hooks")
    assert grid.pane("Chunks").isHidden() or not grid.pane("Chunks").isVisible()  # type: ignore[union-attr]
    assert not grid.show_pane("no such pane")


def test_a_pane_moves_to_another_place_and_back(grid: DockGrid) -> None:
    grid.show()
    state = grid.pane("State")
    assert state is not None
    move_pane(state, grid.docks["bottom-centre"], grid.docks["top"])
    assert grid.docks["top"].pane is state
    assert not grid.docks["bottom-centre"].isVisible()
    grid.reset()
    assert grid.docks["bottom-centre"].panes == [state]
    assert grid.docks["bottom-centre"].isVisible()
    assert grid.docks["top"].pane is grid.pane("Timeline")


def test_an_arrangement_comes_back(grid: DockGrid, qtbot: QtBot, theme: Theme) -> None:
    grid.resize(1600, 842)
    grid.show()
    assert not grid.custom
    from PySide6.QtCore import Qt

    docks = [grid.docks["middle-left"], grid.docks["middle-right"]]
    grid.resizeDocks(docks, [600, 988], Qt.Orientation.Horizontal)
    qtbot.wait_until(lambda: docks[0].width() < 620)
    state = grid.state()
    other = DockGrid(
        theme,
        [make_pane(grid.context, t, p, n) for n, (t, p) in enumerate(PANES)],  # type: ignore[attr-defined]
    )
    qtbot.addWidget(other)
    other.resize(1600, 842)
    assert other.restore(state)
    other.show()
    assert other.custom
    assert other.docks["middle-left"].width() == pytest.approx(600, abs=4)


def test_badges_stand_beside_the_titles(grid: DockGrid) -> None:
    findings = grid.pane("Findings")
    assert findings is not None
    findings.set_badge("6")
    assert grid.docks["bottom-left"].head.tabs.tabData(0) == "6"
