import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.models.base import ROW_ROLE, Column, ListModel

COLUMNS = (
    Column[str]("text", str.upper, mono=True, tooltip=lambda row: f"<{row}>"),
    Column[str]("length", lambda row: str(len(row)), number=True, roles={CellRole.TONE: len}),
)


@pytest.fixture
def rows() -> list[str]:
    return ["a", "bb"]


@pytest.fixture
def model(qtbot: QtBot, rows: list[str]) -> ListModel[str]:
    return ListModel(COLUMNS, rows)


def test_it_is_a_right_model(
    model: ListModel[str], rows: list[str], qtmodeltester: ModelTester
) -> None:
    strict = QAbstractItemModelTester.FailureReportingMode.Warning
    tester = QAbstractItemModelTester(model, strict)
    qtmodeltester.check(model)
    rows.extend(["ccc"] * 1000)
    assert model.sync() == 1000
    model.touch(0, 5)
    model.reset([])
    assert model.rowCount() == 0
    tester.deleteLater()


def test_rows_that_were_not_told_of_are_not_there(model: ListModel[str], rows: list[str]) -> None:
    rows.append("ccc")
    assert model.rowCount() == 2
    assert model.row(2) is None
    inserted: list[tuple[int, int]] = []
    model.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    model.sync()
    model.sync()
    assert inserted == [(2, 2)]
    assert model.row(2) == "ccc"


def test_what_a_cell_says(model: ListModel[str]) -> None:
    text, length = model.index(1, 0), model.index(1, 1)
    role = Qt.ItemDataRole
    assert text.data() == "BB"
    assert text.data(CellRole.MONO) is True
    assert text.data(role.ToolTipRole) == "<bb>"
    assert text.data(ROW_ROLE) == "bb"
    assert length.data() == "2"
    assert length.data(CellRole.TONE) == 2
    assert length.data(role.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert model.headerData(1, Qt.Orientation.Horizontal) == "length"
    assert model.headerData(9, Qt.Orientation.Horizontal) is None


def test_a_sign_says_in_its_tooltip_what_it_stands_for(qtbot: QtBot) -> None:
    columns = (Column[str]("", lambda _row: "", tooltip=lambda row: f"it {row}s"), *COLUMNS)
    model = ListModel(columns, ["fail"])
    spoken = [model.index(0, n).data(Qt.ItemDataRole.AccessibleTextRole) for n in range(3)]
    assert spoken == ["it fails", "FAIL", "4"]
