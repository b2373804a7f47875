"""Base of panes that set texts of both runs side by side, section by section."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from tripscope_gui.compare.comparison import Compared, Comparison
from tripscope_gui.compare.pane import ComparePane
from tripscope_gui.context import PaneContext
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.panes import Place
from tripscope_gui.store.text_changes import By, Section
from tripscope_gui.store.workspace import Run
from tripscope_gui.tokens import BadgeSize, TypeSize
from tripscope_gui.widgets.badge import Badge
from tripscope_gui.widgets.diff_text import DiffText
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import PlainLabel
from tripscope_gui.widgets.segmented import SegmentedControl


class SectionsPane(ComparePane):
    """Baseline left, the other run right.

    A subclass sets ``NOTHING`` and overrides `make_sections` and `about`.
    """

    PLACE: ClassVar[Place] = "middle-left"
    NOTHING: ClassVar[str]
    """What stands there where no run has a text."""

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, comparison, parent)
        self.by = SegmentedControl([("words", "words"), ("characters", "characters")], "compare by")
        self.by.selected.connect(lambda _by: self.renew())
        self._legend = PlainLabel("underlined: removed left, added right", "t3", px=TypeSize.LABEL)
        self.empty = EmptyState(context.theme, self.NOTHING, parent=self)
        self.sections: list[Section] = []
        self.texts: list[tuple[DiffText, DiffText]] = []
        self._heads = (PlainLabel(px=TypeSize.LABEL), PlainLabel(px=TypeSize.LABEL))
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(self._scroll, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(page)

    def head_widgets(self) -> list[QWidget]:
        return [self._legend, self.by]

    @property
    def chosen_by(self) -> By:
        """How texts are compared."""
        return "words" if self.by.current == "words" else "characters"

    def make_sections(self, runs: tuple[Run, Run], found: Compared, by: By) -> list[Section]:
        """The sections in order."""
        raise NotImplementedError

    def about(self, run: Run, found: Compared, side: int) -> str:
        """What the texts of one side are, with their size."""
        raise NotImplementedError

    def show_comparison(self) -> None:
        found, runs = self.compared, self.runs
        self.sections, self.texts = [], []
        if runs is None or found is None:
            self.empty.set_text("Comparing" if runs is not None else "Pick two runs above")
            self._stack.setCurrentIndex(0)
            return
        self.sections = self.make_sections(runs, found, self.chosen_by)
        for side, label in enumerate(self._heads):
            label.setText(
                f"{runs[side].title} \N{MIDDLE DOT} {self.about(runs[side], found, side)}"
            )
        self.empty.set_text(self.NOTHING)
        self._fill(runs, found.rules.number)
        self._stack.setCurrentIndex(1 if self.sections else 0)

    def _fill(self, runs: tuple[Run, Run], number_of: Callable[[str], int]) -> None:
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 4, 0, 8)
        grid.setSpacing(0)
        for number, section in enumerate(self.sections):
            texts = []
            for side in (0, 1):
                text = DiffText(
                    self.context.theme,
                    f"{section.title}, {runs[side].title}: {section.words[side]}",
                    number_of,
                )
                text.set_pieces(section.sides[side])
                texts.append(text)
                cell = QWidget()
                column = QVBoxLayout(cell)
                column.setContentsMargins(12, 4, 12, 8)
                column.setSpacing(2)
                column.addWidget(self._title(section, side))
                column.addWidget(text)
                column.addStretch(1)
                grid.addWidget(cell, number, 2 * side)
            self.texts.append((texts[0], texts[1]))
        line = QFrame()
        line.setProperty("kind", "vrule")
        grid.addWidget(line, 0, 1, len(self.sections) + 1, 1)
        for column_number in (0, 2):
            grid.setColumnStretch(column_number, 1)
            grid.setColumnMinimumWidth(column_number, 80)
        grid.setRowStretch(len(self.sections), 1)
        self._scroll.setWidget(body)

    def _title(self, section: Section, side: int) -> QWidget:
        head = QWidget()
        line = QHBoxLayout(head)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        outcome = section.outcomes[side]
        if outcome is not None:
            line.addWidget(Badge(self.context.theme, outcome, "", size=BadgeSize.ROW))
        line.addWidget(PlainLabel(section.title, px=TypeSize.LABEL, weight=SEMIBOLD))
        line.addWidget(PlainLabel(section.words[side], "t2", px=TypeSize.LABEL))
        line.addStretch(1)
        return head

    def _head(self) -> QFrame:
        head = QFrame()
        head.setProperty("kind", "bar")
        head.setFixedHeight(21)
        line = QHBoxLayout(head)
        line.setContentsMargins(12, 0, 8, 0)
        line.setSpacing(12)
        for label in self._heads:
            line.addWidget(label, 1)
        return head
