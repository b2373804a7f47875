"""Compare as a person uses it: edit, replay, look, step through, go back."""

import json
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester

from tests.support.window import finished, live, session_wire, until
from tripscope.session import session_from_wire
from tripscope_gui.compare import chunks_pane, comparison
from tripscope_gui.compare.checks_pane import ChangedChecksPane
from tripscope_gui.compare.chunks_pane import ChunksSideBySidePane
from tripscope_gui.compare.difference_pane import DifferencePane
from tripscope_gui.compare.edits_pane import EditsPane
from tripscope_gui.compare.findings_pane import ChangedFindingsPane
from tripscope_gui.compare.prompt_pane import PromptPane
from tripscope_gui.compare.text_pane import TextThatLeftPane
from tripscope_gui.compare.time_pane import TimePane
from tripscope_gui.compare.timelines_pane import TimelinesPane
from tripscope_gui.delegates.look_cells import LOOK_ROLE
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Theme
from tripscope_gui.widgets.timeline.canvas import TimelineCanvas

MAIL = {"name": "mail", "pattern": r"\S+@\S+", "replacement": "[M]"}
NOW = {"name": "now", "pattern": "now", "replacement": "[NOW]"}


def chain(*rules: dict[str, Any]) -> list[dict[str, Any]]:
    options = {"strategy": "redact", "streamCarryoverSize": 24}
    return [{"id": "pii", "type": "regex-filter", "options": options, "rules": list(rules)}]


async def compared(window: MainWindow, *rules: dict[str, Any]) -> None:
    """Run with one rule, edit, replay, compare."""
    access = window.context.session
    access.take(session_from_wire(session_wire(chain=chain(MAIL))))
    await finished(window, window.context.runs.start)
    access.edit("rules", session_from_wire(session_wire(chain=chain(*rules))))
    await finished(window, window.context.runs.replay)
    assert window.context.actions.trigger("run.compare")


def in_turns(patch: pytest.MonkeyPatch, module: ModuleType) -> None:
    """Have a module do its work in turns, as for long runs."""
    patch.setattr(module, "_AT_ONCE", 0)
    patch.setattr(module, "_SLICE_NS", 0)


def pane(window: MainWindow, kind: type[Any]) -> Any:
    return next(p for p in window.work.compare_area.panes if isinstance(p, kind))


def ends(canvas: TimelineCanvas) -> tuple[float, float]:
    """What both ends of a timeline show, in ns."""
    return canvas.scale.low, canvas.scale.high


def rows(model: Any) -> list[list[str]]:
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_it_shows_what_the_edit_changed(
    qapp: QApplication, theme: Theme, qtmodeltester: ModelTester
) -> None:
    async def drive(window: MainWindow) -> None:
        await compared(window, MAIL | {"replacement": "[MAIL]"}, NOW)
        work = window.work
        assert work.comparing
        assert not work.checks.isVisible()
        assert work.changes.isVisible()
        comparison = work.comparison
        assert [run.number for run in comparison.runs or ()] == [1, 2]
        findings = pane(window, ChangedFindingsPane)
        qtmodeltester.check(findings.model)
        found = rows(findings.model)
        assert [(row[0], row[1], row[6], row[7]) for row in found] == [
            ("+", "now", "[NOW]", "new rule"),
            ("\u2260", "mail", "[M] \u2192 [MAIL]", "replacement edited"),
        ]
        assert found[1][4] == found[1][5] == "5\u201321"
        assert findings.badge == "2"
        edits = pane(window, EditsPane)
        assert [(line.sign, line.text) for line in edits.lines] == [
            ("-", "replacement [M]"),
            ("+", "replacement [MAIL]"),
            ("+", "/now/g  \u2192  [NOW]"),
        ]
        (section,) = pane(window, TextThatLeftPane).sections
        assert "".join(piece.text for piece in section.sides[0]) == "Mail [M] now."
        assert "".join(piece.text for piece in section.sides[1]) == "Mail [MAIL] [NOW]."
        assert [p.text for p in section.sides[0] if p.kind == "removed"] == ["M", "now"]
        assert next((p.text, p.rule) for p in section.sides[1] if p.kind == "added") == (
            "MAIL",
            "mail",
        )
        assert section.words == ("accepted", "accepted")

    live(qapp, theme, drive)


