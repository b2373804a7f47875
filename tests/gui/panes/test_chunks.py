import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.models.test_chunk_table import attempts
from tests.support.made_events import Events, leak_run
from tests.support.paints import Paints
from tests.support.window import make_context
from tripscope.chunks import text_delta
from tripscope_gui.panes.chunks import ChunksPane
from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.store.run_index import index_of
from tripscope_gui.theme import Theme


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme) -> ChunksPane:
    host = QWidget()
    qtbot.addWidget(host)
    made = ChunksPane(make_context(theme))
    line = QVBoxLayout(host)
    line.setContentsMargins(0, 0, 0, 0)
    line.addWidget(made)
    for widget in made.head_widgets():
        line.addWidget(widget)
    host.resize(966, 403)
    host.show()
    made.host = host  # type: ignore[attr-defined]
    return made


def settle(qtbot: QtBot, pane: ChunksPane) -> None:
    qtbot.waitUntil(lambda: not pane.busy)
    QApplication.processEvents()


def load(qtbot: QtBot, pane: ChunksPane, events: list[object]) -> RunStore:
    store = pane.context.runs.load(events).store  # type: ignore[arg-type]
    settle(qtbot, pane)
    return store


def test_empty_states_say_what_to_do(qtbot: QtBot, pane: ChunksPane) -> None:
    assert pane._empty.isVisible()
    assert [b.isVisible() for b in pane._empty.buttons] == [True, True]
    made = Events()
    made.end("blocked")
    load(qtbot, pane, made.all)
    assert pane._empty.isVisible()
    assert pane.badge == "0"
    assert not pane._empty.buttons[0].isVisible()


def test_columns_of_another_width_are_painted_once(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, leak_run())
    paints = Paints(pane.view.viewport())
    paints.settle()
    paints.count = 0
    before = pane.view.columnWidth(3)
    pane.host.resize(1266, 403)  # type: ignore[attr-defined]
    paints.settle()
    assert pane.view.columnWidth(3) > before
    assert paints.count == 1


