"""The colours, sizes and forms that every drawing of the window is made of.

Colours are opaque. A token's name says what it is used for, not what it looks like; the two
palettes hold the same names. Contrast of the text tokens is checked in the tests of this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from PySide6.QtGui import QColor


class Shape(StrEnum):
    """Outline of an outcome's badge; no two outcomes share one."""

    CIRCLE = "circle"
    DIAMOND = "diamond"
    TRIANGLE_UP = "triangle-up"
    OCTAGON = "octagon"
    SQUARE = "square"
    TRIANGLE_DOWN = "triangle-down"
    HOLLOW_CIRCLE = "hollow-circle"
    DASHED_SQUARE = "dashed-square"


class Band(StrEnum):
    """Line under text that a rule matched."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    DOUBLE = "double"


class OutcomeLook(NamedTuple):
    """Form of one outcome: what tells it apart when all colour is covered."""

    name: str
    shape: Shape
    letter: str
    meaning: str

    @property
    def hollow(self) -> bool:
        """True where the letter is drawn in the outcome's own colour on the ground."""
        return self.shape in (Shape.HOLLOW_CIRCLE, Shape.DASHED_SQUARE)


OUTCOMES: Final[Mapping[str, OutcomeLook]] = MappingProxyType(
    {
        look.name: look
        for look in (
            OutcomeLook("pass", Shape.CIRCLE, "P", "passed unchanged"),
            OutcomeLook("changed", Shape.DIAMOND, "C", "text or message was changed"),
            OutcomeLook("flagged", Shape.TRIANGLE_UP, "F", "warned, let through"),
            OutcomeLook("blocked", Shape.OCTAGON, "B", "a tripwire ended or retried the step"),
            OutcomeLook("errored", Shape.SQUARE, "E", "the processor raised"),
            OutcomeLook("timed-out", Shape.TRIANGLE_DOWN, "T", "time budget used up, not a pass"),
            OutcomeLook("skipped", Shape.HOLLOW_CIRCLE, "S", "phase off, or no such hook"),
            OutcomeLook("not-run", Shape.DASHED_SQUARE, "N", "something earlier ended the step"),
        )
    }
)

RULE_BANDS: Final = (Band.SOLID, Band.DASHED, Band.DOTTED, Band.DOUBLE) * 2
RULE_NAMES: Final = ("sky", "orange", "green", "pink", "yellow", "red", "violet", "stone")


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """All colours of one theme. ``rules`` and ``outcomes`` hold line colours, not grounds."""

    name: str
    win: QColor
    pane: QColor
    alt: QColor
    head: QColor
    raise_: QColor
    line: QColor
    line2: QColor
    t1: QColor
    t2: QColor
    t3: QColor
    accent: QColor
    accent_fill: QColor
    accent_text: QColor
    sel: QColor
    held_line: QColor
    held_ground: QColor
    held_text: QColor
    added: QColor
    added_ground: QColor
    removed: QColor
    removed_ground: QColor
    tint_red: QColor
    tint_yellow: QColor
    tint_green: QColor
    tint_violet: QColor
    badge_letter: QColor
    tint_share: float
    outcomes: Mapping[str, QColor]
    rules: tuple[QColor, ...]

    @property
    def dark(self) -> bool:
        """True for the theme with light text on dark grounds."""
        return self.name == "dark"

    def outcome(self, name: str) -> QColor:
        """Colour of an outcome, as in traces (``timed-out``); KeyError for any other word."""
        return self.outcomes[name]

    def rule(self, index: int) -> QColor:
        """Line colour of the rule at a 0-based index; the ninth starts again."""
        return self.rules[index % len(self.rules)]

    def rule_tint(self, index: int, ground: QColor | None = None) -> QColor:
        """Opaque ground for text on a rule: its colour mixed into ``ground`` (the pane)."""
        return mix(self.rule(index), ground or self.pane, self.tint_share)

    def tone(self, name: str) -> QColor:
        """Colour by word: a token (``t2``, ``accent``) or an outcome (``blocked``)."""
        found = self.outcomes.get(name)
        if found is not None:
            return found
        value = getattr(self, "raise_" if name == "raise" else name, None)
        if not isinstance(value, QColor):
            raise KeyError(f"no colour token is named {name!r}")
        return value


def mix(top: QColor, ground: QColor, share: float) -> QColor:
    """Opaque colour of ``share`` (0 to 1) of ``top`` over ``ground``."""
    rest = 1.0 - share
    return QColor(
        round(top.red() * share + ground.red() * rest),
        round(top.green() * share + ground.green() * rest),
        round(top.blue() * share + ground.blue() * rest),
    )


def _colors(values: str) -> tuple[QColor, ...]:
    return tuple(QColor(value) for value in values.split())


def _outcomes(values: str) -> Mapping[str, QColor]:
    return MappingProxyType(dict(zip(OUTCOMES, _colors(values), strict=True)))


