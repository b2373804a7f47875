"""The message list at the selected moment."""

from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tests.support.made_events import Events
from tests.support.pane_context import changes, feed, open_pane
from tripscope.trace.events import MessagesChanged
from tripscope_gui.panes.messages import MessagesPane
from tripscope_gui.theme import Theme

SIZE = (800, 360)


def rows(pane: MessagesPane) -> list[tuple[str, ...]]:
    model = pane.model
    return [
        tuple(model.index(row, column).data() for column in (0, 1, 2, 3, 4))
        for row in range(model.rowCount())
    ]


def test_a_changed_message_has_a_new_version_and_a_diff(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, MessagesPane, example_events("secret-in-prompt"), SIZE)
    QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert rows(pane) == [
        ("", "system", "system", "system 1", ""),
        ("~", "input", "user", "m1", "1"),
    ]
    pane.form.set_current("diff")
    assert pane.detail.toPlainText().split("\n")[-2:] == [
        "- Deploy with AKIAIOSFODNN7EXAMPLE and mail the log to bo@example.test",
        "+ Deploy with AKIAIOSFODNN7EXAMPLE and mail the log to [EMAIL]",
    ]
    pane.form.set_current("json")
    assert '"role": "user"' in pane.detail.toPlainText()


def test_stepping_selects_the_event_that_changed_the_list(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, MessagesPane, example_events("tool-loop"), SIZE)
    store = pane.store
    assert store is not None
    newest = rows(pane)
    seen = changes(pane.context)
    pane.earlier.click()
    assert [selection.seq for selection in seen] == [store.messages[-2].seq]
    assert rows(pane) != newest
    pane.later.click()
    assert rows(pane) == newest
    assert not pane.later.isEnabled()


def test_added_and_removed_messages_are_marked(qtbot: QtBot, theme: Theme) -> None:
    made = Events()
    text = {"role": "user", "content": "hi"}
    made.put(MessagesChanged, order=(("a@0", "memory"), ("b@0", "input")),
             versions=(("a@0", text), ("b@0", text)))  # fmt: skip
    made.put(MessagesChanged, order=(("b@0", "input"), ("c@0", "response")),
             versions=(("c@0", {"role": "assistant", "content": "\ud83d <i>"}),))  # fmt: skip
    pane = open_pane(qtbot, theme, MessagesPane, made.all, SIZE)
    assert rows(pane) == [
        ("", "input", "user", "b", "0"),
        ("+", "response", "assistant", "c", "0"),
        ("\N{MINUS SIGN}", "memory", "user", "a", "0"),
    ]
    pane.table.selectRow(1)
    assert pane.detail.toPlainText() == "\ufffd <i>"


def test_it_grows_and_is_empty_before(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, MessagesPane, size=SIZE)
    assert pane.empty.accessibleName().startswith("No run yet")
    feed(pane.context, example_events("support-agent"))
    store = pane.store
    assert store is not None
    assert pane.place() == len(store.messages) - 1
    pane.context.selection.select(step=0, attempt=0)
    assert pane.place() is not None
    assert pane.place() != len(store.messages) - 1
