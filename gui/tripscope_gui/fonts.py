"""The two shipped typefaces: Inter for words of the program, JetBrains Mono for all other text.

Both are found by family name once :func:`load_fonts` ran; without them the families of the
system take their place, so the functions here never fail.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication

from tripscope_resources import files

UI_FAMILY: Final = "Inter"
MONO_FAMILY: Final = "JetBrains Mono"
REGULAR: Final = 400
MEDIUM: Final = 500
SEMIBOLD: Final = 600

_LOADED: Final = "tripscope_fonts"
_FILES: Final = tuple(
    f"{family}-{weight}"
    for family, weight in (
        ("Inter", "Regular.ttf"),
        ("Inter", "Medium.ttf"),
        ("Inter", "SemiBold.ttf"),
        ("JetBrainsMono", "Regular.ttf"),
        ("JetBrainsMono", "Medium.ttf"),
        ("JetBrainsMono", "SemiBold.ttf"),
    )
)


def load_fonts() -> tuple[str, ...]:
    """Make the shipped fonts known to Qt; needs the application object.

    Returns:
        The names of the files that could not be loaded; empty when all is well.
    """
    app = QGuiApplication.instance()
    if app is not None and app.property(_LOADED):
        return ()
    failed = tuple(
        name for name in _FILES if QFontDatabase.addApplicationFont(str(files("fonts", name))) < 0
    )
    if app is not None:
        app.setProperty(_LOADED, not failed)
    return failed


def ui_font(px: float = 12.0, weight: int = REGULAR) -> QFont:
    """Font for words of the program, with tabular digits.

    Args:
        px: height in logical pixels; halves are kept.
        weight: 400, 500 or 600.
    """
    return QFont(_ui_font(px, weight))


def mono_font(px: float = 11.0, weight: int = REGULAR) -> QFont:
    """Font for text of models, rules and users: fixed pitch, no ligatures.

    Args:
        px: height in logical pixels; halves are kept.
        weight: 400, 500 or 600.
    """
    return QFont(_mono_font(px, weight))


# Delegates ask for a font per cell and frame. A copy shares its data until it is changed.
@lru_cache(maxsize=64)
def _ui_font(px: float, weight: int) -> QFont:
    font = _sized(QFontDatabase.SystemFont.GeneralFont, UI_FAMILY, px, weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


@lru_cache(maxsize=64)
def _mono_font(px: float, weight: int) -> QFont:
    font = _sized(QFontDatabase.SystemFont.FixedFont, MONO_FAMILY, px, weight)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    for tag in ("liga", "calt", "clig", "dlig"):
        font.setFeature(QFont.Tag(tag), 0)
    return font


def _sized(kind: QFontDatabase.SystemFont, family: str, px: float, weight: int) -> QFont:
    font = QFont([family, QFontDatabase.systemFont(kind).family()])
    if px == int(px):
        font.setPixelSize(int(px))
    else:
        # QFont takes whole pixels only; points are fractional
        dots_per_inch = QGuiApplication.primaryScreen().logicalDotsPerInch()
        font.setPointSizeF(px * 72.0 / dots_per_inch)
    font.setWeight(QFont.Weight(weight))
    return font
