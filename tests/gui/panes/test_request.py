"""The exact request of each provider call."""

import json

from pytestqt.qtbot import QtBot

from tests.support.example_runs import example_events
from tests.support.made_events import Events
from tests.support.pane_context import changes, feed, open_pane
from tripscope.trace.events import ModelRequested
from tripscope_gui.panes.request import RequestPane
from tripscope_gui.theme import Theme

SIZE = (800, 360)


def test_the_newest_call_as_text_and_as_json(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, RequestPane, example_events("support-agent"), SIZE)
    store = pane.store
    assert store is not None
    assert pane.call.currentText() == "request 3, step 1, attempt 2"
    assert pane.view.toPlainText().startswith("[system]\nYou help the staff of a shop.")
    pane.form.set_current("json")
    body = json.loads(pane.view.toPlainText())
    assert body["prompt"] == list(store.requests[-1].prompt)
    assert body["tools"][0]["name"] == "lookup_contact"


def test_the_feedback_of_a_retry_stands_out_in_the_diff(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, RequestPane, example_events("support-agent"), SIZE)
    pane.form.set_current("diff")
    lines = pane.view.toPlainText().split("\n")
    added = [line for line in lines if line.startswith("+ [Processor Feedback]")]
    assert len(added) == 1
    assert not [line for line in lines if line.startswith("- ")]


def test_calls_follow_and_set_the_selection(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, RequestPane, example_events("support-agent"), SIZE)
    store = pane.store
    assert store is not None
    seen = changes(pane.context)
    pane.context.selection.select(step=0, attempt=0)
    assert pane.call.currentIndex() == 0
    assert not pane.form.button("diff").isEnabled()
    pane.call.setCurrentIndex(1)
    pane.call.activated.emit(1)
    assert [s.seq for s in seen] == [None, store.requests[1].seq]
    assert pane.call.currentIndex() == 1


def test_a_prompt_that_is_not_the_recorded_one_says_so(qtbot: QtBot, theme: Theme) -> None:
    made = Events()
    made.put(
        ModelRequested, call=0, model="m", prompt=({"role": "user", "content": "\ud83d<b>"},),
        differs=True,
    )  # fmt: skip
    pane = open_pane(qtbot, theme, RequestPane, made.all, SIZE)
    assert pane.notice.isVisible()
    assert pane.view.toPlainText() == "[user]\n\ufffd<b>"


def test_it_grows_and_says_when_nothing_was_sent(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, RequestPane, size=SIZE)
    assert pane.empty.accessibleName().startswith("No run yet")
    feed(pane.context, example_events("tool-loop"))
    assert pane.call.count() == 3
    pane.context.runs.load(example_events("secret-in-prompt"))
    assert pane.empty.accessibleName() == "No request was sent. The model was not called"
