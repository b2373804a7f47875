"""Files shipped with Tripscope: example sessions, icons, themes and presets."""

from pathlib import Path
from typing import Final

__all__ = ["files"]

# importlib.resources would serve zipped packages, too, and is as slow to load as all icons are
# to draw; Qt cannot be imported from a zip anyway.
_HOME: Final = Path(__file__).parent


def files(*parts: str) -> Path:
    """Return the shipped file or folder at a path inside this package.

    Args:
        *parts: Names from the package down, e.g. ``files("examples", "support.tripscope.json")``;
            none for the package's own folder. Nothing is checked: a name that is not there gives a
            path whose ``is_file()`` is false.
    """
    return _HOME.joinpath(*parts)