def test_a_click_selects_and_a_selection_is_followed(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, leak_run())
    told: list[Selection] = []
    pane.context.selection.changed.connect(told.append)
    view = pane.view
    section = pane.table.section_of("pii")
    place = pane.table.entries.place_of(3)
    assert place is not None
    spot = view.visualRect(pane.table.index(place, section)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert len(told) == 1
    now = pane.context.selection.current
    assert (now.row, now.processor, now.hook) == (3, "pii", "processOutputStream")
    event = pane.store.event(now.seq) if pane.store is not None else None
    assert event is not None
    assert event.processor == "pii"
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert pane.context.selection.current.row == 2
    pane.context.selection.select(row=1, step=0, attempt=0)
    assert view.currentIndex().row() == pane.table.entries.place_of(1)
    assert len(told) == 3


def test_lineage_of_the_selected_chunk_is_drawn(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, leak_run())
    pane.context.selection.select(row=1, step=0, attempt=0)
    assert (("model", 1), ("pii", 1)) in pane.view.lineage.links
    assert (("pii", 3), ("client", 3)) in pane.view.lineage.links
    before = pane.view.viewport().grab().toImage()
    pane.context.selection.clear()
    assert not pane.view.lineage.nodes
    assert pane.view.viewport().grab().toImage() != before


def test_rows_of_a_run_at_work_are_coloured_by_the_table_only_in_a_lull(
    qtbot: QtBot, pane: ChunksPane
) -> None:
    events = attempts(120).events
    first = len(events) // 2
    store = load(qtbot, pane, list(events[:first]))
    index = index_of(store)
    assert index.ready
    pane.context.turns.begin()
    pane._lull.setInterval(0)
    store.extend(events[first:-1])
    assert not store.over
    pane.grow(first, len(store.events))
    assert len(pane.table.entries) >= len(store.rows), "listed at once"
    assert not index.ready
    assert not pane.busy, "what feeds the run colours them"
    qtbot.waitUntil(lambda: index.ready)
    pane.context.turns.finish()


def test_the_table_lets_go_of_the_tail_when_it_is_scrolled(qtbot: QtBot, pane: ChunksPane) -> None:
    events = attempts(120).events
    store = load(qtbot, pane, events[:200])
    assert pane.tail.button.isChecked()
    pane.view.scrollToBottom()
    assert pane.view.at_end
    wheel(pane, 600)
    qtbot.waitUntil(lambda: not pane.tail.button.isChecked())
    value = pane.view.verticalScrollBar().value()
    rows = len(store.rows)
    grow(pane, store, events[200:300])
    added = len(store.rows) - rows
    assert added > 0
    assert pane.tail.button.text() == f"{added} new"
    assert pane.view.verticalScrollBar().value() == value
    pane.tail.button.click()
    assert pane.view.at_end
    assert pane.tail.button.text() == "follow"
    grow(pane, store, events[300:400])
    qtbot.waitUntil(lambda: pane.view.at_end)


def grow(pane: ChunksPane, store: RunStore, events: list[object]) -> None:
    first = len(store.events)
    store.extend(events)  # type: ignore[arg-type]
    pane.context.events_appended.emit(first, len(store.events))


def wheel(pane: ChunksPane, up: int) -> None:
    place = QPointF(200, 100)
    QApplication.sendEvent(
        pane.view.viewport(),
        QWheelEvent(
            place,
            pane.view.viewport().mapToGlobal(place),
            QPoint(0, 0),
            QPoint(0, up),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        ),
    )


def test_chips_and_query_make_one_filter(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, leak_run())
    bar = pane.filter
    assert bar.count.text() == "5 of 5 rows"
    held = next(chip for chip in bar.chips if chip.words == "held")
    held.click()
    settle(qtbot, pane)
    assert bar.count.text() == "2 of 5 rows"
    bar.set_query("chunk:3")
    settle(qtbot, pane)
    assert bar.count.text() == "1 of 5 rows"
    held.click()
    bar.negate_chip(held)
    held.click()
    settle(qtbot, pane)
    assert bar.count.text() == "0 of 5 rows"
    bar.clear()
    settle(qtbot, pane)
    assert bar.count.text() == "5 of 5 rows"


def test_a_faulty_query_is_told_at_its_place_and_changes_nothing(
    qtbot: QtBot, pane: ChunksPane
) -> None:
    load(qtbot, pane, leak_run())
    pane.filter.set_query("held")
    settle(qtbot, pane)
    pane.filter.set_query("held chnged")
    assert pane.filter.fault.text().startswith("at 6: 'chnged'")
    assert pane.filter.field.property("invalid") is True
    assert pane.table.entries.matching == 2
    pane.filter.set_query("held")
    assert pane.filter.fault.isHidden()


def test_chips_are_kept_in_the_settings(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, leak_run())
    pane.filter.field.setText("!type:finish")
    pane.filter.add_button.click()
    settle(qtbot, pane)
    chip = pane.filter.chips[-1]
    assert (chip.words, chip.negated, chip.isChecked()) == ("type:finish", True, True)
    assert pane.filter.count.text() == "4 of 5 rows"
    other = ChunksPane(
        pane.context.__class__(
            theme=pane.context.theme,
            settings=pane.context.settings,
            actions=make_context(pane.context.theme).actions,
            session=pane.context.session,
            tasks=pane.context.tasks,
        )
    )
    qtbot.addWidget(other)
    for widget in other.head_widgets():
        qtbot.addWidget(widget)
    assert [c.words for c in other.filter.chips][-1] == "type:finish"


def test_marks_and_comments_by_key(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, leak_run())
    # the window does so when another run is looked at
    pane.context.actions.refresh()
    pane.context.selection.select(row=2, step=0, attempt=0)
    pane.view.setFocus()
    qtbot.keyClick(pane.view, Qt.Key.Key_M)
    assert pane._index is not None
    assert pane._index.notes.marked(2)
    qtbot.keyClick(pane.view, Qt.Key.Key_C)
    field = pane.notes.field
    assert field is not None
    qtbot.keyClicks(field, "why here")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert pane._index.notes.comment(2) == "why here"
    pane.context.selection.select(row=0, step=0, attempt=0)
    qtbot.keyClick(pane.view, Qt.Key.Key_N)
    assert pane.context.selection.current.row == 2
    qtbot.keyClick(pane.view, Qt.Key.Key_C)
    field = pane.notes.field
    assert field is not None
    qtbot.keyClicks(field, "x")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert pane._index.notes.comment(2) == "why here"


def test_letters_typed_into_the_filter_are_no_commands(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, leak_run())
    pane.context.selection.select(row=2, step=0, attempt=0)
    qtbot.keyClicks(pane.filter.field, "comment")
    assert pane.filter.field.text() == "comment"
    assert pane._index is not None
    assert not pane._index.notes


def test_copies_are_masked_unless_raw_is_asked_for(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, leak_run())
    pane.context.selection.select(row=1, step=0, attempt=0)
    pane.copy()
    masked = QGuiApplication.clipboard().text()
    assert "Ann: \u2022\u2022\u2022" in masked
    assert "Ann: ann" not in masked
    pane.copy(raw=True)
    assert "Ann: ann" in QGuiApplication.clipboard().text()
    pane.copy(as_json=True)
    assert '"heldUtf16": 3' in QGuiApplication.clipboard().text()
    assert "ann" not in QGuiApplication.clipboard().text()


def test_columns_can_be_hidden_but_not_all(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, leak_run())
    pane.columns.show_column("pii", False)
    assert pane.view.isColumnHidden(pane.table.section_of("pii"))
    pane.columns.show_column("model", False)
    pane.columns.show_column("client", False)
    assert not pane.view.isColumnHidden(pane.table.section_of("client"))
    pane.columns.show_column("pii", True)
    assert not pane.view.isColumnHidden(pane.table.section_of("pii"))


def test_a_folded_group_opens_for_the_selection(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, attempts(3, 2).events)
    pane.view.group_toggled.emit(0)
    assert pane.table.entries.place_of(1) is None
    pane.context.selection.select(row=1, step=0, attempt=0)
    assert pane.table.entries.place_of(1) == 2


def test_a_hundred_thousand_rows_come_in_slices(qtbot: QtBot, pane: ChunksPane) -> None:
    made = Events()
    made.begin_attempt()
    for number in range(20_000):
        part = made.chunk(number, text_delta("ab"))
        made.hook(number, part, (part,), held=0, intervals=())
    made.end("passed")
    pane.context.runs.load(made.all)
    assert pane.busy
    settle(qtbot, pane)
    assert len(pane.table.entries) == 20_001
    pane.view.scrollToBottom()
    pane.view.viewport().grab()
    assert pane.view.at_end


def test_leaving_the_pane_leaves_no_work(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, leak_run())
    pane.context.look_at(None)
    assert not pane.busy
    assert pane._empty.isVisible()
    QApplication.sendEvent(pane.view.viewport(), QEvent(QEvent.Type.Leave))


def test_what_is_selected_at_the_end_of_a_run_stays_in_view(qtbot: QtBot, pane: ChunksPane) -> None:
    events = attempts(200).events
    store = load(qtbot, pane, events[:9])
    assert pane.tail.button.isChecked()
    store.extend(events[9:])
    pane.context.events_appended.emit(9, len(events))
    pane.context.selection.select(row=0)
    settle(qtbot, pane)
    assert not pane.tail.button.isChecked()
    assert pane.view.verticalScrollBar().value() == 0
    assert pane.view.verticalScrollBar().maximum() > 0


def listed(pane: ChunksPane) -> list[int]:
    return [code for code in pane.table.entries.codes if code >= 0]


def test_a_stretch_of_the_timeline_restricts_the_rows(qtbot: QtBot, pane: ChunksPane) -> None:
    store = load(qtbot, pane, attempts(30, 30).events)
    whole = listed(pane)
    assert whole == list(range(60))
    low, high = store.rows[10].seqs[0], store.rows[14].seqs[-1]
    pane.context.set_stretch((low, high))
    settle(qtbot, pane)
    assert listed(pane) == [10, 11, 12, 13, 14]
    assert pane.filter.count.text() == "5 of 60 rows"
    # together with a filter
    pane.filter.set_query("chunk:12-40")
    qtbot.waitUntil(lambda: listed(pane) == [11, 12, 13, 14])
    pane.context.set_stretch(None)
    pane.filter.clear()
    qtbot.waitUntil(lambda: listed(pane) == whole)


def test_a_stretch_chosen_while_the_pane_is_hidden_is_there_when_it_is_shown(
    qtbot: QtBot, pane: ChunksPane
) -> None:
    store = load(qtbot, pane, attempts(30, 30).events)
    pane.host.hide()  # type: ignore[attr-defined]
    pane.context.set_stretch((store.rows[3].seqs[0], store.rows[3].seqs[0]))
    assert len(listed(pane)) == 60
    pane.host.show()  # type: ignore[attr-defined]
    settle(qtbot, pane)
    assert listed(pane) == [3]


def test_escape_empties_the_query_and_then_leaves_it(qtbot: QtBot, pane: ChunksPane) -> None:
    load(qtbot, pane, leak_run())
    pane.host.activateWindow()  # type: ignore[attr-defined]
    field, total = pane.filter.field, pane.table.total
    for query in ("drop", "nonsense", "(", "/[/"):
        pane.context.actions.trigger("chunks.find")
        assert field.hasFocus()
        field.setText(query)
        pane.filter.apply()
        qtbot.keyClick(field, Qt.Key.Key_Escape)
        assert field.text() == ""
        assert pane.filter.node is None
        assert pane.filter.fault.isHidden()
        settle(qtbot, pane)
        assert pane.table.entries.matching == total
        assert field.hasFocus()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert pane.view.hasFocus()
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert pane.view.hasFocus()
