"""Timeline, chunks and text in the whole window, by mouse and keys, as one looks into a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit

from tests.gui.look.driven import by_hand, in_example
from tests.gui.look.hand import Hand
from tests.support.window import slow_script, until, write_session
from tripscope_gui.shot import show_run
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.annotated_text import AnnotatedText
from tripscope_gui.widgets.caret_bar import CaretBar
from tripscope_gui.widgets.chunk_view import ChunkView
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel
from tripscope_gui.widgets.tables import TableView
from tripscope_gui.widgets.timeline.canvas import TimelineCanvas
from tripscope_gui.widgets.timeline.paint import RULER


def says(hand: Hand, words: str) -> bool:
    texts = [label.text() for label in hand.in_view(PlainLabel)]
    texts += [label.text() for label in hand.in_view(ElidedLabel)]
    return any(words in text for text in texts)


def test_the_timeline_is_zoomed_panned_and_fitted(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        canvas = hand.named(TimelineCanvas, "timeline")
        view = canvas.viewport()
        assert canvas.data is not None
        lanes = [lane.id for lane in canvas.data.lanes]
        assert lanes == [
            "model",
            "unicode-normalizer",
            "regex-filter",
            "secrets",
            "quality-guardrail",
            "tools",
            "client",
        ]
        middle = QPoint(view.width() // 2, view.height() // 2)
        whole = canvas.scale
        await hand.wheel(view, middle, 240)
        assert canvas.scale.unit < whole.unit
        zoomed = canvas.scale
        await hand.drag(view, middle, middle - QPoint(150, 0), "the plot")
        assert canvas.scale.low > zoomed.low
        assert canvas.scale.unit == pytest.approx(zoomed.unit)
        for key, moved in (("D", "low"), ("A", "low"), ("W", "unit"), ("S", "unit")):
            before = getattr(canvas.scale, moved)
            await hand.key(key)
            after = getattr(canvas.scale, moved)
            assert (after > before) is (key in "DS"), key
        await hand.key("F")
        assert canvas.scale == whole
        await hand.press("sequence")
        assert canvas.kind == "sequence"
        await hand.press("time")
        assert canvas.scale == whole

    in_example(qapp, theme, "support-agent", drive)


def test_a_stretch_of_the_ruler_restricts_the_lists(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        canvas = hand.named(TimelineCanvas, "timeline")
        findings = hand.named(TableView, "findings")
        all_findings = findings.model().rowCount()
        assert says(hand, "32 of 32 rows")
        store = hand.window.context.store
        assert store is not None
        last = store.attempts.all[-1]
        assert last.end is not None
        left = QPoint(round(canvas.scale.x(last.start)) + 2, RULER - 6)
        right = QPoint(round(canvas.scale.x(last.end)), RULER - 6)
        await hand.drag(canvas.viewport(), left, right, "along the ruler")
        assert canvas.stretch is not None
        assert not says(hand, "32 of 32 rows")
        assert 0 < findings.model().rowCount() < all_findings
        await hand.key("Escape")
        assert canvas.stretch is None
        assert says(hand, "32 of 32 rows")
        assert findings.model().rowCount() == all_findings

    in_example(qapp, theme, "support-agent", drive)


def test_chunks_are_filtered_by_words_and_chips(qapp: QApplication, theme: Theme) -> None:
    async def drive(hand: Hand) -> None:
        view = hand.named(ChunkView, "Chunks")

        def numbers() -> list[int]:
            table = view.table
            rows = (table.chunk_row(place) for place in range(table.rowCount()))
            return [row.number + 1 for row in rows if row is not None]

        store = hand.window.context.store
        assert store is not None
        calls = [row.number + 1 for row in store.rows if row.type == "tool-call"]
        assert len(calls) == 1
        field = hand.named(QLineEdit, "Filter of the chunks")
        await hand.click(field, field.rect().center(), "into the filter")
        for query, fits in (
            ("rule:email", [23, 24]),
            ("rule:email held", [23, 24]),
            ("rule:email & !held", []),
            ("type:reasoning-delta /without/", [20]),
            ("(rule:email | type:tool-call) !type:text-delta", calls),
        ):
            await hand.key("Ctrl+A")
            await hand.type(query)
            await hand.see(lambda: view.table.filtered)
            assert [n for n in numbers() if n in fits] == fits, query
            assert len(numbers()) == len(fits), (query, numbers())
        await hand.key("Ctrl+A")
        await hand.key("Backspace")
        await hand.see(lambda: len(numbers()) == 32)
        # switched on and off without typing
        await hand.press("changed")
        changed = len(numbers())
        assert 0 < changed < 32
        await hand.press("changed")
        assert len(numbers()) == 32

    in_example(qapp, theme, "support-agent", drive)


def test_the_tail_is_let_go_and_a_freeze_is_no_stop(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(hand: Hand) -> None:
        window = hand.window
        context = window.context
        window.documents.open_session(write_session(tmp_path, model=slow_script(1500, 4)))
        run = context.runs.start()
        assert run is not None
        store = run.store
        await until(lambda: len(store.rows) > 80)
        view = hand.named(ChunkView, "Chunks")
        # fewer rows may be listed so far than fill the view
        await until(lambda: view.verticalScrollBar().maximum() > 0 and view.at_end)
        await hand.wheel(view.viewport(), QPoint(200, 100), 600)
        value = view.verticalScrollBar().value()
        await until(lambda: any(b.text().endswith(" new") for b in hand.in_view(QAbstractButton)))
        assert view.verticalScrollBar().value() == value
        await hand.key("F9")
        # what had come by then is still shown, a view at a time
        await until(lambda: not context.turns._waiting and not context.turns.serving)
        shown = view.table.rowCount()
        await until(lambda: context.runs.behind > 60)
        assert view.table.rowCount() == shown
        assert context.runs.running
        await hand.key("F9")
        await until(lambda: view.table.rowCount() > shown)
        await hand.press(
            next(b.text() for b in hand.in_view(QAbstractButton) if b.text().endswith(" new"))
        )
        await until(lambda: view.at_end)
        await hand.key("Shift+F5")
        await until(lambda: not context.runs.running)
        assert store.status == "cancelled"
        assert len(store.rows) > 80

    by_hand(qapp, theme, drive)


def test_the_text_tells_offsets_and_odd_characters(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    words = ["\U0001f4b3 caf\u00e9 \u200bp\u0430y to ann@exa", "mple.test now. ", "line\n" * 60]
    script = {"use": "scripted", "script": [{"text": words}]}

    async def drive(hand: Hand) -> None:
        await show_run(hand.window, write_session(tmp_path, model=script))
        before = hand.named(AnnotatedText, "Text before")
        after = hand.named(AnnotatedText, "Text after")
        await hand.see(lambda: "[EMAIL]" in after.text())
        # offsets at the caret, in all three units
        await hand.point(before, "ann@")
        bar = next(hand.in_view(CaretBar))
        assert bar.numbers == ("16", "15", "22")
        await hand.key("Right")
        assert bar.numbers == ("17", "16", "23")
        # both sides scroll together, until they are let go
        await hand.wheel(before.viewport(), QPoint(20, 20), -2400)
        assert before.top_offset() > 0
        assert after.top_offset() == before.top_offset() - (16 - len("[EMAIL]"))
        await hand.press("synchronised")
        kept = after.top_offset()
        await hand.wheel(before.viewport(), QPoint(20, 20), 2400)
        assert before.top_offset() == 0
        assert after.top_offset() == kept
        # invisible and look-alike characters on demand
        assert before.odd == []
        await hand.press("invisibles")
        assert [odd.words for odd in before.odd] == [
            "U+200B ZERO WIDTH SPACE",
            "U+0430 CYRILLIC SMALL LETTER A, looks like a",
        ]
        assert "\u200bp\u0430y" in before.text()

    by_hand(qapp, theme, drive)
