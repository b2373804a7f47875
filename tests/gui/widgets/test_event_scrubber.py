"""The slider over events: what it shows at each width."""

from itertools import pairwise

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.look.windows import shown
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.dock_head import DockHead
from tripscope_gui.widgets.event_scrubber import EventScrubber


@pytest.mark.parametrize("count", [1, 106, 999_999])
@pytest.mark.parametrize("width", [240, 250, 260, 280, 300, 340, 400, 600])
def test_nothing_lies_over_anything_in_a_head(
    theme: Theme, qtbot: QtBot, width: int, count: int
) -> None:
    head = DockHead(theme, "State")
    head.add_tab("State")
    head.add_tab("Tripwire")
    scrubber = EventScrubber(parent=head)
    head.add_tool(scrubber)
    head.resize(width, head.height())
    shown(head, qtbot)
    scrubber.set_place(count - 1, count)
    qtbot.waitUntil(lambda: _apart(scrubber))
    assert scrubber.at.isVisible()
    assert scrubber.at.geometry().right() < scrubber.width()


def test_the_slider_goes_first_and_comes_back(theme: Theme, qtbot: QtBot) -> None:
    dock = QWidget()
    dock.resize(400, 40)
    scrubber = EventScrubber(parent=dock)
    scrubber.set_place(36, 106)
    wanted, least = scrubber.sizeHint(), scrubber.minimumSizeHint()
    shown(dock, qtbot)
    seen = []
    for width in (wanted.width(), least.width(), least.width() - 1, scrubber.at.width(), 300):
        scrubber.resize(width, wanted.height())
        seen.append((scrubber.slider.isVisible(), scrubber.of.isVisible()))
        # what it asks for does not depend on what it shows
        assert (scrubber.sizeHint(), scrubber.minimumSizeHint()) == (wanted, least)
    assert seen == [(True, True), (True, True), (False, True), (False, False), (True, True)]


def _apart(scrubber: EventScrubber) -> bool:
    parts: list[QWidget] = [scrubber.at, scrubber.slider, scrubber.of]
    seen = [part.geometry() for part in parts if part.isVisible()]
    return all(one.right() < other.left() for one, other in pairwise(seen)) and (
        seen[-1].right() < scrubber.width()
    )
