"""Names with marks of direction turn round nothing that stands beside them."""

import re
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel

from tests.support.still import still
from tests.support.window import finished, live, session_wire
from tripscope.session import save_session, session_from_wire
from tripscope_gui.main_window import MainWindow
from tripscope_gui.store.values import json_text
from tripscope_gui.theme import Theme

TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
NAME = "gn\u202eitne"


def words_of(window: MainWindow) -> list[str]:
    """All that labels, buttons, boxes, menus, tables and titles show."""
    found = [window.windowTitle(), window.status.currentMessage()]
    found += [label.text() for label in window.findChildren(QLabel)]
    found += [button.text() for button in window.findChildren(QAbstractButton)]
    found += [action.text() for action in window.findChildren(QAction)]
    for box in window.findChildren(QComboBox):
        found += [box.itemText(n) for n in range(box.count())]
    return found


def test_names_of_all_kinds(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    options = {
        "strategy": "redact",
        "rules": [{"name": f"r-{NAME}", "pattern": "ann", "replacement": "[A]"}],
    }
    chain = [{"id": f"p-{NAME}", "type": "regex-filter", "options": options}]
    wire = session_wire(name=f"s-{NAME} [*]", chain=chain)
    path = tmp_path / f"file-{NAME}.tripscope.json"
    save_session(session_from_wire(wire), path)

    async def drive(window: MainWindow) -> None:
        context = window.context
        assert await window.documents.open(path)
        await finished(window, context.runs.start)
        await finished(window, context.runs.replay)
        await still(window)
        for pane in ("Text", "Request", "State", "Messages", "Rules", "Findings", "Runs"):
            window.work.grid.show_pane(pane)
            await still(window)
        assert context.actions.trigger("view.rule_lab")
        await still(window)
        assert context.actions.trigger("file.save")
        await still(window)
        words = words_of(window)
        shown = [text for text in words if "gn\u21e4itne" in text]
        assert [text for text in words if TURNS.search(text)] == []
        assert {text[:2] for text in shown} >= {"fi", "p-"}, shown
        assert "s-gn\u21e4itne" in window.run_bar.session_button._name.cut_text()
        context.session.take(context.session.session, unsaved=True)
        await still(window)
        assert window.windowTitle().startswith("s-gn\u21e4itne [*][*]")

    live(qapp, theme, drive, size=(1280, 800))


def test_json_says_what_turns() -> None:
    assert json_text({"a": NAME}) == '{"a": "gn\\u202eitne"}'
    assert json_text("\ud83d\U0001f600\u05e9") == '"\\ud83d\U0001f600\u05e9"'
