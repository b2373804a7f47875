"""The switch for the unit of all offsets on screen; several bars have one, all agree."""

from __future__ import annotations

from tripscope_gui.context import UNITS, PaneContext
from tripscope_gui.widgets.segmented import SegmentedControl


def unit_switch(context: PaneContext) -> SegmentedControl:
    """A control that shows and sets `PaneContext.unit`."""
    switch = SegmentedControl([(unit, unit) for unit in UNITS], "spans in", context.unit)
    switch.selected.connect(lambda name: context.set_unit(next(u for u in UNITS if u == name)))
    context.units_changed.connect(lambda: switch.set_current(context.unit))
    return switch
