import json
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from tests.support.window import finished, live, session_wire, until
from tripscope.session import session_from_wire
from tripscope_gui import dialogs, run_export
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme

SECRET = "ann@example.test"


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


async def ran(window: MainWindow) -> list[str]:
    """Run the small session; gives what the status bar says from then on."""
    window.context.session.take(session_from_wire(session_wire()))
    assert not window.context.actions.trigger("file.report")
    await finished(window, window.context.runs.start)
    told: list[str] = []
    window.context.said.connect(told.append)
    return told


def test_the_report_is_saved_masked_or_raw(
    qapp: QApplication, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = iter([tmp_path / "masked.html", tmp_path / "raw.html"])

    async def chosen(_parent: QWidget, _title: str, start: Path, *_form: str) -> Path:
        assert start.name == "run-1.html"
        return next(paths)

    monkeypatch.setattr(dialogs, "save_path", chosen)

    async def drive(window: MainWindow) -> None:
        told = await ran(window)
        assert window.context.actions.trigger("file.report")
        await until(lambda: told)
        assert told[0] == "masked.html saved; matched text is masked"
        assert window.context.actions.trigger("file.report_raw")
        await until(lambda: len(told) > 1)
        assert told[1] == "raw.html saved; it holds the matched text"

    live(qapp, theme, drive)
    masked, raw = (tmp_path / name for name in ("masked.html", "raw.html"))
    assert SECRET not in masked.read_text("utf-8")
    assert "small, Run 1, scripted" in masked.read_text("utf-8")
    assert SECRET in raw.read_text("utf-8")


def test_the_run_as_text_and_json(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        told = await ran(window)
        assert window.context.actions.trigger("edit.copy_run_text")
        await until(lambda: told)
        assert "email  5-21  changed  [EMAIL]" in clipboard()
        assert SECRET not in clipboard()
        assert window.context.actions.trigger("edit.copy_run_json")
        await until(lambda: len(told) > 1)
        assert json.loads(clipboard())["findings"][0]["rule"] == "email"
        assert SECRET not in clipboard()

    live(qapp, theme, drive)


def test_findings_as_test_cases(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        told = await ran(window)
        assert window.context.actions.trigger("edit.copy_run_tests")
        text = "Mail ann@example.test now."
        assert json.loads(clipboard()) == [
            {"rule": "email", "test": {"text": text, "match": True, "span": [5, 21]}}
        ]
        assert told == ["1 test case copied; matched text included"]

    live(qapp, theme, drive)


def test_a_long_run_is_not_worked_on_without_a_word(
    qapp: QApplication, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_export, "_LONG", 1)

    async def drive(window: MainWindow) -> None:
        told = await ran(window)
        run = window.context.run
        assert run is not None
        await window.export.write_report(run, tmp_path / "r.html")
        await window.export.copy("json")
        events = f"{len(run.store.events)} events"
        assert told[0] == f"Saving r.html, {events}"
        assert told[2] == f"Copying Run 1, {events}"
        assert told[3].startswith("Run 1 copied as JSON")

    live(qapp, theme, drive)
