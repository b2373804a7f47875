"""All of the window can be reached by the keyboard and is named for a screen reader."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QWidget

from tests.support.window import finished, live, until, write_session
from tripscope_gui.main_window import MainWindow
from tripscope_gui.panes import Pane
from tripscope_gui.theme import Theme

TYPED = "wasd WASD fm FM ? x"


async def opened(window: MainWindow, folder: Path) -> None:
    window.documents.open_session(write_session(folder))
    await finished(window, window.context.runs.start)


def pane_of(widget: QWidget | None) -> str:
    while widget is not None and not isinstance(widget, Pane):
        widget = widget.parentWidget()
    return widget.TITLE if isinstance(widget, Pane) else ""


def all_panes(window: MainWindow) -> list[str]:
    prefix = "window.pane."
    return [
        command.title.removeprefix("Show ")
        for command in window.context.actions
        if command.id.startswith(prefix)
    ]


def unnamed(window: MainWindow) -> list[str]:
    found = []
    for widget in window.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisible():
            continue
        words = widget.text() if isinstance(widget, QAbstractButton) else ""
        if not widget.accessibleName() and not words:
            found.append(f"{type(widget).__name__} in {pane_of(widget) or 'the window'}")
    return found


def test_whatever_takes_the_focus_has_a_name(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        assert unnamed(window) == []
        await opened(window, tmp_path)
        for title in all_panes(window):
            window.context.show_pane(title)
            assert unnamed(window) == []
        window.context.actions.trigger("view.rule_lab")
        await finished(window, window.context.runs.replay)
        window.context.actions.trigger("run.compare")
        assert unnamed(window) == []

    live(qapp, theme, drive)


def test_the_command_of_a_pane_gives_it_the_keyboard(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        await opened(window, tmp_path)
        missed = []
        for title in all_panes(window):
            window.run_bar.run.setFocus()
            window.context.actions.trigger(f"window.pane.{title.lower()}")
            pane = next(
                widget
                for widget in window.findChildren(QWidget)
                if isinstance(widget, Pane) and title == widget.TITLE and widget.isVisible()
            )
            # some show words alone here, or nothing: there is nothing to move in
            takers = [
                widget
                for widget in pane.findChildren(QWidget)
                if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            ]
            if any(taker.isEnabled() for taker in takers) and (
                pane_of(window.focusWidget()) != title
            ):
                missed.append(title)
        assert missed == []

    live(qapp, theme, drive)


@pytest.mark.parametrize("title", ["Chunks", "Findings", "Rules", "Pattern", "Preview"])
def test_no_key_is_taken_from_a_text_field(
    qapp: QApplication, theme: Theme, tmp_path: Path, title: str
) -> None:
    async def drive(window: MainWindow) -> None:
        await opened(window, tmp_path)
        window.context.show_pane(title)
        fields: list[QLineEdit | QPlainTextEdit] = [
            *window.findChildren(QLineEdit),
            *window.findChildren(QPlainTextEdit),
        ]
        typed = 0
        for field in fields:
            if not field.isVisible() or not field.isEnabled() or field.isReadOnly():
                continue
            field.setFocus()
            field.selectAll()
            QTest.keyClicks(field, TYPED)
            text = field.text() if isinstance(field, QLineEdit) else field.toPlainText()
            assert text == TYPED, field.accessibleName()
            typed += 1
        assert typed
        assert not window.context.runs.frozen

    live(qapp, theme, drive)


def test_an_example_is_opened_by_keys_alone(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        window.activateWindow()
        await until(window.isActiveWindow)
        first, second = (row.button for row in window.start_page.examples.rows[:2])
        await until(lambda: window.focusWidget() is first)
        QTest.keyClick(first, Qt.Key.Key_Down)
        assert window.focusWidget() is second
        QTest.keyClick(second, Qt.Key.Key_Space)
        session = window.context.session
        await until(lambda: session.session is not None)
        assert session.session is not None
        assert session.session.name == window.start_page.examples.rows[1].example.title

    live(qapp, theme, drive)


def test_a_pane_gives_its_body_the_keyboard_also_when_another_tab_had_it(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        await opened(window, tmp_path)
        await until(lambda: "window.pane.hooks" in window.context.actions)
        for before, title, name in (
            ("hooks", "messages", "messages"),
            ("messages", "request", "request"),
            ("request", "chunks", "Chunks"),
        ):
            window.context.actions.trigger(f"window.pane.{before}")
            window.context.actions.trigger(f"window.pane.{title}")
            focused = window.focusWidget()
            assert focused is not None
            assert name in (focused.accessibleName(), pane_of(focused).lower()), title
            assert focused.height() > 60, f"{title}: {focused.accessibleName()}"

    live(qapp, theme, drive)


def test_the_keyboard_is_where_it_was_after_the_rule_lab(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        window.activateWindow()
        await until(window.isActiveWindow)
        await opened(window, tmp_path)
        window.work.setFocus()
        for _ in range(2):
            window.context.actions.trigger("view.rule_lab")
        assert QApplication.focusWidget() is window.work
        await until(lambda: "window.pane.rules" in window.context.actions)
        QTest.keySequence(window, "Alt+0")
        await until(lambda: pane_of(QApplication.focusWidget()) == "Rules")
        rules = QApplication.focusWidget()
        window.context.actions.trigger("view.rule_lab")
        assert QApplication.focusWidget() is not rules
        window.context.actions.trigger("view.rule_lab")
        assert QApplication.focusWidget() is rules

    live(qapp, theme, drive)


def test_a_new_session_is_given_its_prompt_at_once(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        window.activateWindow()
        await until(window.isActiveWindow)
        window.context.actions.trigger("file.new")
        prompt = window.run_bar.prompt
        await until(lambda: QApplication.focusWidget() is prompt)
        QTest.keyClicks(prompt, "How are you?")
        session = window.context.session.session
        assert session is not None
        assert session.prompts == ["How are you?"]
        window.context.session.undo_stack.setClean()

    live(qapp, theme, drive)
