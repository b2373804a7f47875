"""The tour names what the window has; the pictures themselves are made by hand."""

import pytest

from tests.gui.look import tour
from tests.gui.look.tour_sessions import example
from tripscope_gui.compare.area import PANES
from tripscope_gui.panes import Pane, discover

KINDS: list[type[Pane]] = [*discover(), *PANES]
EXISTING = {kind.TITLE for kind in KINDS}
NAMED = [pane for state in tour.states() for pane in state.panes]


def test_each_picture_has_a_name_of_its_own() -> None:
    names = [state.name for state in tour.states()]
    assert len(names) == len(set(names))
    assert len(names) * len(tour.SIZES) * len(tour.MODES) >= 24


def test_what_is_brought_to_the_front_exists() -> None:
    assert set(NAMED) | set(tour.FRONT) <= EXISTING


def test_every_pane_is_pictured() -> None:
    assert set(NAMED) | set(tour.FRONT) == EXISTING


@pytest.mark.parametrize(
    "name", ["support-agent", "half-an-address", "secret-in-prompt", "tool-loop"]
)
def test_its_examples_are_shipped(name: str) -> None:
    assert example(name).is_file()


def test_a_state_that_is_not_there_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["tour", "out", "--only", "no-such-state"])
    with pytest.raises(SystemExit):
        tour.main()
    assert "no state no-such-state" in capsys.readouterr().err
