from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionFrame
from pytestqt.qtbot import QtBot

from tests.support.made_events import leak_run
from tests.support.window import finished, live, slow_script, until, write_session
from tripscope_gui.bars.fields import _INSET
from tripscope_gui.bars.run_bar import RunBar
from tripscope_gui.main_window import MainWindow
from tripscope_gui.theme import Mode, Theme


def enabled(bar: RunBar) -> list[bool]:
    return [button.isEnabled() for button in (bar.run, bar.replay, bar.stop, bar.freeze)]


def test_buttons_follow_the_run(
    qapp: QApplication, theme: Theme, tmp_path: Path, qtbot: QtBot
) -> None:
    async def drive(window: MainWindow) -> None:
        bar = window.run_bar
        assert enabled(bar) == [False, False, False, False]
        window.documents.open_session(write_session(tmp_path, model=slow_script(400)))
        assert enabled(bar) == [True, False, False, False]
        qtbot.mouseClick(bar.run, Qt.MouseButton.LeftButton)
        assert enabled(bar) == [False, False, True, True]
        assert bar.outcome.label == "running"
        await until(lambda: bar.counters["step"].value == "1 of 5")
        await finished(window, lambda: qtbot.mouseClick(bar.stop, Qt.MouseButton.LeftButton))
        assert enabled(bar) == [True, True, False, False]
        assert bar.outcome.label == "stopped"

    live(qapp, theme, drive)


def test_counters_tell_of_the_run_that_is_looked_at(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        window.context.runs.load(leak_run())
        counters = {name: c.value for name, c in window.run_bar.counters.items()}
        assert counters == {
            "step": "1 of 5",
            "attempt": "1 of 4",
            "tokens in": "7",
            "tokens out": "4",
            "time": "21 ms",
        }
        assert (window.run_bar.outcome.outcome, window.run_bar.outcome.label) == (
            "changed",
            "passed with changes",
        )

    live(qapp, theme, drive)


def test_no_step_has_no_attempt(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        window.context.runs.load(leak_run()[:1])
        assert window.run_bar.counters["attempt"].value == "0"
        assert window.run_bar.counters["tokens in"].value == "\u2013"

    live(qapp, theme, drive)


@pytest.mark.parametrize(
    ("typed", "use"), [("openai/gpt-5-nano", "openai/gpt-5-nano"), ("nonsense", "scripted")]
)
def test_the_model_is_part_of_the_session(
    qapp: QApplication, theme: Theme, tmp_path: Path, typed: str, use: str, qtbot: QtBot
) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path))
        field = window.run_bar.model
        field.setFocus()
        edit = field.lineEdit()
        assert edit is not None
        edit.selectAll()
        qtbot.keyClicks(edit, typed)
        qtbot.keyClick(edit, Qt.Key.Key_Return)
        session = window.context.session.session
        assert session is not None
        assert session.model.use == use
        assert field.property("invalid") is (use != typed)
        assert window.run_bar.run.text() == ("Run live" if use == typed else "Run")

    live(qapp, theme, drive)


def test_a_prompt_of_several_messages_is_shown_and_not_edited(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "<b>"}]
        window.documents.open_session(write_session(tmp_path, prompts=[messages]))
        prompt = window.run_bar.prompt
        assert prompt.isReadOnly()
        assert prompt.text() == "2 messages, last: <b>"

    live(qapp, theme, drive)


