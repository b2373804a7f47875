from PySide6.QtWidgets import QApplication

from tests.support.made_events import leak_run
from tests.support.window import live
from tripscope_gui.finding_selection import selection_of
from tripscope_gui.main_window import MainWindow
from tripscope_gui.selection import Selection
from tripscope_gui.theme import Theme


def test_the_path_of_a_finding_and_the_way_back_up(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        run = window.context.runs.load(leak_run())
        window.context.selection.set(selection_of(1, run.store, run.store.findings[0]))
        assert window.work.crumbs.crumbs.segments == (
            "Run 1 scripted",
            "step 0",
            "attempt 1",
            "processOutputStream",
            "pii",
            "chunk 4",
            "finding email",
            "span 5\u201310 UTF-16",
        )
        window.work.crumbs.crumbs.clicked.emit(2)
        assert window.context.selection.current == Selection(run=1, step=0, attempt=0)
        window.work.crumbs.back.click()
        assert window.context.selection.current.rule == "email"
        assert window.work.crumbs.forward.isEnabled()

    live(qapp, theme, drive)


def test_the_unit_is_one_for_the_whole_window(qapp: QApplication, theme: Theme) -> None:
    async def drive(window: MainWindow) -> None:
        window.work.crumbs.units.set_current("UTF-8")
        assert window.context.unit == "UTF-8"
        window.context.actions.trigger("view.unit.code points")
        assert window.work.crumbs.units.current == "code points"
        assert window.context.actions.action("view.unit.code points").isChecked()

    live(qapp, theme, drive)
