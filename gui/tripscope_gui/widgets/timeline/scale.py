"""From axis values (ns, or event numbers) to pixels and back; zoom, pan, the marks of a ruler."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, log10
from typing import Final, Literal, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tripscope.trace.events import Event

AxisKind: TypeAlias = Literal["time", "sequence"]
_LEAST: Final[dict[str, float]] = {"time": 2_000.0, "sequence": 4.0}
_MS: Final = 1e6
_S: Final = 1e9


def axis_value(event: Event, kind: AxisKind) -> int:
    """Where an event stands on an axis: its time, or its number."""
    return event.time if kind == "time" else event.seq


class Scale(Struct, frozen=True):
    """What is in view: axis values ``low`` to ``high`` over ``width`` pixels from ``left``."""

    kind: AxisKind
    low: float
    high: float
    left: float
    width: float

    @property
    def unit(self) -> float:
        """Axis units per pixel."""
        return (self.high - self.low) / max(1.0, self.width)

    def x(self, value: float) -> float:
        """Pixel of an axis value; may lie outside."""
        return self.left + (value - self.low) / self.unit

    def value(self, x: float) -> float:
        """Axis value at a pixel."""
        return self.low + (x - self.left) * self.unit

    def placed(self, left: float, width: float) -> Self:
        """The same values on other pixels."""
        return replace(self, left=left, width=max(1.0, width))

    def panned(self, pixels: float) -> Self:
        """Moved so that what is drawn goes ``pixels`` to the left."""
        by = pixels * self.unit
        return replace(self, low=self.low + by, high=self.high + by)

    def zoomed(self, factor: float, x: float, most: float) -> Self:
        """``factor`` above 1 shows more detail; what is at pixel ``x`` stays there."""
        at = self.value(x)
        span = self.high - self.low
        new = min(max(span / factor, _LEAST[self.kind]), max(most, _LEAST[self.kind]))
        low = at - (at - self.low) * new / span
        return replace(self, low=low, high=low + new)

    def kept_within(self, first: float, last: float) -> Self:
        """Moved so that the middle of the view stays on the run."""
        middle = (self.low + self.high) / 2
        by = min(max(middle, first), last) - middle
        return replace(self, low=self.low + by, high=self.high + by)

    def marks(self, apart: float = 130.0) -> Iterator[tuple[float, str]]:
        """(axis value, words) of the ruler, about ``apart`` pixels from each other."""
        step = _round_step(self.unit * apart, 1.0 if self.kind == "sequence" else 1000.0)
        for number in range(ceil(self.low / step), floor(self.high / step) + 1):
            value = number * step
            if value >= 0:
                yield value, self.words(value, step)

    def words(self, value: float, step: float) -> str:
        """A value with its unit, as exact as ``step`` asks for."""
        if self.kind == "sequence":
            return f"{value:,.0f}"
        unit, name = (_S, "s") if step >= 0.05 * _S else (_MS, "ms")
        if step < 50_000:
            unit, name = 1000.0, "µs"
        digits = max(0, ceil(-log10(step / unit) - 1e-9))
        return f"{value / unit:,.{digits}f} {name}"


def _round_step(wanted: float, least: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    wanted = max(wanted, least)
    power = 10.0 ** floor(log10(wanted))
    for factor in (1, 2, 5, 10):
        if factor * power >= wanted * 0.999:
            return factor * power
    return 10 * power