def test_a_prompt_that_does_not_fit_ends_in_an_ellipsis(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        long = "How do I reach Ann Lee? " * 20
        window.documents.open_session(write_session(tmp_path, prompts=[long]))
        prompt = window.run_bar.prompt
        window.activateWindow()
        await until(window.isActiveWindow)
        window.pages.setFocus()
        assert prompt.is_elided
        assert prompt.text() == long
        assert long.strip() in prompt.toolTip()
        looks = prompt.grab().toImage()
        # while it is edited it scrolls instead
        prompt.setFocus()
        assert prompt.hasFocus()
        assert not prompt.is_elided
        assert prompt.grab().toImage() != looks
        window.pages.setFocus()
        prompt.setText("short")
        assert not prompt.is_elided

    live(qapp, theme, drive, size=(1280, 800))


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("state", ["free", "read-only", "disabled"])
def test_a_prompt_that_is_cut_stands_on_the_ground_of_its_field_where_the_style_has_it(
    qapp: QApplication, theme: Theme, tmp_path: Path, mode: Mode, state: str
) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path, prompts=["word " * 80]))
        prompt = window.run_bar.prompt
        prompt.setReadOnly(state == "read-only")
        prompt.setEnabled(state != "disabled")
        assert prompt.is_elided
        option = QStyleOptionFrame()
        prompt.initStyleOption(option)
        part = QStyle.SubElement.SE_LineEditContents
        room = prompt.style().subElementRect(part, option, prompt)
        left = prompt.textMargins().left()
        assert prompt._room() == room.adjusted(left + _INSET, 0, -_INSET, 0)
        image = prompt.grab().toImage()
        # beside the text and under it, above its letters and between them
        grounds = {image.pixel(x, room.top() + 1) for x in range(room.left(), room.right() + 4)}
        assert len(grounds) == 1
        # no letter that Qt cut stands behind the ellipsis
        edge = {image.pixel(room.right() - 1, y) for y in range(room.top(), room.bottom())}
        assert edge == grounds

    theme.set_mode(mode)
    live(qapp, theme, drive, size=(1280, 800))


def test_a_prompt_is_needed_to_run(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    async def drive(window: MainWindow) -> None:
        window.documents.open_session(write_session(tmp_path, prompts=[]))
        assert not window.run_bar.run.isEnabled()
        window.run_bar.prompt.textEdited.emit("hello")
        assert window.run_bar.run.isEnabled()

    live(qapp, theme, drive)


def test_the_focus_stays_in_the_bar_when_its_button_cannot_be_used_any_more(
    qapp: QApplication, theme: Theme, tmp_path: Path, qtbot: QtBot
) -> None:
    async def drive(window: MainWindow) -> None:
        bar = window.run_bar
        window.documents.open_session(write_session(tmp_path, model=slow_script(400)))
        bar.run.setFocus()
        qtbot.keyClick(bar.run, Qt.Key.Key_Space)
        assert window.focusWidget() is bar.stop
        await until(lambda: bar.counters["step"].value == "1 of 5")
        await finished(window, lambda: qtbot.keyClick(bar.stop, Qt.Key.Key_Space))
        assert window.focusWidget() is bar.run

    live(qapp, theme, drive)


def test_buttons_stay_in_place_while_a_run_goes_on(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    async def drive(window: MainWindow) -> None:
        bar = window.run_bar
        window.documents.open_session(write_session(tmp_path))
        window.context.runs.load(leak_run()[:1])
        await until(lambda: bar.outcome.label == "running" and bar.outcome.isVisible())
        bar.layout().activate()
        before = bar.stop.x()
        window.context.runs.load(leak_run())
        await until(lambda: bar.outcome.label == "passed with changes")
        bar.layout().activate()
        assert bar.stop.x() == before

    live(qapp, theme, drive)


@pytest.mark.parametrize("width", [960, 1269, 1280])
def test_nothing_in_the_bar_is_cut_or_overlaps(
    qapp: QApplication, theme: Theme, tmp_path: Path, width: int
) -> None:
    async def drive(window: MainWindow) -> None:
        bar = window.run_bar
        window.documents.open_session(write_session(tmp_path, name="Support agent"))
        window.context.runs.load(leak_run())
        await until(lambda: bar.outcome.isVisible())
        bar.layout().activate()
        numbers = bar.outcome.parentWidget()
        row = [bar.session_button, bar.prompt, bar.model, bar.run, bar.replay, bar.stop, bar.freeze]
        for left, right in pairwise([*row, numbers]):
            assert left.geometry().right() < right.geometry().left()
        assert numbers.geometry().right() < bar.width()
        assert bar.outcome.width() >= bar.outcome.sizeHint().width()
        assert bar.stop.accessibleName() == "Stop"

    live(qapp, theme, drive, size=(width, 700))
