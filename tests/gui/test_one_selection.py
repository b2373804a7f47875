"""One selection, many views: what is clicked in one pane, all others show, and nothing goes round.

Driven in the whole window with real clicks and keys.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QSlider

from tests.gui.look.driven import by_hand, in_example
from tests.gui.look.hand import Hand
from tests.support.patience import WHOLE
from tests.support.window import finished, write_session
from tripscope_gui.main_window import MainWindow
from tripscope_gui.selection import Selection
from tripscope_gui.theme import Theme
from tripscope_gui.widgets import outline
from tripscope_gui.widgets.annotated_text import AnnotatedText
from tripscope_gui.widgets.breadcrumb import Breadcrumb
from tripscope_gui.widgets.chunk_view import ChunkView
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel
from tripscope_gui.widgets.tables import TableView
from tripscope_gui.widgets.timeline.canvas import TimelineCanvas


class Told:
    """Counts how often a selection was told of: once for each thing that is done."""

    def __init__(self, window: MainWindow) -> None:
        self.selections: list[Selection] = []
        window.context.selection.changed.connect(self.selections.append)

    def once(self) -> Selection:
        assert len(self.selections) == 1, self.selections
        return self.selections.pop()


def text(hand: Hand, side: str) -> AnnotatedText:
    return hand.named(AnnotatedText, f"Text {side}")


def marked(hand: Hand, table: str) -> list[str]:
    """The cells of the row that a table marks; none if it marks none."""
    view = hand.named(TableView, table)
    model, row = view.model(), view.currentIndex().row()
    cells = range(model.columnCount() if row >= 0 else 0)
    return [str(model.index(row, column).data() or "") for column in cells]


def chunk(hand: Hand) -> str:
    """Number of the chunk that the chunks table marks."""
    view = hand.named(ChunkView, "Chunks")
    return str(view.currentIndex().siblingAtColumn(0).data())


def crumbs(hand: Hand) -> tuple[str, ...]:
    """What the breadcrumb reads, from the step on."""
    return hand.named(Breadcrumb, "selection").segments[1:]


def says(hand: Hand, words: str) -> bool:
    """Whether a label in view reads so."""
    texts = [label.text() for label in hand.in_view(ElidedLabel)]
    texts += [label.text() for label in hand.in_view(PlainLabel)]
    return any(words in text for text in texts)


EMAIL = (
    "step 1",
    "attempt 2",
    "processOutputStream",
    "regex-filter",
    "chunk 24",
    "finding email",
    "span 21\u201341 UTF-16",
)


def test_a_finding_is_shown_by_every_pane(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        window = hand.window
        timeline = hand.named(TimelineCanvas, "timeline")
        cursor = timeline.cursor_value()
        window.context.show_pane("State")
        told = Told(window)
        await hand.pick(hand.named(TableView, "findings"), "email")
        now = told.once()
        assert (now.rule, now.processor, now.hook) == ("email", EMAIL[3], EMAIL[2])
        assert crumbs(hand) == EMAIL
        assert chunk(hand) == "24"
        assert hand.named(ChunkView, "Chunks").lineage.nodes
        # the text is that of the attempt, and the match flashes on both sides
        for side, found in (("before", "ann.lee@example.test"), ("after", "[EMAIL]")):
            view = text(hand, side)
            assert view.outlined is not None
            assert view.text()[slice(*view.outlined)] == found
        assert timeline.cursor_value() != cursor
        assert says(hand, "processOutputStream, chunk 24")
        window.context.show_pane("Rules")
        assert "email" in marked(hand, "rules")
        # another one, by key
        await hand.key("Down")
        assert told.once().rule == "phone"
        assert "phone" in marked(hand, "rules")
        assert crumbs(hand)[5] == "finding phone"

    in_example(qapp, theme, "support-agent", drive)


def test_a_long_text_is_scrolled_to_the_finding_and_flashes(
    qapp: QApplication, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # while the test looks, and no longer
    monkeypatch.setattr(outline, "FLASH_MS", int(WHOLE * 1000))
    words = [f"word {n} and more of them " for n in range(400)]
    words[300] = "write to ann@example.test "
    script = {"use": "scripted", "script": [{"text": words}]}

    async def drive(hand: Hand) -> None:
        window = hand.window
        window.documents.open_session(write_session(tmp_path, model=script))
        run = await finished(window, window.context.runs.start)
        window.context.selection.select(row=len(run.store.rows) - 1)
        await hand.see(lambda: text(hand, "after").text().endswith("them "))
        await hand.pick(hand.named(TableView, "findings"), "email")
        for side in ("before", "after"):
            view = text(hand, side)
            assert view.outlined is not None
            cursor = view.textCursor()
            for offset in view.outlined:
                cursor.setPosition(view.position_of(offset))
                assert view.viewport().rect().contains(view.cursorRect(cursor))
            assert view.flashing
        for timer in hand.window.findChildren(QTimer):
            if isinstance(timer.parent(), outline.Outline):
                timer.setInterval(1)
        await hand.see(lambda: not text(hand, "before").flashing)
        assert text(hand, "before").outlined is not None

    by_hand(qapp, theme, drive)


def test_a_finding_in_a_tool_result_shows_its_string(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        told = Told(hand.window)
        for rule, before, after in (
            ("email", "jo.park@example.test", "[EMAIL]"),
            ("ssn", "123-45-6789", "[SSN]"),
        ):
            await hand.pick(hand.named(TableView, "findings"), rule)
            assert told.once().rule == rule
            for side, words in (("before", before), ("after", after)):
                view = text(hand, side)
                assert view.text() == words
                assert view.outlined == (0, len(words))
        assert hand.button("Text shown: processToolResult \u00b7 call_1 \u00b7 ssn")
        await hand.point(text(hand, "after"), "SSN]", alt=True)
        assert told.selections == []

    in_example(qapp, theme, "tool-loop", drive)


def test_alt_click_in_the_text_finds_its_rule_and_its_chunk(
    qapp: QApplication, theme: Theme
) -> None:
    async def drive(hand: Hand) -> None:
        await hand.pick(hand.named(TableView, "findings"), "email")
        told = Told(hand.window)
        await hand.point(text(hand, "after"), "BEARER", alt=True)
        assert told.once().rule == "bearer-token"
        # the first of the model's chunks that the match came in
        assert crumbs(hand)[3:6] == ("secrets", "chunk 25", "finding bearer-token")
        assert "bearer-token" in marked(hand, "findings")
        assert "bearer-token" in marked(hand, "rules")
        # where no rule matched it is the chunk alone
        await hand.point(text(hand, "before"), "Anything", alt=True)
        assert told.once().rule is None
        assert chunk(hand) == "29"
        assert marked(hand, "findings") == []
        # a click without Alt moves the caret and nothing else
        await hand.point(text(hand, "before"), "token")
        assert told.selections == []

    in_example(qapp, theme, "support-agent", drive)


def test_enter_walks_from_a_placeholder_to_its_cause(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        await hand.pick(hand.named(TableView, "findings"), "email")
        hand.window.context.show_pane("Event")
        hand.window.context.show_pane("Text")
        told = Told(hand.window)
        await hand.point(text(hand, "after"), "EMAIL]")
        await hand.key("Return")
        assert told.once().finding is not None
        assert "email" in marked(hand, "findings")
        outlined = text(hand, "before").outlined
        assert outlined == (21, 41)
        chunks = []
        for _ in range(2):
            await hand.key("Return")
            assert told.once().seq is not None
            chunks.append(chunk(hand))
        assert chunks == ["23", "24"]
        assert "Cause of email of regex-filter, 3 of 3" in hand.window.status.currentMessage()
        await hand.key("Return")
        assert told.once().seq is None

    in_example(qapp, theme, "support-agent", drive)


def test_back_and_forward_by_key_and_by_button(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        findings = hand.named(TableView, "findings")
        await hand.pick(findings, "email")
        await hand.pick(findings, "phone")
        told = Told(hand.window)
        await hand.key("Alt+Left")
        assert told.once().rule == "email"
        assert crumbs(hand) == EMAIL
        assert "email" in marked(hand, "findings")
        await hand.key("Alt+Right")
        assert told.once().rule == "phone"
        await hand.press("Back")
        assert told.once().rule == "email"
        await hand.press("Forward")
        assert told.once().rule == "phone"
        assert not hand.button("Forward").isEnabled()

    in_example(qapp, theme, "support-agent", drive)


def test_the_breadcrumb_leads_back_up(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        await hand.pick(hand.named(TableView, "findings"), "email")
        told = Told(hand.window)
        await hand.press("chunk 24")
        assert told.once().finding is None
        assert crumbs(hand) == EMAIL[:5]
        assert marked(hand, "findings") == []
        assert chunk(hand) == "24"
        await hand.press("attempt 2")
        told.once()
        assert crumbs(hand) == EMAIL[:2]

    in_example(qapp, theme, "support-agent", drive)


def test_chunks_by_mouse_and_key_move_the_others(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        view = hand.named(ChunkView, "Chunks")
        told = Told(hand.window)
        await hand.pick(view, "14")
        assert told.once().row == 13
        assert "chunk 14" in crumbs(hand)
        assert says(hand, "lineage of chunk 14")
        assert text(hand, "before").outlined is not None
        value = hand.named(TimelineCanvas, "timeline").cursor_value()
        await hand.key("Up")
        assert told.once().row == 12
        assert hand.named(TimelineCanvas, "timeline").cursor_value() != value
        # a cell of a processor selects that processor too
        index = view.currentIndex().siblingAtColumn(view.table.section_of("secrets"))
        await hand.click(view.viewport(), view.visualRect(index).center(), "a cell of secrets")
        assert told.once().processor == "secrets"
        assert says(hand, "secrets")

    in_example(qapp, theme, "support-agent", drive)


def test_the_timeline_moves_the_others(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        canvas = hand.named(TimelineCanvas, "timeline")
        told = Told(hand.window)
        await hand.click(canvas.viewport(), QPoint(60, canvas.height() // 2), "a lane")
        processor = told.once().processor
        assert processor is not None
        assert crumbs(hand)[-1] == processor or processor in crumbs(hand)
        await hand.key("Right")
        row = told.once().row
        assert row is not None
        assert chunk(hand) == str(row + 1)
        await hand.key("Right")
        assert told.once().row == row + 1
        assert chunk(hand) == str(row + 2)

    in_example(qapp, theme, "support-agent", drive)


def test_hooks_and_state_move_the_others(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        window = hand.window
        window.context.show_pane("Hooks")
        window.context.show_pane("State")
        hooks = next(view for view in hand.in_view(TableView) if view.accessibleName() == "hooks")
        told = Told(window)
        model = hooks.model()
        titles = [
            str(model.headerData(c, Qt.Orientation.Horizontal)) for c in range(model.columnCount())
        ]
        column = next(n for n, title in enumerate(titles) if "OutputStream" in title)
        index = model.index(1, column)
        await hand.click(hooks.viewport(), hooks.visualRect(index).center(), "a hook")
        now = told.once()
        assert now.hook == "processOutputStream"
        assert crumbs(hand)[-1] == now.processor
        scrubber = hand.named(QSlider, "event")
        await hand.click(scrubber, QPoint(scrubber.width() - 4, scrubber.height() // 2), "the end")
        assert told.once().seq is not None

    in_example(qapp, theme, "support-agent", drive)


def test_runs_are_chosen_in_their_table(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        window = hand.window
        await hand.key("Ctrl+Return")
        await hand.see(lambda: len(window.context.workspace.runs) == 2)
        window.context.show_pane("Runs")
        await hand.see(lambda: window.context.run is window.context.workspace.runs[-1])
        runs = hand.named(TableView, "runs")
        place = runs.visualRect(runs.model().index(0, 1)).center()
        told = Told(window)
        await hand.click(runs.viewport(), place, "the other run")
        run = window.context.run
        assert run is not None
        assert told.once().run == run.number
        assert hand.named(Breadcrumb, "selection").segments[0].startswith(run.title)

    in_example(qapp, theme, "support-agent", drive)
