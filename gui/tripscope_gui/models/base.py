"""The one table model: a list that grows at its end, seen through column functions.

A cell is worked out when it is painted. `ListModel.sync` tells the views of rows that were added
since, in one batch; nothing is ever rebuilt for an append.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from tripscope_gui.delegates.rows import CellRole

T = TypeVar("T")
AnyIndex = QModelIndex | QPersistentModelIndex
ROW_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""The row's own object."""
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_DISPLAY: Final = int(Qt.ItemDataRole.DisplayRole)
_ALIGN: Final = int(Qt.ItemDataRole.TextAlignmentRole)
_TOOLTIP: Final = int(Qt.ItemDataRole.ToolTipRole)
_SPOKEN: Final = int(Qt.ItemDataRole.AccessibleTextRole)
_MONO: Final = int(CellRole.MONO)
LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


# no slots: Column[T](...) could not be made of a frozen class that has them
@dataclass(frozen=True)
class Column(Generic[T]):
    """One column: its head and what it shows of a row.

    ``roles`` maps a `CellRole` (outcome, rule, tone, icon, ...) or a Qt role to a function of the
    row. ``number`` right-aligns; ``mono`` is for text of models, rules and users.
    """

    title: str
    text: Callable[[T], str]
    width: int = 100
    number: bool = False
    mono: bool = False
    tooltip: Callable[[T], str] | None = None
    roles: Mapping[int, Callable[[T], Any]] = field(default_factory=dict)


class ListModel(QAbstractTableModel, Generic[T]):
    """Rows of ``source``, which only grows between two calls of `reset`."""

    def __init__(
        self,
        columns: Sequence[Column[T]],
        source: Sequence[T] = (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._source: Sequence[T] = source
        self._count = len(source)

    @property
    def columns(self) -> tuple[Column[T], ...]:
        """The columns in order."""
        return self._columns

    def reset(self, source: Sequence[T], columns: Sequence[Column[T]] | None = None) -> None:
        """Show another list, with other columns if given."""
        self.beginResetModel()
        if columns is not None:
            self._columns = tuple(columns)
        self._source = source
        self._count = len(source)
        self.endResetModel()

    def sync(self) -> int:
        """Show rows that the list got since; returns how many."""
        length = len(self._source)
        new = length - self._count
        if new > 0:
            self.beginInsertRows(QModelIndex(), self._count, length - 1)
            self._count = length
            self.endInsertRows()
        return max(0, new)

    def touch(self, first: int, last: int | None = None) -> None:
        """Rows ``first`` to ``last`` look different now."""
        last = first if last is None else last
        first, last = max(0, first), min(last, self._count - 1)
        if first <= last:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self._columns) - 1))

    def row(self, number: int) -> T | None:
        """The object of a row, or None."""
        return self._source[number] if 0 <= number < self._count else None

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= self._count:
            return None
        return self.reader(index)(role)

    def reader(self, index: AnyIndex) -> Callable[[int], Any]:
        """What `data` says of a cell by role; a delegate asks for a dozen roles of each cell."""
        column = self._columns[index.column()]
        row = self._source[index.row()]
        roles = column.roles

        def read(role: int) -> Any:
            if role == _DISPLAY:
                return column.text(row)
            found = roles.get(role)
            if found is not None:
                return found(row)
            if role == _ALIGN:
                return RIGHT if column.number else LEFT
            if role == _MONO:
                return column.mono
            if role == _SPOKEN:
                # a sign says in its tooltip what it stands for
                words = column.text(row)
                return words or (column.tooltip(row) if column.tooltip is not None else None)
            if role == ROW_ROLE:
                return row
            if role == _TOOLTIP and column.tooltip is not None:
                return column.tooltip(row)
            return None

        return read

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if self._columns[section].number else LEFT
        return None
