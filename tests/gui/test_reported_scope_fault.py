"""M5: a filter reads plain text only; what it does not read stays as it is, and is shown so."""

import json
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.gui.look.hand import Hand
from tests.support.window import finished, live, session_wire
from tripscope.session import session_from_wire
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.icons import Icon
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes.messages import MessagesPane
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.annotated_text import AnnotatedText
from tripscope_gui.widgets.check_item import CheckState

ADDRESS = "ann@example.test"
ARGUMENTS: dict[str, Any] = {"to": ADDRESS, "n": [{"p": "415-555-0132"}]}
NESTED: dict[str, Any] = {"rows": [{"mail": ADDRESS, "n": 1, "ok": True}], "total": 1}
AS_TEXT = json.dumps({"mail": ADDRESS})


def session(*more: dict[str, Any]) -> dict[str, object]:
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": "send"}
    look = {"type": "tool-call", "toolCallId": "c2", "toolName": "look", "input": "{}"}
    first = [call | {"input": json.dumps(ARGUMENTS)}, look]
    schema = {"inputSchema": {"type": "object"}}
    pii = {"presets": ["pii"], "strategy": "redact", "streamCarryoverSize": 24}
    return session_wire(
        instructions=f"Escalate to {ADDRESS}.",
        model={
            "use": "scripted",
            "script": [
                {"chunks": [*first, {"type": "finish", "finishReason": "tool-calls"}]},
                {"text": ["Sent to ann@exa", "mple.test."]},
            ],
        },
        tools=[
            {"name": "send", "results": [NESTED], **schema},
            {"name": "look", "results": [AS_TEXT], **schema},
        ],
        chain=[{"id": "pii", "type": "regex-filter", "options": pii}, *more],
    )


def not_scanned(pane: MessagesPane) -> dict[str, tuple[str, object]]:
    """By source: what the table says is not scanned, and the icon beside it."""
    model = pane.model
    titles = [column.title for column in model.columns]
    source, column = titles.index("source"), titles.index("not scanned")
    return {
        model.index(row, source).data(): (
            model.index(row, column).data(),
            model.index(row, column).data(CellRole.ICON),
        )
        for row in range(model.rowCount())
    }


def test_what_is_not_read_is_shown_as_such(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        hand = Hand(window)
        await hand.begin()
        context = window.context
        context.session.take(session_from_wire(session()))
        run = await finished(window, context.runs.start)
        store = run.store
        # the strip names the kinds, and leads to the first of them
        kinds = window.work.checks.items["kinds"]
        await hand.see(lambda: kinds.state is CheckState.UNSCANNED)
        assert kinds.detail == "tool-args 2, tool-result 2"
        await hand.press(f"Kinds: {kinds.link_button.text()}")
        row = store.rows[context.selection.current.row or 0]
        assert row.type == "tool-call"
        cells = [
            store.rows.cell(row, "pii").state
            for row in store.rows
            if row.type in ("tool-call", "tool-result")
        ]
        assert cells == ["unscanned"] * 4
        # arguments and results keep their structure and their types
        args, results = (
            [row.delivered[-1].chunk.to_wire()["payload"] for row in store.rows if row.type == kind]
            for kind in ("tool-call", "tool-result")
        )
        assert args[0]["args"] == ARGUMENTS
        assert [payload["result"] for payload in results] == [NESTED, AS_TEXT]
        # text was read: in the stream, and in the list of messages that is stored
        assert hand.named(AnnotatedText, "Text after").text() == "Sent to [EMAIL]."
        context.show_pane("Messages")
        context.selection.select()
        pane = window.work.grid.pane("Messages")
        assert isinstance(pane, MessagesPane)
        await hand.see(pane.isVisible)
        assert not_scanned(pane) == {
            "system": ("system text", Icon.EYE_CROSSED),
            "input": ("", None),
            "response": ("tool-args, tool-result", Icon.EYE_CROSSED),
        }
        stored = pane.model.index(pane.model.rowCount() - 1, 6).data(Qt.ItemDataRole.DisplayRole)
        assert "Sent to [EMAIL]." in stored
        assert json.dumps(ARGUMENTS) in stored
        assert json.dumps(NESTED) in stored

    live(qapp, theme, drive)


def test_what_another_processor_reads_is_not_called_unscanned(
    qapp: QApplication, theme: Theme
) -> None:
    async def drive(window: MainWindow) -> None:
        options = {"presets": ["pii"]}
        tool_filter = {"id": "tools", "type": "redact-tool-result", "options": options}
        window.context.session.take(session_from_wire(session(tool_filter)))
        run = await finished(window, window.context.runs.start)
        window.context.show_pane("Messages")
        window.context.selection.select()
        pane = window.work.grid.pane("Messages")
        assert isinstance(pane, MessagesPane)
        assert not_scanned(pane)["response"][0] == "tool-args"
        results = [row for row in run.store.rows if row.type == "tool-result"]
        # redacted in place: same structure, same types
        delivered = results[0].delivered[-1].chunk.to_wire()["payload"]
        assert delivered["result"] == {
            "rows": [{"mail": "[EMAIL]", "n": 1, "ok": True}],
            "total": 1,
        }

    live(qapp, theme, drive)
