"""Where the signs of advisories stand: they are drawn there, and the pointer finds them there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QRectF

from tripscope.trace.events import AdvisoryRaised, AnyEvent
from tripscope_gui.widgets.timeline.data import TimelineData
from tripscope_gui.widgets.timeline.paint import Area
from tripscope_gui.widgets.timeline.scale import Scale, axis_value

_BESIDE: Final = 8
"""From the event to the left edge of its sign, in logical pixels."""
_SIZE: Final = 12


class AdvisorySign(Struct, frozen=True):
    """A sign to the right of the event that its advisory is about, which may be out of view."""

    advisory: AdvisoryRaised
    about: AnyEvent
    x: float
    """Where the event is, in logical pixels."""
    lane: int

    def rect(self, area: Area) -> QRectF:
        """The sign, in the middle of its lane."""
        top = area.lane_top(self.lane) + (area.lane - _SIZE) // 2
        return QRectF(round(self.x) + _BESIDE, top, _SIZE, _SIZE)


def advisory_signs(data: TimelineData, scale: Scale) -> Iterator[AdvisorySign]:
    """The signs of all advisories; what belongs to no lane stands in the first one."""
    store = data.store
    for advisory in store.advisories:
        about = store.event(advisory.about) or advisory
        lanes = enumerate(data.lanes)
        lane = next((n for n, lane in lanes if lane.id == about.processor), 0)
        yield AdvisorySign(advisory, about, scale.x(axis_value(about, scale.kind)), lane)
