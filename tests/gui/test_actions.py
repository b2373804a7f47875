import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tripscope_gui.actions import Actions, Command


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def test_a_command_becomes_an_action(window: QWidget) -> None:
    ran: list[str] = []
    actions = Actions(window)
    action = actions.add(Command("a.b", "Do it", "Edit", lambda: ran.append("b"), ("Ctrl+K",)))
    action.trigger()
    assert actions.trigger("a.b")
    assert ran == ["b", "b"]
    assert action.shortcut().toString() == "Ctrl+K"
    assert [c.id for c in actions.of_menu("Edit")] == ["a.b"]


def test_a_command_that_cannot_be_used_does_not_run(window: QWidget) -> None:
    usable = False
    ran: list[int] = []
    actions = Actions(window)
    actions.add(Command("a", "A", "Run", lambda: ran.append(1), enabled=lambda: usable))
    assert not actions.action("a").isEnabled()
    assert not actions.trigger("a")
    usable = True
    actions.refresh()
    assert actions.action("a").isEnabled()
    assert actions.trigger("a")
    assert ran == [1]


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (Command("a", "B", "Edit", lambda: None), "registered twice"),
        (Command("b", "B", "Nowhere", lambda: None), "no menu"),
        (Command("c", "C", "Edit", lambda: None, ("Ctrl+K",)), "is taken by a"),
    ],
)
def test_a_wrong_command_is_refused(window: QWidget, command: Command, fault: str) -> None:
    actions = Actions(window)
    actions.add(Command("a", "A", "Edit", lambda: None, ("Ctrl+K",)))
    with pytest.raises(ValueError, match=fault):
        actions.add(command)


def test_keys_of_a_pane_may_repeat_those_of_another(window: QWidget) -> None:
    actions = Actions(window)
    for name in ("x", "y"):
        pane = QWidget(window)
        actions.add(Command(name, name, "View", lambda: None, ("F",)), within=pane)
        assert pane.actions() == [actions.action(name)]


def test_groups_order_a_menu(window: QWidget) -> None:
    actions = Actions(window)
    for id_, group in (("late", 2), ("first", 0), ("second", 0)):
        actions.add(Command(id_, id_, "File", lambda: None, group=group))
    actions.add(Command("gone", "gone", "File", lambda: None, hidden=True))
    assert [c.id for c in actions.of_menu("File")] == ["first", "second", "late"]
