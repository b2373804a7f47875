"""The model behind the chunks table: groups, chunk rows, and the filter that lists them.

Rows are listed in slices until a deadline, so that neither a long trace nor a slow filter stops
the window; `ChunkTable.advance` says whether something is left. Looks are made when a cell is
painted, and forgotten when too many are kept.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterable
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal

from tripscope.trace.described_chain import presets_in
from tripscope_gui.models.base import LEFT, RIGHT, ROW_ROLE, AnyIndex
from tripscope_gui.store.chunk_facts import Test
from tripscope_gui.store.chunk_groups import Entries, Group
from tripscope_gui.store.chunk_looks import Look, look_of
from tripscope_gui.store.chunk_rows import CLIENT, MODEL, ChunkRow
from tripscope_gui.store.group_words import GroupWords, words_of_group
from tripscope_gui.store.run_index import RunIndex

FIXED: Final = ("#", "time s", "type")
SLICE_NS: Final = 8_000_000
_SLICE: Final = 256
_LOOKS: Final = 4096


class ChunkTable(QAbstractTableModel):
    """Entries of one run. Columns: number, time, type, then the places of the chain."""

    progressed = Signal()
    """Rows were listed, or all are listed that there are."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries = Entries()
        self.index_of_run: RunIndex | None = None
        self.places: tuple[str, ...] = ()
        self.hidden: frozenset[str] = frozenset()
        self._test: Test | None = None
        self._cursor = 0
        self._noted = 0
        self._refreshed = 0
        """Groups there were when `refresh` was called last."""
        self._looks: dict[tuple[int, str], Look] = {}
        self._groups: dict[int, GroupWords] = {}
        self._version = 0

    # what is shown

    def show_run(self, index: RunIndex | None, test: Test | None = None) -> None:
        """Show another run from its beginning; `advance` lists its rows."""
        self.beginResetModel()
        self.index_of_run = index
        self.places = index.store.rows.columns if index is not None else ()
        self.entries = Entries()
        self._test = test
        self._cursor = self._noted = self._refreshed = 0
        self.forget_looks()
        self.endResetModel()

    def set_test(self, test: Test | None) -> None:
        """List only rows that meet the test; `advance` lists them."""
        self.beginResetModel()
        self.entries.clear()
        self._test = test
        self._cursor = 0
        self.endResetModel()

    @property
    def total(self) -> int:
        """Rows of the run, listed or not."""
        return len(self.index_of_run.store.rows) if self.index_of_run is not None else 0

    @property
    def filtered(self) -> bool:
        """Whether a test is in force."""
        return self._test is not None

    @property
    def behind(self) -> int:
        """Rows that were not looked at yet."""
        return max(0, self._limit() - self._cursor)

    def _limit(self) -> int:
        # the newest row may still change, so a test waits for the next one
        total = self.total
        if self._test is None or self.index_of_run is None or self.index_of_run.store.over:
            return total
        return max(0, total - 1)

    def advance(self, nanoseconds: int | None = SLICE_NS) -> bool:
        """List more rows, for about that long (None: all); whether some are left."""
        if self.index_of_run is None:
            return False
        places = self.index_of_run.store.rows.columns
        if places != self.places:
            # a run shown before its first event gets its columns with that event
            self.beginResetModel()
            self.places = places
            self.endResetModel()
        deadline = time.perf_counter_ns() + nanoseconds if nanoseconds is not None else None
        codes = array("q")
        limit = self._limit()
        while self._cursor < limit:
            end = min(limit, self._cursor + _SLICE)
            self._note(end)
            self._take(self._cursor, end, codes)
            self._cursor = end
            if deadline is not None and time.perf_counter_ns() >= deadline:
                break
        if codes:
            first = len(self.entries)
            self.beginInsertRows(QModelIndex(), first, first + len(codes) - 1)
            self.entries.codes.extend(codes)
            self.endInsertRows()
        self.progressed.emit()
        return self._cursor < limit

    def _note(self, end: int) -> None:
        assert self.index_of_run is not None
        rows, entries = self.index_of_run.store.rows, self.entries
        if self._noted >= end:
            return
        group = entries.groups[-1] if entries.groups else None
        first, last = rows[self._noted], rows[end - 1]
        if group is not None and group.key == (first.step, first.attempt) == (
            last.step,
            last.attempt,
        ):
            group.end_row = end
        else:
            for row in rows[self._noted : end]:
                entries.note(row)
        self._noted = end

    def _take(self, first: int, end: int, codes: array[int]) -> None:
        assert self.index_of_run is not None
        entries, test = self.entries, self._test
        group = entries.group_of(first)
        if test is None and group is not None and group.listed and group.end_row >= end:
            if not group.collapsed:
                codes.extend(range(first, end))
            entries.matching += end - first
            return
        for row in self.index_of_run.store.rows[first:end]:
            if test is None or test(row):
                codes.extend(entries.additions(row))

    def recheck(self, indexes: Iterable[int]) -> None:
        """Rows of these part indexes know more now: repaint them, and list those that fit."""
        if self.index_of_run is None:
            return
        rows = self.index_of_run.store.rows
        for index in indexes:
            row = rows.of_index(index)
            if row is None:
                continue
            self._forget(row.number)
            if self._test is not None and row.number < self._cursor:
                self._list_late(row, self._test)

    def _list_late(self, row: ChunkRow, test: Test) -> None:
        entries = self.entries
        group = entries.group_of(row.number)
        if group is None or entries.place_of(row.number) is not None or group.collapsed:
            return
        if not test(row):
            return
        codes = [row.number] if group.listed else [-1 - group.number, row.number]
        place = entries.lower_bound(row.number)
        self.beginInsertRows(QModelIndex(), place, place + len(codes) - 1)
        entries.codes[place:place] = array("q", codes)
        entries.matching += 1
        group.listed = True
        self.endInsertRows()

    def refresh(self, first_row: int) -> None:
        """Rows from ``first_row`` on look different now, and so may groups that were the newest."""
        for key in [key for key in self._looks if key[0] >= first_row]:
            del self._looks[key]
        groups, first_open = self.entries.groups, max(0, self._refreshed - 2)
        self._refreshed = len(groups)
        for group in groups[first_open:]:
            self._groups.pop(group.number, None)
            if group.listed:
                # its own row comes just before its rows
                row = self.entries.lower_bound(group.first_row) - 1
                self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))
        place = self.entries.lower_bound(first_row)
        if place < len(self.entries):
            last = self.index(len(self.entries) - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(place, 0), last)

    def forget_looks(self) -> None:
        """Make all looks anew when they are painted next."""
        self._looks.clear()
        self._groups.clear()

    def _forget(self, row: int) -> None:
        for place in self.places:
            self._looks.pop((row, place), None)

    # groups

    def toggle(self, group: Group) -> None:
        """Fold the group's rows away, or list them again."""
        entries = self.entries
        self._groups.pop(group.number, None)
        start, end = entries.span_of(group)
        if not group.collapsed:
            group.collapsed = True
            if end > start:
                self.beginRemoveRows(QModelIndex(), start, end - 1)
                del entries.codes[start:end]
                self.endRemoveRows()
            return
        group.collapsed = False
        assert self.index_of_run is not None
        rows = self.index_of_run.store.rows
        last = min(group.end_row, self._cursor)
        test = self._test
        listed = array("q", range(group.first_row, last))
        if test is not None:
            listed = array("q", (n for n in listed if test(rows[n])))
        if listed:
            self.beginInsertRows(QModelIndex(), start, start + len(listed) - 1)
            entries.codes[start:start] = listed
            self.endInsertRows()

    def group_at(self, place: int) -> Group | None:
        """The group of a group row; None for a chunk row or a place that is not listed."""
        return self.entries.group_at(place) if 0 <= place < len(self.entries) else None

    def words(self, group: Group) -> GroupWords:
        """What the group row says."""
        found = self._groups.get(group.number)
        if found is None:
            assert self.index_of_run is not None
            found = self._groups[group.number] = words_of_group(self.index_of_run, group)
        return found

    # cells

    def chunk_row(self, place: int) -> ChunkRow | None:
        """The chunk row at a place; None for a group row or a place that is not listed."""
        if self.index_of_run is None or not 0 <= place < len(self.entries):
            return None
        code = self.entries.codes[place]
        return self.index_of_run.store.rows[code] if code >= 0 else None

    def column_of(self, section: int) -> str | None:
        """``model``, a processor's id or ``client``; None for number, time and type."""
        place = section - len(FIXED)
        return self.places[place] if 0 <= place < len(self.places) else None

    def section_of(self, column: str | None) -> int:
        """The section of a place of the chain; that of the model for any other word."""
        found = self.places.index(column) if column in self.places else 0
        return len(FIXED) + found

    def look(self, row: ChunkRow, column: str) -> Look:
        """The look of one cell."""
        key = (row.number, column)
        look = self._looks.get(key)
        if look is None:
            assert self.index_of_run is not None
            if len(self._looks) >= _LOOKS:
                self._looks.clear()
            look = self._looks[key] = look_of(self.index_of_run, row, column)
        return look

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(FIXED) + len(self.places)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self.index_of_run is None:
            return None
        place, section = index.row(), index.column()
        row = self.chunk_row(place)
        if role == ROW_ROLE:
            return row
        if row is None:
            group = self.group_at(place)
            if group is None or role != Qt.ItemDataRole.DisplayRole or section:
                return None
            return self.words(group).line
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section < 2 else LEFT
        if role == Qt.ItemDataRole.AccessibleTextRole and (column := self.column_of(section)):
            return spoken(self.look(row, column))
        return None

    def _text(self, row: ChunkRow, section: int) -> str:
        match section:
            case 0:
                return row.label
            case 1:
                return f"{row.time / 1e9:.2f}"
            case 2:
                return row.type
        column = self.column_of(section)
        return self.look(row, column).text if column else ""

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < self.columnCount():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section < 2 else LEFT
        if role == Qt.ItemDataRole.DisplayRole:
            column = self.column_of(section)
            return self.title(column) if column else FIXED[section]
        if role == Qt.ItemDataRole.ToolTipRole and section >= len(FIXED):
            return "Text as it stands here; held counts are UTF-16 units"
        return None

    def title(self, column: str) -> str:
        """Head of a place of the chain."""
        if column in (MODEL, CLIENT) or self.index_of_run is None:
            return column
        processor = self.index_of_run.store.chain.get(column)
        names = presets_in(processor.options) if processor is not None else []
        note = f" \u00b7 {', '.join(names)}" if names and column not in names else ""
        return f"after {column}{note}"


def spoken(look: Look) -> str:
    """A cell as a screen reader says it."""
    edge = {"": "", "flush": "flushed", "leak": "left too early"}.get(look.edge, look.edge)
    return ", ".join(part for part in (edge, look.text, look.hold) if part)
