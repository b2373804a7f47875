"""Colours of the window: contrast and telling rules apart, recomputed."""

from itertools import combinations

import pytest
from PySide6.QtGui import QColor

from tripscope_gui.tokens import (
    DARK,
    LIGHT,
    OUTCOMES,
    PALETTES,
    RULE_BANDS,
    RULE_NAMES,
    Palette,
    mix,
)

GROUNDS = ("win", "pane", "alt", "head", "raise_", "sel")
TINTS = ("tint_red", "tint_yellow", "tint_green", "tint_violet", "added_ground", "removed_ground")
EVERYWHERE = (*GROUNDS, *TINTS)

# token, grounds, lowest ratio dark and light
TEXT = (
    ("t1", EVERYWHERE, 10.4, 13.6),
    ("t2", EVERYWHERE, 6.5, 6.9),
    ("t3", EVERYWHERE, 4.6, 4.6),
    ("accent", EVERYWHERE, 5.1, 4.8),
    ("accent_text", ("accent_fill",), 4.8, 5.8),
    ("held_text", ("held_ground",), 9.4, 7.4),
    ("added", ("added_ground",), 6.4, 5.0),
    ("removed", ("removed_ground",), 5.9, 5.6),
)
OUTCOME_TEXT = {
    "pass": (5.8, 4.7),
    "changed": (5.6, 5.4),
    "flagged": (7.6, 5.3),
    "blocked": (5.0, 4.7),
    "errored": (5.7, 5.6),
    "timed-out": (6.1, 4.9),
    "skipped": (5.5, 5.0),
    "not-run": (4.6, 4.6),
}

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(color: QColor) -> tuple[float, float, float]:
    def part(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return part(color.redF()), part(color.greenF()), part(color.blueF())


def contrast(one: QColor, other: QColor) -> float:
    """Contrast ratio as in WCAG 2."""
    low, high = sorted(
        0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other))
    )
    return (high + 0.05) / (low + 0.05)


def oklab(color: QColor, sight: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    seen = [
        min(1.0, max(0.0, sum(a * v for a, v in zip(row, linear(color), strict=True))))
        for row in sight
    ]
    r, g, b = seen
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize(("token", "grounds", "dark", "light"), TEXT, ids=[t[0] for t in TEXT])
def test_text_contrast(
    token: str, grounds: tuple[str, ...], dark: float, light: float, palette: Palette
) -> None:
    lowest = min(contrast(palette.tone(token), palette.tone(g)) for g in grounds)
    assert lowest >= 4.5
    assert round(lowest, 1) == (dark if palette.dark else light)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_outcome_contrast(outcome: str, palette: Palette) -> None:
    color = palette.outcome(outcome)
    lowest = min(contrast(color, palette.tone(ground)) for ground in EVERYWHERE)
    assert round(lowest, 1) == OUTCOME_TEXT[outcome][0 if palette.dark else 1]
    if not OUTCOMES[outcome].hollow:
        assert round(contrast(color, palette.badge_letter), 1) >= 5.8


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize("index", range(8), ids=RULE_NAMES)
def test_rule_contrast(index: int, palette: Palette) -> None:
    tint = palette.rule_tint(index)
    assert round(contrast(palette.t1, tint), 1) >= (6.8 if palette.dark else 11.9)
    assert round(contrast(palette.rule(index), palette.pane), 1) >= 3.1


@pytest.mark.parametrize("sight", SIGHTS.values(), ids=SIGHTS)
@pytest.mark.parametrize(("palette", "least"), [(DARK, 0.11), (LIGHT, 0.10)])
def test_rules_stay_apart_for_all_sights(
    palette: Palette, least: float, sight: tuple[tuple[float, ...], ...]
) -> None:
    seen = [oklab(color, sight) for color in palette.rules]
    nearest = min(
        sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5
        for a, b in combinations(seen, 2)
    )
    assert nearest >= least


def test_every_outcome_has_its_own_shape_and_letter() -> None:
    assert len({look.shape for look in OUTCOMES.values()}) == 8
    assert len({look.letter for look in OUTCOMES.values()}) == 8
    for palette in PALETTES.values():
        assert set(palette.outcomes) == set(OUTCOMES)


def test_neighbouring_rules_differ_in_band_and_the_ninth_starts_again() -> None:
    assert all(RULE_BANDS[n] is not RULE_BANDS[n + 1] for n in range(7))
    assert DARK.rule(8) == DARK.rule(0)
    assert DARK.rule(7) != DARK.rule(0)


def test_tone_finds_tokens_and_outcomes_only() -> None:
    assert DARK.tone("timed-out") == DARK.outcome("timed-out")
    assert DARK.tone("raise") == DARK.raise_
    with pytest.raises(KeyError, match="no colour token is named 'dark'"):
        DARK.tone("dark")


def test_mix_goes_from_ground_to_top() -> None:
    black, white = QColor("#000000"), QColor("#ffffff")
    assert mix(white, black, 0.0) == black
    assert mix(white, black, 1.0) == white
    assert mix(white, black, 0.5).name() == "#808080"
