from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.support.made_events import Events, leak_run
from tests.support.pane_context import changes, feed, open_pane
from tripscope.chunks import text_delta
from tripscope.trace.events import AdvisoryRaised, AnyEvent
from tripscope_gui.panes.advisories import AdvisoriesPane
from tripscope_gui.theme import Theme


def advised() -> list[AnyEvent]:
    made = Events()
    made.begin_attempt(1, 1)
    part = made.chunk(0, text_delta("x"))
    call = made.hook(0, part, (part,))
    made.put(AdvisoryRaised, row="D4", sentence="It counts <i>attempts</i>", about=call.seq)
    made.end_attempt()
    made.end()
    return made.all


def test_a_row_names_rule_sentence_and_place_and_leads_there(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, AdvisoriesPane)
    QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert pane.empty.accessibleName().startswith("No run yet")
    feed(pane.context, advised(), 1)
    cells = [pane.model.index(0, column).data() for column in range(3)]
    assert cells == [
        "D4", "It counts <i>attempts</i>",
        "step 1, attempt 2 · pii · processOutputStream · chunk 1",
    ]  # fmt: skip
    assert pane.badge == "1"
    sign = pane.model.index(0, 0)
    assert sign.data(Qt.ItemDataRole.AccessibleTextRole) == "advisory D4"
    assert "docs/rules.md, D4" in sign.data(Qt.ItemDataRole.ToolTipRole)
    seen = changes(pane.context)
    pane.table.selectRow(0)
    (selection,) = seen
    assert (selection.processor, selection.row, selection.attempt) == ("pii", 0, 1)
    assert pane.table.selectionModel().hasSelection()
    pane.context.selection.select(step=1)
    assert not pane.table.selectionModel().hasSelection()
    assert len(seen) == 2


def test_none_is_good_news_only_once_the_run_is_over(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, AdvisoriesPane, leak_run()[:5])
    assert pane.empty.accessibleName() == "No advisory. So far"
    pane.context.runs.load(leak_run())
    assert pane.empty.accessibleName() == "No advisory. Mastra would go the same way"


def test_a_stretch_of_the_timeline_restricts_the_rows(qtbot: QtBot, theme: Theme) -> None:
    pane = open_pane(qtbot, theme, AdvisoriesPane, advised())
    store = pane.store
    assert store is not None
    about = store.advisories[0].about
    assert about is not None
    pane.context.set_stretch((about + 1, about + 5))
    assert pane.model.rowCount() == 0
    assert pane.empty.accessibleName().startswith("No advisory in this stretch")
    pane.context.set_stretch((0, about))
    assert pane.model.rowCount() == 1
    pane.context.set_stretch(None)
    assert pane.model.rowCount() == 1
    # another run is shown whole
    pane.context.set_stretch((0, 0))
    pane.context.runs.load(advised())
    assert pane.context.stretch is None
    assert pane.model.rowCount() == 1
