"""Item model of the hooks matrix: a row per processor, a column per hook, then lines of facts."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from tripscope.processor import HOOKS
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.models.base import AnyIndex
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.chain import ProcessorInfo
from tripscope_gui.store.hook_facts import FACTS, Fact, HookFact, fact, hook_fact
from tripscope_gui.widgets.labels import plain_tooltip

HOOK_NAMES: Final = tuple(HOOKS)
FACT_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2
"""`HookFact` or `Fact` of a cell."""
NOTE_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 3
"""What stands small beside a processor's name."""


class HookMatrix(QAbstractTableModel):
    """Column 0 names the row. A line of facts has its `Fact` in column 1, which spans the rest."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store: RunStore | None = None
        self._processors: tuple[ProcessorInfo, ...] = ()

    @property
    def processors(self) -> tuple[ProcessorInfo, ...]:
        """Those of the rows, in order."""
        return self._processors

    def show(self, store: RunStore | None) -> None:
        """Another run, or none."""
        self.beginResetModel()
        self._store = store
        self._processors = tuple(store.chain) if store is not None else ()
        self.endResetModel()

    def refresh(self) -> None:
        """The run went on: the same rows, other cells. A chain known only now is taken."""
        if self._store is None:
            return
        if tuple(self._store.chain) != self._processors:
            self.show(self._store)
            return
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        self.dataChanged.emit(self.index(0, 0), last)

    def is_fact(self, row: int) -> bool:
        """Whether a row is a line of facts."""
        return row >= len(self._processors)

    def place(self, processor: str | None, hook: str | None) -> tuple[int, int] | None:
        """Row and column of a processor's hook; column 0 for a processor alone."""
        for row, info in enumerate(self._processors):
            if info.id == processor:
                return row, HOOK_NAMES.index(hook) + 1 if hook in HOOK_NAMES else 0
        return None

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        if parent.isValid() or self._store is None:
            return 0
        return len(self._processors) + len(FACTS)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(HOOK_NAMES) + 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        store = self._store
        if not index.isValid() or store is None or index.row() >= self.rowCount():
            return None
        row, column = index.row(), index.column()
        if column == 0:
            return self._name(row, role)
        if self.is_fact(row):
            if column > 1:
                return None
            found: Fact | HookFact = fact(store, FACTS[row - len(self._processors)])
        else:
            found = hook_fact(store, self._processors[row], HOOK_NAMES[column - 1])
        if role == FACT_ROLE:
            return found
        if role == CellRole.OUTCOME:
            return found.outcome
        if role == Qt.ItemDataRole.DisplayRole:
            return fact_words(found)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            words = self._long_words(row, column, found)
            return plain_tooltip(words) if role == Qt.ItemDataRole.ToolTipRole else words
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section <= len(HOOK_NAMES):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return "processor" if section == 0 else HOOK_NAMES[section - 1]
        return None

    def _name(self, row: int, role: int) -> Any:
        known = not self.is_fact(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._processors[row].id if known else FACTS[row - len(self._processors)]
        if role == NOTE_ROLE:
            return self._processors[row].note if known else ""
        return None

    def _long_words(self, row: int, column: int, found: HookFact | Fact) -> str:
        if isinstance(found, Fact):
            return " ".join(part for part in (found.words, found.quoted, found.detail) if part)
        name = f"{self._processors[row].id}, {HOOK_NAMES[column - 1]}"
        if found.calls:
            calls = f"{found.calls:,} call{'s' if found.calls > 1 else ''}"
            return f"{name}: {found.outcome}, {calls}, {found.duration / 1e6:,.2f} ms"
        return f"{name}: {found.outcome or 'skipped'}, {found.why}"


def fact_words(found: HookFact | Fact) -> str:
    """What a cell says beside its badge."""
    if isinstance(found, Fact):
        return found.words
    if found.absent:
        return "\N{MIDDLE DOT}"
    if not found.calls:
        return "" if found.outcome is not None else "\N{EN DASH}"
    ms = found.duration / 1e6
    return f"{ms:.1f} ms" if ms < 100 else f"{ms:,.0f} ms"
