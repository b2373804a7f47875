"""What `tripscope_gui.panes` promises to panes and asks of them."""

import ast
from pathlib import Path

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

import tripscope_gui.panes as package
from tests.support.made_events import leak_run
from tests.support.window import make_context
from tripscope_gui.panes import LAB_PLACES, PLACES, Pane, discover, front
from tripscope_gui.theme import Theme


class Probe(Pane):
    TITLE = "Probe"

    def __init__(self, context) -> None:  # type: ignore[no-untyped-def]
        super().__init__(context)
        self.calls: list[object] = []

    def reset(self) -> None:
        self.calls.append("reset")

    def grow(self, first: int, end: int) -> None:
        self.calls.append((first, end))

    def follow(self) -> None:
        self.calls.append("follow")

    def count(self) -> None:
        self.set_badge(str(len(self.store.events)) if self.store is not None else "")


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme) -> Probe:
    host = QWidget()
    qtbot.addWidget(host)
    made = Probe(make_context(theme))
    QVBoxLayout(host).addWidget(made)
    made.host = host  # type: ignore[attr-defined]
    return made


def test_a_pane_in_view_is_told_of_each_thing(pane: Probe) -> None:
    pane.host.show()  # type: ignore[attr-defined]
    assert pane.calls == ["reset", "follow"]
    pane.calls.clear()
    run = pane.context.runs.load(leak_run())
    assert pane.calls == ["reset", "follow"]
    pane.calls.clear()
    pane.context.events_appended.emit(3, 5)
    pane.context.selection.select(row=1)
    pane.context.selection.select(row=1)
    assert pane.calls == [(3, 5), "follow"]
    assert pane.badge == str(len(run.store.events))


def test_a_hidden_pane_is_left_alone_and_catches_up(pane: Probe) -> None:
    host = pane.host  # type: ignore[attr-defined]
    host.show()
    pane.context.runs.load(leak_run())
    host.hide()
    pane.calls.clear()
    pane.context.events_appended.emit(3, 5)
    pane.context.events_appended.emit(5, 9)
    pane.context.selection.select(row=1)
    assert pane.calls == []
    assert pane.badge != ""
    host.show()
    end = len(pane.context.store.events) if pane.context.store else 0
    assert pane.calls == [(3, end), "follow"]
    pane.calls.clear()
    host.hide()
    host.show()
    assert pane.calls == []


def test_another_run_makes_what_was_missed_of_the_old_one_moot(pane: Probe) -> None:
    host = pane.host  # type: ignore[attr-defined]
    host.show()
    pane.context.runs.load(leak_run())
    host.hide()
    pane.calls.clear()
    pane.context.events_appended.emit(3, 5)
    pane.context.runs.load(leak_run())
    host.show()
    assert pane.calls == ["reset", "follow"]


def test_every_pane_is_found_in_its_place() -> None:
    found = discover()
    places = (*PLACES, *LAB_PLACES)
    assert [pane.TITLE for pane in found] == [
        pane.TITLE
        for pane in sorted(found, key=lambda p: (places.index(p.PLACE), p.ORDER, p.TITLE))
    ]
    assert all(issubclass(pane, Pane) and pane.TITLE for pane in found)


def test_those_in_front_are_the_first_of_their_places() -> None:
    first = [next(pane for pane in discover() if place == pane.PLACE) for place in PLACES]
    assert set(front()) == set(first)


def test_panes_know_nothing_of_each_other() -> None:
    folder = Path(package.__file__).parent
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            others = {path.stem for path in folder.glob("*.py")} - {"__init__", file.stem}
            prefixes = tuple(f"tripscope_gui.panes.{other}" for other in others)
            assert not [name for name in names if prefixes and name.startswith(prefixes)], file
