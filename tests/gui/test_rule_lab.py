"""The rule lab in a living window: what is typed is found in the text, off the window's thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.support.window import finished, live, no_settings, until, write_session
from tripscope.rules.rule import RegexRule
from tripscope.rules.v8 import v8_is_there
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes.matches import GroupsPane, MatchesPane
from tripscope_gui.panes.pattern import PatternPane
from tripscope_gui.panes.preview import PreviewPane, ReplacedPane
from tripscope_gui.panes.rules import RulesPane
from tripscope_gui.panes.safety import SafetyPane
from tripscope_gui.preview_runner import DEBOUNCE_MS
from tripscope_gui.theme import Theme

RULE = {"name": "word", "pattern": "Mail", "flags": "g", "replacement": "[W]"}


def open_lab(window: MainWindow, tmp_path: Path) -> dict[str, object]:
    chain = [
        {
            "id": "pii",
            "type": "regex-filter",
            "options": {"presets": ["pii"], "strategy": "redact"},
            "rules": [RULE],
        }
    ]
    window.documents.open_session(write_session(tmp_path, chain=chain))
    assert window.context.actions.trigger("view.rule_lab")
    return {pane.TITLE: pane for pane in window.work.rule_lab.grid.panes}


def test_typing_finds_matches_of_the_newest_pattern_only(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def test(window: MainWindow) -> None:
        panes = open_lab(window, tmp_path)
        preview, pattern, matches = (panes[t] for t in ("Live preview", "Pattern", "Matches"))
        assert isinstance(preview, PreviewPane)
        assert isinstance(pattern, PatternPane)
        assert isinstance(matches, MatchesPane)
        runner = preview.runner
        runner.set_scratch("Mail and mail 💳 mails")
        preview._show_text()
        preview.desk.choose("pii", "word")
        await until(lambda: runner.fresh and len(runner.preview.matches) == 1)
        results = runner.number
        pattern.form.pattern.selectAll()
        QTest.keyClicks(pattern.form.pattern, "(?<m>ma)il")
        pattern.form.flags.buttons["i"].click()
        await until(lambda: runner.fresh and len(runner.preview.matches) == 3)
        assert runner.number == results + 1, "one search for all keys"
        assert [matches.model.index(n, 2).data() for n in range(3)] == ["0–4", "9–13", "17–21"]
        window.context.set_unit("code points")
        assert matches.model.index(2, 2).data() == "16–20"
        assert matches.model.index(0, 4).data() == "m Ma"
        matches._on_clicked(matches.model.index(2, 0))
        assert preview.text.outlined == (17, 21)
        groups = panes["Groups"]
        assert isinstance(groups, GroupsPane)
        window.context.show_pane("Groups")
        assert [groups.model.index(n, 2).data() for n in range(2)] == ["mail", "ma"]

    live(qapp, theme, test)


def test_an_error_leaves_the_last_good_result_dimmed(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def test(window: MainWindow) -> None:
        panes = open_lab(window, tmp_path)
        preview, pattern = panes["Live preview"], panes["Pattern"]
        assert isinstance(preview, PreviewPane)
        assert isinstance(pattern, PatternPane)
        preview.desk.choose("pii", "word")
        preview.text.setFocus()
        preview.text.selectAll()
        QTest.keyClicks(preview.text, "Mail me")
        await until(lambda: preview.runner.fresh and len(preview.runner.preview.matches) == 1)
        QTest.keyClicks(pattern.form.pattern, "[")
        assert preview.desk.draft is not None
        assert "last good result" in preview.warning.text()
        assert "1 match, 1 of them dimmed" in preview.summary.text()
        assert window.context.session.session is not None
        assert window.context.session.session.chain[0].rules[0].pattern == "Mail"

    live(qapp, theme, test)


def test_a_slow_rule_is_searched_in_a_thread_and_given_up(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def test(window: MainWindow) -> None:
        panes = open_lab(window, tmp_path)
        preview = panes["Live preview"]
        assert isinstance(preview, PreviewPane)
        runner = preview.runner
        threads: set[int] = set()
        real = runner._finder.find

        def find(*args: object) -> object:
            threads.add(threading.get_ident())
            return real(*args)  # type: ignore[arg-type]

        runner._finder.find = find  # type: ignore[method-assign, assignment]
        runner.set_scratch("a" * 1000 + "!")
        preview._show_text()
        preview.desk.choose("pii", "word")
        preview.desk.type_pattern(r"(?=(a|aa)+$b)a", "g")
        await until(lambda: runner.preview.timed_out)
        assert threads
        assert threading.get_ident() not in threads
        preview._show_matches()
        assert "word: no answer in time" in preview.warning.text()

    live(qapp, theme, test)


def test_the_run_s_text_and_what_becomes_of_it(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def test(window: MainWindow) -> None:
        panes = open_lab(window, tmp_path)
        await finished(window, lambda: window.context.actions.trigger("run.start"))
        preview, after = panes["Live preview"], panes["After replacement"]
        assert isinstance(preview, PreviewPane)
        assert isinstance(after, ReplacedPane)
        await until(preview.source.button("run").isEnabled)
        preview.source.button("run").click()
        assert preview.text.text() == "Mail ann@example.test now."
        assert preview.text.isReadOnly()
        window.context.show_pane("After replacement")
        await until(lambda: after.text.text() == "[W] [EMAIL] now.")
        assert [s.rule for s in after.text.spans] == ["word", "email"]
        assert "2 replacements" in after.summary.text()

    live(qapp, theme, test)


def test_safety_tells_of_a_rule_that_blows_up(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def test(window: MainWindow) -> None:
        safety = open_lab(window, tmp_path)["Safety"]
        assert isinstance(safety, SafetyPane)
        safety.desk.choose("pii", "word")
        await until(lambda: safety.diagnosis is not None and safety.diagnosis.rule == "word")
        assert safety.diagnosis is not None
        assert safety.diagnosis.attack is None
        assert not safety.notice.isVisible()
        assert "That is no proof" in safety.warnings.text()
        safety.desk.type_pattern(r"^(\w+\s?)+$", "g")
        await until(lambda: safety.diagnosis is not None and safety.diagnosis.attack is not None)
        assert safety.badge == "1"
        assert "Can blow up in JavaScript" in safety.notice.accessibleName()
        safety.copy.click()
        assert QApplication.clipboard().text() == safety.diagnosis.attack.text()  # type: ignore[union-attr]

    live(qapp, theme, test)


def test_an_attack_becomes_a_test_that_can_be_undone(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def test(window: MainWindow) -> None:
        safety = open_lab(window, tmp_path)["Safety"]
        assert isinstance(safety, SafetyPane)
        desk = safety.desk
        desk.choose("pii", "email")
        await until(lambda: safety.diagnosis is not None and safety.diagnosis.attack is not None)
        assert not safety.as_test.isEnabled(), "rules of presets have no tests"
        desk.choose("pii", "word")
        desk.type_pattern(r"\s+$", "g")
        await until(lambda: safety.diagnosis is not None and safety.diagnosis.rule == "word")
        await until(lambda: safety.diagnosis.attack is not None)  # type: ignore[union-attr]
        assert "Slow on long texts" in safety.notice.accessibleName()
        assert 'UTF-16 units: "  "' in safety.length.text()
        safety.as_test.click()
        await until(lambda: desk.row is not None and desk.row.rule.tests)
        assert desk.row is not None
        [kept] = desk.row.rule.tests
        assert kept.text == "  " * 1000 + "!"
        assert not kept.match
        assert desk.row.tests == (1, 1), "fast here"
        safety.as_test.click()
        await until(lambda: safety.context.tasks.running == 0)
        assert desk.row.rule.tests == [kept], "it is there already"
        window.context.session.undo_stack.undo()
        assert desk.row.rule.tests == []

    live(qapp, theme, test)


@pytest.mark.skipif(not v8_is_there(), reason="needs tripscope[js]")
def test_v8_s_times_are_drawn(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    async def test(window: MainWindow) -> None:
        safety = open_lab(window, tmp_path)["Safety"]
        assert isinstance(safety, SafetyPane)
        safety.desk.choose("pii", "word")
        safety.desk.type_pattern(".*.*=", "g")
        await until(lambda: safety.diagnosis is not None and safety.diagnosis.rule == "word")
        await until(lambda: safety.diagnosis.attack is not None)  # type: ignore[union-attr]
        assert not safety.chart.isVisible()
        safety.measure.click()
        await until(lambda: safety.measured is not None)
        assert safety.measured is not None
        assert safety.measured.confirms
        assert safety.chart.isVisible()
        assert "UTF-16 units: " in safety.chart.accessibleName()
        assert safety.verdict.text().startswith(("V8 needs", "V8 was stopped"))
        safety.desk.type_pattern("plain", "g")
        await until(lambda: safety.diagnosis is not None and safety.diagnosis.attack is None)
        assert not safety.chart.isVisible()

    live(qapp, theme, test)


def test_the_lab_is_an_arrangement_of_the_same_window(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    settings = no_settings()

    async def test(window: MainWindow) -> None:
        open_lab(window, tmp_path)
        work = window.work
        assert work.in_lab
        assert "rule lab" in window.windowTitle()
        assert not work.checks.isVisible()
        assert all(dock.isVisible() for dock in work.rule_lab.grid.docks.values())
        window.context.show_pane("Tests")
        assert work.in_lab, "it has that pane too"
        window.context.show_pane("Text")
        assert not work.in_lab
        assert work.checks.isVisible()
        window.context.show_pane("Live preview")
        assert work.in_lab
        window.context.actions.trigger("view.rule_lab")
        assert not work.in_lab
        assert not work.rule_lab.grid.isVisible()
        assert not window.work.rule_lab.grid.panes[0].isVisible()

    live(qapp, theme, test, settings=settings)


def test_nothing_is_searched_while_nobody_looks(
    qapp: QApplication, theme: Theme, tmp_path: Path, qtbot: QtBot
) -> None:
    async def test(window: MainWindow) -> None:
        panes = open_lab(window, tmp_path)
        preview = panes["Live preview"]
        assert isinstance(preview, PreviewPane)
        await until(lambda: preview.runner.fresh and preview.runner.number)
        window.context.actions.trigger("view.rule_lab")
        before = preview.runner.number
        preview.desk.choose("pii", "word")
        preview.desk.type_pattern("other", "g")
        await asyncio.sleep(DEBOUNCE_MS / 1000 * 2)
        assert preview.runner.number == before
        assert DEBOUNCE_MS <= 100

    live(qapp, theme, test)


def test_a_new_rule_is_named_and_written_without_the_mouse(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def test(window: MainWindow) -> None:
        window.activateWindow()
        await until(window.isActiveWindow)
        window.documents.open_session(write_session(tmp_path))
        window.work.setFocus()
        assert window.context.actions.trigger("view.rule_lab")
        panes = {pane.TITLE: pane for pane in window.work.rule_lab.grid.panes}
        rules, pattern = panes["Rules"], panes["Pattern"]
        assert isinstance(rules, RulesPane)
        assert isinstance(pattern, PatternPane)
        assert QApplication.focusWidget() is rules.table
        rules.add.click()
        assert QApplication.focusWidget() is pattern.form.name
        QTest.keyClicks(pattern.form.name, "zip")
        row = rules.desk.row
        assert row is not None
        assert row.rule.name == "zip"

    live(qapp, theme, test)


def test_a_count_of_safety_is_of_the_rule_that_is_worked_on(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def test(window: MainWindow) -> None:
        panes = open_lab(window, tmp_path)
        safety, chain = panes["Safety"], panes["Chain"]
        assert isinstance(safety, SafetyPane)
        safety.desk.choose("pii", "word")
        safety.desk.type_pattern("(a|aa)+$", "g")
        # the rule that the lab opens with may be told of first
        await until(lambda: safety.diagnosis is not None and safety.diagnosis.rule == "word")
        await until(lambda: safety.badge == "1")
        window.context.show_pane("Chain")
        assert not safety.isVisible()
        assert chain.isVisible()
        assert safety.badge == "1"
        safety.desk.choose("pii", "email")
        await until(lambda: safety.badge == "")
        safety.desk.choose("pii", "word")
        window.context.show_pane("Safety")
        await until(lambda: safety.badge == "1")

    live(qapp, theme, test)


def test_what_was_found_of_another_rule_gives_no_count_while_nobody_looks(
    qapp: QApplication, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    go = asyncio.Event()

    async def late(diagnose: Callable[..., Any], rules: list[RegexRule], **more: Any) -> Any:
        asked.append(rules[0].name)
        await go.wait()
        return diagnose(rules, **more)

    async def test(window: MainWindow) -> None:
        monkeypatch.setattr("tripscope_gui.panes.safety.in_thread", late)
        safety = open_lab(window, tmp_path)["Safety"]
        assert isinstance(safety, SafetyPane)
        safety.desk.choose("pii", "word")
        safety.desk.type_pattern("(a|aa)+$", "g")
        await until(lambda: "word" in asked)
        window.context.show_pane("Chain")
        safety.desk.choose("pii", "email")
        await until(lambda: not safety._later.isActive())
        go.set()
        await until(lambda: window.context.tasks.running == 0)
        assert safety.badge == ""

    live(qapp, theme, test)
