"""Faults reported of other desktop tools, in the whole window: offsets, foreign text as markup."""

import html
import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as Text
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QWidget

from tests.support.window import finished, live, session_wire, until, write_session
from tripscope.session import save_session, session_from_wire
from tripscope_gui.main_window import MainWindow
from tripscope_gui.models.finding_table import offsets_in
from tripscope_gui.panes.text import TextPane
from tripscope_gui.store.finding_rows import FindingRows
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.annotated_text import AnnotatedText

HOSTILE = '<b>x</b><img src="http://127.0.0.1:9/p.png"> & <3'
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
MIXED = f"\U0001f600\U0001f600 ann@example.test {FAMILY} 415-555-0132"


def units(text: str) -> list[str]:
    """The UTF-16 code units, a half of a pair as a lone surrogate."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return [chr(int.from_bytes(raw[at : at + 2], "little")) for at in range(0, len(raw), 2)]


def cut(text: str, start: int, end: int) -> str:
    raw = text.encode("utf-16-le", "surrogatepass")
    return raw[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")


def selected(view: AnnotatedText, start: int, end: int) -> str:
    """What Qt takes for the stretch."""
    cursor = view.textCursor()
    cursor.setPosition(view.position_of(start))
    cursor.setPosition(view.position_of(end), QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


@pytest.mark.parametrize("alone", [False, True], ids=["one chunk", "a unit per chunk"])
@pytest.mark.parametrize(
    "text",
    [MIXED, "e\u0301\r\n" + MIXED, "\ud83d " + MIXED, "\ude00" + MIXED + " \ud83d"],
    ids=["emoji", "accent and CR LF", "lone high", "lone low"],
)
def test_marks_do_not_drift_behind_emoji(
    qapp: QApplication, theme: Theme, tmp_path: Path, text: str, alone: bool
) -> None:
    async def drive(window: MainWindow) -> None:
        deltas = units(text) if alone else [text]
        script = {"use": "scripted", "script": [{"text": deltas}]}
        window.documents.open_session(write_session(tmp_path, model=script))
        run = await finished(window, window.context.runs.start)
        await until(lambda: window.context.tasks.running == 0)
        mails = [f for f in run.store.findings if f.rule == "email"]
        assert {cut(text, f.start, f.end) for f in mails} == {"ann@example.test"}
        (phone,) = {(f.start, f.end) for f in run.store.findings if f.rule == "phone"}
        assert cut(text, *phone) == "415-555-0132"
        rows = FindingRows(run.store)
        rows.grow()
        (shown,) = {
            tuple(offsets_in(row, unit) for unit in ("UTF-16", "code points", "UTF-8"))
            for row in rows
            if row.event.rule == "email"
        }
        before = text[: text.index("ann@")]
        starts = (
            len(units(before)),
            len(before),
            len(before.encode("utf-8", "surrogatepass")),
        )
        assert shown == tuple((at, at + 16) for at in starts)
        if text == MIXED:
            assert shown[:2] == ((5, 21), (3, 19))
        # what each coloured stretch of the text pane covers is the match that was reported
        pane = window.work.grid.pane("Text")
        assert isinstance(pane, TextPane)
        view = pane.before.text
        await until(lambda: view.text() == text and len(view.spans) >= 2)
        covered = {span.rule: selected(view, span.start, span.end) for span in view.spans}
        assert covered == {"email": "ann@example.test", "phone": "415-555-0132"}

    live(qapp, theme, drive)


def foreign_markup(window: MainWindow) -> list[str]:
    """Where something that Qt would take for markup holds foreign text that isn't escaped."""
    tips: list[tuple[str, str]] = []
    found = []
    for widget in [window, *window.findChildren(QWidget)]:
        name = f"{type(widget).__name__} {widget.accessibleName()}"
        tips += [(name, widget.toolTip()), (name, widget.statusTip()), (name, widget.whatsThis())]
        if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText:
            tips.append((name, widget.text()))
        if isinstance(widget, QLabel) and "&lt;" in widget.text():
            found.append(f"{name} shows entities")
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            model = widget.model()
            for row in range(min(model.rowCount(), 30)):
                for column in range(model.columnCount()):
                    tip = model.index(row, column).data(Qt.ItemDataRole.ToolTipRole)
                    tips.append((f"{name} {row},{column}", tip if isinstance(tip, str) else ""))
    for name, tip in tips:
        if Text.mightBeRichText(tip) and re.search(r"<(b|img)\b|<3", tip):
            found.append(f"{name}: {tip}")
    return found


def session_of(strategy: str) -> dict[str, object]:
    rule = {"name": HOSTILE, "pattern": "img", "flags": "g", "replacement": HOSTILE}
    return {
        "name": HOSTILE,
        "prompts": [f"please {HOSTILE}"],
        "model": {"use": "scripted", "script": [{"text": [HOSTILE[:12], HOSTILE[12:]]}]},
        "chain": [
            {
                "id": HOSTILE,
                "type": "regex-filter",
                "options": {"strategy": strategy, "phase": "output"},
                "rules": [rule],
            }
        ],
    }


SESSIONS = {
    "redact": session_of("redact"),
    "warn": session_of("warn"),
    "block": session_of("block"),
    "reason": session_of("warn")
    | {
        "chain": [
            {
                "id": HOSTILE,
                "type": "answer-check",
                "options": {"pattern": "never", "reason": HOSTILE},
            }
        ]
    },
    "error": session_of("warn")
    | {
        "model": {
            "use": "scripted",
            "script": [{"error": {"message": HOSTILE, "statusCode": 503}}],
        }
    },
}


@pytest.mark.parametrize("kind", SESSIONS)
def test_foreign_text_is_never_markup(
    qapp: QApplication, theme: Theme, tmp_path: Path, kind: str
) -> None:
    async def drive(window: MainWindow) -> None:
        path = tmp_path / f"{HOSTILE.replace('/', '_')}.tripscope.json"
        save_session(session_from_wire(session_wire(**SESSIONS[kind])), path)
        window.documents.open_session(path)
        context = window.context
        run = await finished(window, context.runs.start)
        for row in range(min(len(run.store.rows), 4)):
            context.selection.select(row=row)
        for pane in window.work.grid.panes:
            context.show_pane(pane.TITLE)
            await until(lambda: context.tasks.running == 0)
            assert foreign_markup(window) == []
        context.say(HOSTILE)
        context.actions.trigger("view.rule_lab")
        await finished(window, context.runs.replay)
        assert foreign_markup(window) == []
        context.actions.trigger("run.compare")
        window.open_palette()
        await until(lambda: context.tasks.running == 0)
        assert foreign_markup(window) == []
        assert html.escape(HOSTILE) not in window.windowTitle()

    live(qapp, theme, drive)
