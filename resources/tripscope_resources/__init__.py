"""Files shipped with Tripscope: example sessions, icons, themes and presets."""

from importlib.resources import files as _package_files
from importlib.resources.abc import Traversable

__all__ = ["files"]


def files(*parts: str) -> Traversable:
    """Return the shipped file or folder at a path inside this package.

    Args:
        *parts: Names from the package down, e.g. ``files("examples", "support.tripscope.json")``;
            none for the package's own folder. Nothing is checked: a name that is not there gives a
            Traversable whose ``is_file()`` is false.
    """
    return _package_files(__name__).joinpath(*parts)