def test_differences_are_gone_through_one_by_one(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        await compared(window, NOW)
        difference = pane(window, DifferencePane)
        comparison = window.work.comparison
        total = len(comparison.compared.diff.differing) if comparison.compared else 0
        assert total > 2
        assert not difference.previous.isEnabled()
        seen = [difference.words.text()]
        while difference.next.isEnabled():
            assert window.context.actions.trigger("compare.next")
            seen.append(difference.words.text())
        assert len(seen) == total
        assert seen[-1].endswith(f"{total} of {total}")
        assert difference.facts[0].name == "event"
        difference.previous.click()
        assert comparison.place == total - 2
        difference.open.click()
        assert not window.work.comparing
        assert window.context.selection.current.seq is not None

    live(qapp, theme, drive)


def test_swap_other_runs_and_back(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        await compared(window, MAIL, NOW)
        bar = window.work.compare_area.bar
        findings = pane(window, ChangedFindingsPane)
        assert rows(findings.model)[0][0] == "+"
        bar.swap.click()
        assert rows(findings.model)[0][0] == "\u2212"
        assert rows(findings.model)[0][7] == "rule removed"
        bar.different.setChecked(False)
        assert [row[0] for row in rows(findings.model)] == ["\u2212", "="]
        bar.before.setCurrentIndex(0)
        bar.after.setCurrentIndex(0)
        bar.after.activated.emit(0)
        assert [row[0] for row in rows(findings.model)] == ["="]
        bar.different.setChecked(True)
        assert rows(findings.model) == []
        assert "0 of" in bar.words.text()
        bar.pin.click()
        assert window.context.workspace.baseline is window.context.workspace.runs[0]
        bar.close_button.click()
        assert not window.work.comparing
        assert window.work.checks.isVisible()

    live(qapp, theme, drive)


def test_a_new_run_is_compared_where_it_is_looked_at(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        await compared(window, NOW)
        window.context.set_baseline(window.context.workspace.runs[0])
        third = await finished(window, window.context.runs.start)
        assert window.work.comparing
        assert window.work.comparison.after is third
        assert window.work.comparison.before is window.context.workspace.runs[0]

    live(qapp, theme, drive)


def test_checks_times_and_timelines_of_both(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        await compared(window, NOW)
        window.context.show_pane("Checks")
        checks = pane(window, ChangedChecksPane)
        assert checks.isVisible()
        assert rows(checks.model)[0][0] == "Joined = whole"
        assert rows(checks.model)[0][1] == rows(checks.model)[0][3] == "pass"
        window.context.show_pane("Time")
        times = {row[0]: row[1:4] for row in rows(pane(window, TimePane).model)}
        assert set(times) >= {"first text", "end", "in pii"}
        above, below = pane(window, TimelinesPane).canvases
        assert (above.run, below.run) == (1, 2)
        above.zoom(4)
        assert ends(above) == pytest.approx(ends(below))
        below.pan(30)
        assert ends(above) == pytest.approx(ends(below))
        # a pane of the other arrangement brings that one back
        window.context.show_pane("Chunks")
        assert not window.work.comparing

    live(qapp, theme, drive)


def test_changed_findings_as_test_cases(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        await compared(window, NOW)
        pane(window, ChangedFindingsPane).copy_tests.click()
        cases = json.loads(QGuiApplication.clipboard().text())
        assert {"rule": "mail", "test": {"text": "ann@example.test", "match": False}} in cases
        text = "Mail ann@example.test now."
        assert {"rule": "now", "test": {"text": text, "match": True, "span": [22, 25]}} in cases

    live(qapp, theme, drive)


def test_long_runs_are_compared_while_the_window_lives(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_turns(monkeypatch, comparison)

    async def drive(window: MainWindow) -> None:
        await compared(window, NOW)
        assert window.work.comparison.compared is None
        words = window.work.compare_area.bar.words
        assert words.text() == "comparing 0 %"
        told: list[str] = []
        window.work.comparison.progressed.connect(lambda: told.append(words.text()))
        await until(lambda: window.work.comparison.compared)
        shares = [int(line.removeprefix("comparing ").removesuffix(" %")) for line in told]
        assert shares
        assert shares == sorted(set(shares))
        assert shares[-1] < 100
        assert rows(pane(window, ChangedFindingsPane).model)

    live(qapp, theme, drive)


def test_closing_the_session_ends_the_comparison(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        await compared(window, NOW)
        window.context.workspace.clear()
        window.context.show_current()
        assert window.work.comparison.runs is None
        assert rows(pane(window, ChangedFindingsPane).model) == []

    live(qapp, theme, drive)


def test_spans_are_shown_in_the_unit_that_is_chosen_here(qapp: QApplication, theme: Theme) -> None:
    script = {
        "use": "scripted",
        "script": [{"text": ["\N{CREDIT CARD} \u00e9 ann@exa", "mple.test now."]}],
    }

    async def drive(window: MainWindow) -> None:
        access = window.context.session
        access.take(session_from_wire(session_wire(model=script, chain=chain(MAIL))))
        await finished(window, window.context.runs.start)
        access.edit("x", session_from_wire(session_wire(model=script, chain=chain(MAIL, NOW))))
        await finished(window, window.context.runs.replay)
        window.context.actions.trigger("run.compare")
        bar = window.work.compare_area.bar
        bar.different.setChecked(False)
        findings = pane(window, ChangedFindingsPane)
        units = {"UTF-16": "5\u201321", "code points": "4\u201320", "UTF-8": "8\u201324"}
        for unit, span in units.items():
            bar.units.button(unit).click()
            assert window.context.unit == unit
            assert findings.model.headerData(5, Qt.Orientation.Horizontal) == f"run 2, {unit}"
            mail = next(row for row in rows(findings.model) if row[1] == "mail")
            assert (mail[4], mail[5]) == (span, span)
        # the other bar's switch agrees
        assert window.work.crumbs.units.current == "UTF-8"

    live(qapp, theme, drive)


def test_chunks_side_by_side(qapp: QApplication, theme: Theme, qtmodeltester: ModelTester) -> None:
    async def drive(window: MainWindow) -> None:
        await compared(window, MAIL | {"replacement": "[MAIL]"}, NOW)
        window.context.show_pane("Chunks side by side")
        chunks = pane(window, ChunksSideBySidePane)
        assert chunks.isVisible()
        qtmodeltester.check(chunks.model)
        assert chunks.column.currentText() == "client"
        looks = [
            [chunks.model.index(row, column).data(LOOK_ROLE).text for column in (4, 5, 6)]
            for row in range(chunks.model.rowCount())
        ]
        assert ["end of text part", "il [M] now.", "il [MAIL] [NOW]."] in looks
        # only parts at which the two differ, and each is marked
        assert all(row[0] == "\N{NOT EQUAL TO}" for row in rows(chunks.model))
        few = chunks.model.rowCount()
        window.work.compare_area.bar.different.setChecked(False)
        assert chunks.model.rowCount() == len(window.context.workspace.runs[0].store.rows) > few
        chunks.column.setCurrentText("pii")
        chunks.column.activated.emit(chunks.column.currentIndex())
        assert chunks.model.headerData(6, Qt.Orientation.Horizontal) == "run 2, pii"
        # the selection goes both ways
        comparison = window.work.comparison
        *_, place = (n for n, row in enumerate(rows(chunks.model)) if row[0])
        chunks.table.selectRow(place)
        event = (comparison.pair or (None, None))[1]
        assert event is not None
        row = chunks.model.row(place)
        assert row is not None
        assert getattr(event, "index", None) == row.either.index
        chunks.grab()

    live(qapp, theme, drive)


def test_chunks_of_long_runs_are_set_side_by_side_in_turns(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_turns(monkeypatch, chunks_pane)

    async def drive(window: MainWindow) -> None:
        await compared(window, NOW)
        window.context.show_pane("Chunks side by side")
        chunks = pane(window, ChunksSideBySidePane)
        await until(chunks.model.rowCount)
        assert all(row[0] for row in rows(chunks.model))

    live(qapp, theme, drive)


def test_chunks_are_set_side_by_side_also_when_the_filter_is_switched_meanwhile(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_turns(monkeypatch, chunks_pane)

    async def drive(window: MainWindow) -> None:
        await compared(window, NOW)
        window.context.show_pane("Chunks side by side")
        chunks = pane(window, ChunksSideBySidePane)
        assert chunks.sides is not None
        assert not len(chunks.sides)
        window.work.comparison.set_different_only(False)
        chunks.column.activated.emit(0)
        window.work.comparison.set_different_only(True)
        await until(chunks.model.rowCount)
        assert all(row[0] for row in rows(chunks.model))

    live(qapp, theme, drive)


def test_prompts_of_both_runs(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        access = window.context.session
        access.take(session_from_wire(session_wire(prompts=["Mail bo@example.test a long text"])))
        await finished(window, window.context.runs.start)
        access.edit(
            "x", session_from_wire(session_wire(prompts=["Mail bo@example.test a short text"]))
        )
        await finished(window, window.context.runs.start)
        window.context.actions.trigger("run.compare")
        window.context.show_pane("Prompt")
        prompts = pane(window, PromptPane)
        assert prompts.isVisible()
        (section,) = prompts.sections
        assert section.title.startswith("request 1")
        changed = [[p.text for p in side if p.kind != "same"] for side in section.sides]
        assert changed == [["long"], ["short"]]
        # what was sent, not what was typed
        assert "[EMAIL]" in "".join(piece.text for piece in section.sides[0])

    live(qapp, theme, drive)
