"""A rule that should match and does not: the part at which it stops is shown."""

from pathlib import Path
from typing import Any

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.support.window import live, until, write_session
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes import tests as module
from tripscope_gui.panes.pattern import PatternPane
from tripscope_gui.rule_stop import Question, RuleStop
from tripscope_gui.theme import Theme

FIRST, SECOND = ("a!", "", "a?"), ("b!", "", "b?")
RULE = {
    "name": "key",
    "pattern": "💳?key-[0-9]{4}!",
    "flags": "gu",
    "tests": [{"text": "the key-12 is", "span": [4, 12]}, {"text": "none", "match": False}],
}


def underlined(pane: PatternPane) -> str:
    found: Any = pane.form.pattern.extraSelections()
    return str(found[0].cursor.selectedText()) if found else ""


def test_the_part_is_underlined_and_named(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    chain = [{"id": "keys", "type": "regex-filter", "rules": [RULE]}]

    async def test(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path, chain=chain))
        assert window.context.actions.trigger("view.rule_lab")
        panes = window.work.rule_lab.grid.panes
        (pattern,) = (pane for pane in panes if isinstance(pane, PatternPane))
        (tests,) = (pane for pane in panes if isinstance(pane, module.TestsPane))
        window.context.show_pane("Tests")
        await until(lambda: underlined(pattern) == "[0-9]{4}")
        words = "stops at [0-9]{4}; 4–8 matches up to it"
        assert words in tests.box.accessibleName()
        # what is typed is asked anew
        pattern.form.pattern.selectAll()
        QTest.keyClicks(pattern.form.pattern, "the keys")
        await until(lambda: underlined(pattern) == "s")
        pattern.form.pattern.selectAll()
        QTest.keyClicks(pattern.form.pattern, "a|b")
        await until(lambda: "not told for this pattern" in tests.box.accessibleName())
        assert underlined(pattern) == ""
        pattern.form.pattern.selectAll()
        QTest.keyClicks(pattern.form.pattern, "key")
        await until(lambda: tests.box.words == "Test 1 fails: ends 5 too early")
        assert underlined(pattern) == ""
        assert tests.desk.stop.found is None
        # a mistake is marked as before, whatever was asked
        QTest.keyClicks(pattern.form.pattern, "(")
        await until(lambda: tests.desk.draft is not None)
        tests.table.selectRow(1)
        assert tests.desk.stop.found is None

    live(qapp, theme, test)


def test_what_is_asked_while_an_answer_is_told_is_answered_too(
    qapp: QApplication, theme: Theme
) -> None:
    async def test(window: MainWindow) -> None:
        stop, told = RuleStop(window.context), list[Question]()

        def note() -> None:
            if stop.found is not None:
                told.append(stop.found.question)
                stop.ask(test, SECOND)

        stop.changed.connect(note)
        stop.ask(test, FIRST)
        await until(lambda: told == [FIRST, SECOND])

    live(qapp, theme, test)