DARK: Final = Palette(
    name="dark",
    win=QColor("#14161A"),
    pane=QColor("#1A1D23"),
    alt=QColor("#1D2027"),
    head=QColor("#20242B"),
    raise_=QColor("#2A2F38"),
    line=QColor("#2E343E"),
    line2=QColor("#3B424E"),
    t1=QColor("#E6E9EE"),
    t2=QColor("#B3BAC6"),
    t3=QColor("#949DAB"),
    accent=QColor("#6AA6FF"),
    accent_fill=QColor("#2F6FDB"),
    accent_text=QColor("#FFFFFF"),
    sel=QColor("#1E3353"),
    held_line=QColor("#D9A441"),
    held_ground=QColor("#2C2516"),
    held_text=QColor("#F0C674"),
    added=QColor("#58C489"),
    added_ground=QColor("#173226"),
    removed=QColor("#FF7A70"),
    removed_ground=QColor("#3A2022"),
    tint_red=QColor("#3A2022"),
    tint_yellow=QColor("#332D18"),
    tint_green=QColor("#1A2E25"),
    tint_violet=QColor("#2A2540"),
    badge_letter=QColor("#14161A"),
    tint_share=0.26,
    outcomes=_outcomes("#58C489 #B79CFF #E8C547 #FF7A70 #F58AC8 #F2A25C #A3ACB9 #949DAB"),
    rules=_colors("#63B9FE #E58212 #A8EBB5 #A46188 #F9D544 #D33B36 #7B65D1 #8CA2AE"),
)

LIGHT: Final = Palette(
    name="light",
    win=QColor("#E9EBEF"),
    pane=QColor("#FFFFFF"),
    alt=QColor("#FAFBFC"),
    head=QColor("#F4F5F7"),
    raise_=QColor("#FFFFFF"),
    line=QColor("#DCE0E6"),
    line2=QColor("#BFC6D0"),
    t1=QColor("#1A1E25"),
    t2=QColor("#454E5B"),
    t3=QColor("#5F6875"),
    accent=QColor("#1A5FD0"),
    accent_fill=QColor("#1A5FD0"),
    accent_text=QColor("#FFFFFF"),
    sel=QColor("#DCE9FC"),
    held_line=QColor("#B47A00"),
    held_ground=QColor("#FFF4D9"),
    held_text=QColor("#6B4A00"),
    added=QColor("#16753F"),
    added_ground=QColor("#E0F4E8"),
    removed=QColor("#B3261E"),
    removed_ground=QColor("#FDE8E6"),
    tint_red=QColor("#FDE8E6"),
    tint_yellow=QColor("#FBF1D0"),
    tint_green=QColor("#E3F4EA"),
    tint_violet=QColor("#EFE9FC"),
    badge_letter=QColor("#FFFFFF"),
    tint_share=0.17,
    outcomes=_outcomes("#16753F #6A3FC9 #7A5900 #C22A20 #A8187A #A04A00 #59626F #5F6875"),
    rules=_colors("#036EAE #804810 #3AA089 #B22578 #837D2F #6C0C00 #A37AFF #2C3947"),
)

PALETTES: Final[Mapping[str, Palette]] = MappingProxyType({"dark": DARK, "light": LIGHT})


class Space:
    """Distances in logical pixels."""

    HAIR: Final = 2
    TIGHT: Final = 4
    SNUG: Final = 6
    BASE: Final = 8
    WIDE: Final = 12
    ROOMY: Final = 16
    SECTION: Final = 24
    DOCK_GAP: Final = 4
    CORNER: Final = 4
    MARK_CORNER: Final = 2


class TypeSize:
    """Text sizes in logical pixels."""

    BODY: Final = 12.0
    LABEL: Final = 11.0
    COUNT: Final = 10.5
    SECTION: Final = 13.0
    BLOCK: Final = 14.0
    TITLE: Final = 22.0
    CELL_MONO: Final = 11.0
    EDITOR_MONO: Final = 11.5
    TEXT_MONO: Final = 12.5
    PATTERN_MONO: Final = 14.0


class Height:
    """Fixed heights in logical pixels."""

    MENU: Final = 25
    RUN_BAR: Final = 46
    CHECKS: Final = 33
    BREADCRUMB: Final = 27
    DOCK_HEAD: Final = 27
    FILTER_ROW: Final = 30
    TABLE_HEAD: Final = 21
    CHUNK_ROW: Final = 19
    ROW: Final = 21
    RULE_ROW: Final = 24
    LANE: Final = 18
    TEXT_LINE: Final = 27
    STATUS: Final = 22
    BUTTON: Final = 28
    SMALL_BUTTON: Final = 22


class BadgeSize:
    """Edge of a badge in logical pixels."""

    ROW: Final = 15
    CELL: Final = 11
    BAND: Final = 34
