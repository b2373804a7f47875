"""What the window remembers between two starts; kept by Qt in the user's own settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QByteArray, QObject, QSettings, QStandardPaths, Signal

from tripscope_gui.theme import MODES, Mode

MAX_RECENT: Final = 12


def data_folder() -> Path:
    """Where the program keeps what it gathers for this user; made by whoever writes into it."""
    place = QStandardPaths.StandardLocation.GenericDataLocation
    return Path(QStandardPaths.writableLocation(place), "tripscope")


class _Kept:
    """Stands in for `QSettings` where nobody's own settings may be read or changed.

    A `QSettings` on the null device is no such thing: run as root, it puts a file in its place.
    """

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def value(self, key: str, default: Any = None) -> Any:
        """The value of a key, or ``default``."""
        return self._values.get(key, default)

    def setValue(self, key: str, value: Any) -> None:
        """Keep a value as long as this lives."""
        self._values[key] = value

    def remove(self, key: str) -> None:
        """Forget a value."""
        self._values.pop(key, None)

    def sync(self) -> None:
        """Nothing is written anywhere."""


class Settings(QObject):
    """Typed access to the settings file."""

    recent_changed = Signal()

    def __init__(
        self, store: QSettings | _Kept | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._store = store if store is not None else QSettings("tripscope", "tripscope")

    @classmethod
    def in_memory(cls) -> Settings:
        """Settings that start empty and are kept in no file."""
        return cls(_Kept())

    @property
    def theme(self) -> Mode:
        """``system``, ``dark`` or ``light``."""
        value = self._store.value("theme", "system")
        return next((mode for mode in MODES if mode == value), "system")

    @theme.setter
    def theme(self, mode: Mode) -> None:
        self._store.setValue("theme", mode)

    @property
    def base_url(self) -> str:
        """Address of the OpenAI-compatible server to use where a session names none."""
        return str(self._store.value("base_url", "") or "")

    @base_url.setter
    def base_url(self, address: str) -> None:
        self._store.setValue("base_url", address.strip())

    @property
    def models(self) -> list[str]:
        """``provider/model`` names used before, newest first."""
        return self._names("models")

    def add_model(self, name: str) -> None:
        """Put a model first."""
        names = [name, *(other for other in self.models if other != name)]
        self._store.setValue("models", names[:MAX_RECENT])

    def bytes(self, key: str) -> QByteArray | None:
        """A state that Qt made (geometry, docks), or None."""
        value = self._store.value(key)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def set_bytes(self, key: str, state: QByteArray | None) -> None:
        """Keep a state, or forget it."""
        if state is None:
            self._store.remove(key)
        else:
            self._store.setValue(key, state)

    @property
    def recent(self) -> list[Path]:
        """Sessions and traces opened last, newest first; files that are gone are left out."""
        return [path for name in self._names("recent") if (path := Path(name)).is_file()]

    def add_recent(self, path: Path) -> None:
        """Put a file first."""
        path = path.absolute()
        paths = [path, *(other for other in self.recent if other != path)]
        self._store.setValue("recent", [str(p) for p in paths[:MAX_RECENT]])
        self.recent_changed.emit()

    def clear_recent(self) -> None:
        """Forget all files."""
        self._store.remove("recent")
        self.recent_changed.emit()

    def _names(self, key: str) -> list[str]:
        # a list of one comes back from the file as a plain string
        value = self._store.value(key, [])
        names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        return [str(name) for name in names]

    def sync(self) -> None:
        """Write what is not written yet."""
        self._store.sync()
