import os
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings
from pytestqt.qtbot import QtBot

from tripscope_gui.settings import MAX_RECENT, Settings


def settings(folder: Path) -> Settings:
    return Settings(QSettings(str(folder / "s.ini"), QSettings.Format.IniFormat))


def test_what_is_set_is_there_at_the_next_start(qtbot: QtBot, tmp_path: Path) -> None:
    first = settings(tmp_path)
    assert first.theme == "system"
    first.theme = "dark"
    first.base_url = " http://127.0.0.1:1/v1 "
    first.set_bytes("state", QByteArray(b"\x00\xff"))
    first.add_model("openai/a")
    first.sync()
    again = settings(tmp_path)
    assert (again.theme, again.base_url) == ("dark", "http://127.0.0.1:1/v1")
    assert again.bytes("state") == QByteArray(b"\x00\xff")
    assert again.models == ["openai/a"]
    again.set_bytes("state", None)
    assert again.bytes("state") is None


def test_a_broken_theme_falls_back(qtbot: QtBot, tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)
    store.setValue("theme", "<b>")
    assert Settings(store).theme == "system"


def test_recent_files(qtbot: QtBot, tmp_path: Path) -> None:
    made = settings(tmp_path)
    files = [tmp_path / f"{n}.tripscope.json" for n in range(MAX_RECENT + 3)]
    for file in files:
        file.touch()
        made.add_recent(file)
    made.add_recent(files[5])
    assert made.recent[0] == files[5]
    assert len(made.recent) == MAX_RECENT
    assert len(set(made.recent)) == MAX_RECENT
    files[5].unlink()
    assert files[5] not in made.recent
    made.sync()
    made.clear_recent()
    assert made.recent == []


def test_settings_in_memory_touch_no_file(qtbot: QtBot) -> None:
    before = os.stat(os.devnull)
    kept = Settings.in_memory()
    kept.theme = "light"
    kept.set_bytes("state", QByteArray(b"\x01"))
    kept.add_recent(Path(__file__))
    kept.add_model("openai/a")
    kept.sync()
    assert (kept.theme, kept.models, kept.recent) == ("light", ["openai/a"], [Path(__file__)])
    assert kept.bytes("state") == QByteArray(b"\x01")
    kept.set_bytes("state", None)
    kept.clear_recent()
    assert (kept.bytes("state"), kept.recent) == (None, [])
    after = os.stat(os.devnull)
    assert (before.st_ino, before.st_mode) == (after.st_ino, after.st_mode)
    assert Settings.in_memory().theme == "system"
