import pytest
from pytestqt.qtbot import QtBot

from tripscope_gui.selection import MAX_HISTORY, Selection, SelectionModel, Span


@pytest.fixture
def model(qtbot: QtBot) -> SelectionModel:
    return SelectionModel()


def test_an_equal_selection_emits_nothing(model: SelectionModel) -> None:
    seen: list[Selection] = []
    model.changed.connect(seen.append)
    model.changed.connect(lambda now: model.set(now))
    model.changed.connect(lambda now: model.update(row=now.row))
    model.select(step=1, row=4)
    model.select(step=1, row=4)
    assert seen == [Selection(step=1, row=4)]


def test_select_forgets_what_is_not_named_but_the_run(model: SelectionModel) -> None:
    model.set(Selection(run=7))
    model.select(step=1, processor="p", span=Span(1, 2))
    model.select(row=3)
    assert model.current == Selection(run=7, row=3)
    model.update(step=2)
    assert model.current == Selection(run=7, row=3, step=2)


def test_an_unknown_field_is_refused(model: SelectionModel) -> None:
    with pytest.raises(TypeError):
        model.select(chunk=3)


def test_back_and_forward(model: SelectionModel) -> None:
    for row in range(3):
        model.select(row=row)
    model.go_back()
    assert model.current.row == 1
    assert model.can_go_forward
    model.go_back()
    model.go_back()
    assert model.current.row == 0
    model.go_forward()
    assert model.current.row == 1
    model.select(row=9)
    assert not model.can_go_forward
    model.go_back()
    assert model.current.row == 1


def test_what_nobody_chose_is_not_remembered(model: SelectionModel) -> None:
    model.set(Selection(run=1), remember=False)
    assert not model.can_go_back
    model.select(row=1)
    model.set(Selection(run=2), remember=False)
    model.go_back()
    assert model.current == Selection(run=2)


def test_history_has_an_end(model: SelectionModel) -> None:
    for row in range(MAX_HISTORY + 50):
        model.select(row=row)
    steps = 0
    while model.can_go_back:
        model.go_back()
        steps += 1
    assert steps == MAX_HISTORY
