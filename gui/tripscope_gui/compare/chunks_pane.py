"""Chunks side by side: what one place of the chain let out for each part, in both runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Final

from PySide6.QtCore import QModelIndex, QSignalBlocker
from PySide6.QtWidgets import QComboBox, QHeaderView, QStackedLayout, QWidget

from tripscope_gui.compare.comparison import Comparison
from tripscope_gui.compare.pane import ComparePane
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.look_cells import LOOK_ROLE, LookDelegate
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.models.base import ROW_ROLE, Column, ListModel
from tripscope_gui.pacer import Pacer
from tripscope_gui.panes import Place
from tripscope_gui.store.chunk_looks import Look, look_of
from tripscope_gui.store.chunk_rows import CLIENT, MODEL, ChunkRow
from tripscope_gui.store.run_index import index_of
from tripscope_gui.store.side_by_side import ChunkPair, PairList, SideBySide, differs
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.tables import TableView

_AT_ONCE: Final = 600
"""Rows of both runs that are compared without giving the window a turn."""
_SLICE_NS: Final = 4_000_000
_RUNS: Final = (5, 6)
"""Columns of the two runs."""


class ChunksSideBySidePane(ComparePane):
    """A row per part; the two cells of a row that differ are marked."""

    TITLE: ClassVar[str] = "Chunks side by side"
    PLACE: ClassVar[Place] = "middle-left"
    ORDER: ClassVar[int] = 20

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, comparison, parent)
        self._asked = 0
        self._following = False
        self.sides: SideBySide | None = None
        self._places: Sequence[int] = ()
        self.column = QComboBox()
        self.column.setProperty("small", True)
        self.column.setAccessibleName("place of the chain")
        self.column.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.column.setMaximumWidth(180)
        self.column.activated.connect(lambda _index: self._list())
        self._at = PlainLabel("at", "t3")
        self.model: ListModel[ChunkPair] = ListModel((), (), self)
        self.table = TableView(
            context.theme, "chunks of both runs", row_height=Height.CHUNK_ROW, columns=True
        )
        self.table.setItemDelegate(LookDelegate(context.theme, self.table, columns=True))
        self.table.setModel(self.model)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.empty = EmptyState(context.theme, "Comparing", parent=self)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.table)
        comparison.moved.connect(self._follow)

    def head_widgets(self) -> list[QWidget]:
        return [self._at, self.column]

    def show_comparison(self) -> None:
        runs = self.runs
        if runs is None or self.compared is None:
            self.sides = None
            self._show_rows(None)
            return
        if self.sides is None or self.sides.stores != (runs[0].store, runs[1].store):
            self.sides = SideBySide(runs[0].store, runs[1].store)
            self._fill_columns(self.sides)
            if len(runs[0].store.rows) + len(runs[1].store.rows) <= _AT_ONCE:
                for _ in _readied(self.sides):
                    pass
            else:
                self.context.tasks.start(self._align(self.sides), "align chunks")
        self._list()

    def _fill_columns(self, sides: SideBySide) -> None:
        wanted = self.column.currentText() or CLIENT
        with QSignalBlocker(self.column):
            self.column.clear()
            self.column.addItems(sides.columns())
            self.column.setCurrentIndex(max(0, self.column.findText(wanted)))

    def _list(self) -> None:
        """List all pairs, or those that differ at the place of the chain, once they are known."""
        self._asked += 1
        sides, column = self.sides, self.column.currentText()
        if sides is None:
            return
        if not sides.aligned:
            self._show_rows(None)
            return
        if not self.comparison.different_only:
            self._show_rows(list(range(len(sides))))
            return
        if sides.differing(column) is None:
            if len(sides) > _AT_ONCE:
                self._show_rows(None)
                work = self._compare(sides, column, self._asked)
                self.context.tasks.start(work, "compare chunks")
                return
            for _ in sides.compare(column):
                pass
        self._show_rows(list(sides.differing(column) or ()))

    async def _align(self, sides: SideBySide) -> None:
        await self._in_slices(_readied(sides), lambda: sides is self.sides)

    async def _compare(self, sides: SideBySide, column: str, asked: int) -> None:
        await self._in_slices(
            sides.compare(column), lambda: sides is self.sides and asked == self._asked
        )

    async def _in_slices(self, steps: Iterator[None], wanted: Callable[[], bool]) -> None:
        """Do work in turns with the window, as long as it is wanted, and list what came out."""
        pace = Pacer(_SLICE_NS)
        for _ in steps:
            await pace()
            if not wanted():
                return
        if wanted():
            self._list()

    def _show_rows(self, places: list[int] | None) -> None:
        sides = self.sides
        self._places = places or []
        pairs = PairList(sides, self._places) if sides is not None else ()
        self.model.reset(pairs, self._columns())
        self.table.set_column_widths([column.width for column in self.model.columns])
        for column in _RUNS:
            header = self.table.horizontalHeader()
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        if places is None:
            self.empty.set_text("Comparing" if self.runs is not None else "Pick two runs above")
        elif not places:
            words = f"{len(sides) if sides is not None else 0:,} chunks are the same in both runs"
            self.empty.set_text(f"No chunk differs at {self.column.currentText()}", words)
        self._stack.setCurrentIndex(1 if places else 0)
        self._follow()

    def _columns(self) -> list[Column[ChunkPair]]:
        runs, place = self.runs, self.column.currentText()
        titles = [run.title.lower() for run in runs] if runs is not None else ["before", "after"]
        return [
            Column("", self._sign, 22, roles={
                CellRole.TONE: lambda _pair: "changed",
                CellRole.WEIGHT: lambda _pair: SEMIBOLD,
            }, tooltip=lambda pair: "differs here" if self._sign(pair) else ""),
            Column("#", lambda pair: pair.either.label, 40, number=True, mono=True),
            Column("step", _attempt, 44),
            Column("type", lambda pair: pair.either.type, 96),
            Column("model", lambda _pair: "", 190, roles={LOOK_ROLE: self._model_look}),
            Column(f"{titles[0]}, {place}", lambda _pair: "", 200,
                   roles={LOOK_ROLE: lambda pair: self._look(0, pair.before)}),
            Column(f"{titles[1]}, {place}", lambda _pair: "", 200,
                   roles={LOOK_ROLE: lambda pair: self._look(1, pair.after)}),
        ]  # fmt: skip

    def _sign(self, pair: ChunkPair) -> str:
        sides = self.sides
        if sides is None or not differs(sides.stores, pair, self.column.currentText()):
            return ""
        return "\N{NOT EQUAL TO}"

    def _model_look(self, pair: ChunkPair) -> Look | None:
        side = 0 if pair.before is not None else 1
        return self._look(side, pair.either, MODEL)

    def _look(self, side: int, row: ChunkRow | None, column: str = "") -> Look | None:
        sides = self.sides
        if sides is None or row is None:
            return Look("no such part", mono=False, quiet=True)
        store = sides.stores[side]
        column = column or self.column.currentText()
        if column not in store.rows.columns:
            return Look("not in this chain", mono=False, quiet=True)
        return look_of(index_of(store), row, column)

    # following

    def _on_current(self, index: QModelIndex, _before: QModelIndex | None = None) -> None:
        """Look at the first differing event of that part."""
        pair = index.data(ROW_ROLE) if index.isValid() else None
        found = self.compared
        if self._following or not isinstance(pair, ChunkPair) or found is None:
            return
        for place, events in enumerate(found.diff.differing):
            for row, event in zip((pair.before, pair.after), events, strict=True):
                if row is not None and event is not None and _is_about(event, row):
                    self.comparison.go(place)
                    return

    def _follow(self) -> None:
        """Mark the part of the differing events that are looked at."""
        events, sides = self.comparison.pair, self.sides
        if events is None or sides is None or not self.isVisible():
            return
        for side, event in enumerate(events):
            number = sides.stores[side].rows.number_of(getattr(event, "index", None))
            place = sides.place_of(side, number)
            if place is None or place not in self._places:
                continue
            self._following = True
            self.table.selectRow(self._places.index(place))
            self._following = False
            return


def _readied(sides: SideBySide) -> Iterator[None]:
    """Bring the views of both runs up to date, then find the pairs."""
    for store in sides.stores:
        while index_of(store).advance(_SLICE_NS):
            yield
    yield from sides.align()


def _attempt(pair: ChunkPair) -> str:
    row = pair.either
    return f"{row.step}.{(row.attempt or 0) + 1}" if row.step is not None else ""


def _is_about(event: object, row: ChunkRow) -> bool:
    index = getattr(event, "index", None)
    return index is not None and index == row.index
