"""What is at a point of the timeline, in words and as a selection."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import Final

from msgspec import Struct

from tripscope_gui.event_selection import event_words, selection_for
from tripscope_gui.selection import Selection
from tripscope_gui.widgets.timeline.advisory_signs import advisory_signs
from tripscope_gui.widgets.timeline.data import LaneData, TimelineData
from tripscope_gui.widgets.timeline.frame_painter import attempt_title
from tripscope_gui.widgets.timeline.paint import LABELS, RULER, Area
from tripscope_gui.widgets.timeline.scale import Scale, axis_value

_REACH: Final = 6.0


class Hit(Struct, frozen=True):
    """Something that can be picked: what to select, and what to say of it."""

    selection: Selection
    words: str
    value: float = 0.0


def hit(
    data: TimelineData, scale: Scale, area: Area, run: int | None, x: float, y: float
) -> Hit | None:
    """What is at a point of the viewport, or None."""
    number = area.lane_at(y)
    if number < 0:
        return _attempt_at(data, scale, run, x, y)
    if number >= len(data.lanes):
        return None
    lane = data.lanes[number]
    if x < LABELS:
        processor = lane.id if lane.kind == "processor" else None
        return Hit(Selection(run=run, processor=processor), _lane_words(lane))
    warned = _advisory_at(data, scale, area, run, x, y)
    if warned is not None:
        return warned
    seq = _seq_at(data, lane, scale, x, y - area.lane_top(number))
    event = data.store.event(seq)
    if event is None:
        return None
    value = axis_value(event, scale.kind)
    return Hit(selection_for(data.store, run, event), event_words(data.store, event), value)


def _advisory_at(
    data: TimelineData, scale: Scale, area: Area, run: int | None, x: float, y: float
) -> Hit | None:
    """The advisory signs under the pointer, as high as their lane."""
    number = area.lane_at(y)
    found = [
        sign
        for sign in advisory_signs(data, scale)
        if sign.lane == number and sign.rect(area).left() <= x <= sign.rect(area).right()
    ]
    if not found:
        return None
    about = found[0].about
    told = (sign.advisory for sign in found)
    lines = dict.fromkeys(f"advisory {one.row}: {one.sentence}" for one in told)
    value = axis_value(about, scale.kind)
    return Hit(selection_for(data.store, run, about), "\n".join(lines), value)


def _attempt_at(
    data: TimelineData, scale: Scale, run: int | None, x: float, y: float
) -> Hit | None:
    if y < RULER or x < LABELS:
        return None
    for attempt in data.store.attempts:
        low, high = data.span_of(attempt, scale.kind)
        if scale.x(low) <= x <= scale.x(high):
            selection = Selection(run=run, step=attempt.step, attempt=attempt.attempt)
            reason = f": {attempt.reason}" if attempt.reason else ""
            return Hit(selection, attempt_title(data, attempt) + reason, low)
    return None


def _lane_words(lane: LaneData) -> str:
    return f"{lane.title}, {lane.note}" if lane.note else lane.title


def _seq_at(data: TimelineData, lane: LaneData, scale: Scale, x: float, y: float) -> int | None:
    value = scale.value(x)
    marks = lane.marks.on(scale.kind)
    if y < 11:
        place = _nearest(marks, scale, x - 4)
        if place is not None:
            return lane.marks.seqs[place]
    track = lane.spans[scale.kind]
    near = track.nearest(value)
    if near is not None and abs(scale.x(track.starts[near]) - x) <= _REACH:
        return lane.lane.seqs[near]
    for place in track.long_spans(value, value, 4 * scale.unit, data.end(scale.kind)):
        return lane.lane.seqs[place]
    if lane.requests is not None:
        requests = lane.requests
        starts = requests.starts if scale.kind == "time" else requests.seqs
        ends = requests.ends if scale.kind == "time" else requests.end_seqs
        for place in range(len(requests)):
            if starts[place] <= value and (value <= ends[place] or ends[place] < starts[place]):
                return requests.seqs[place]
    holds = lane.holds[scale.kind]
    for place in holds.long_spans(value, value, 0, data.end(scale.kind)):
        return lane.lane.holds.seqs[place]
    return None


def _nearest(values: array[int], scale: Scale, x: float) -> int | None:
    place = bisect_left(values, scale.value(x))
    around = [p for p in (place - 1, place) if 0 <= p < len(values)]
    best = min(around, key=lambda p: abs(scale.x(values[p]) - x), default=None)
    if best is None or abs(scale.x(values[best]) - x) > _REACH:
        return None
    return best
