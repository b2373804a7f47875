"""What you changed: rules, options, processors and prompt of the two runs, as lines - and +."""

from __future__ import annotations

from typing import ClassVar, Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from tripscope.trace.chain_diff import Edit
from tripscope.trace.text_diff import text_diff
from tripscope_gui.compare.comparison import Comparison
from tripscope_gui.compare.pane import ComparePane
from tripscope_gui.context import PaneContext
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.panes import Place
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.edit_line import EditLine
from tripscope_gui.widgets.empty_state import EmptyState
from tripscope_gui.widgets.labels import PlainLabel


class EditsPane(ComparePane):
    """One group of lines for each thing that was edited between the runs."""

    TITLE: ClassVar[str] = "What you changed"
    PLACE: ClassVar[Place] = "middle-right"
    ORDER: ClassVar[int] = 10

    def __init__(
        self, context: PaneContext, comparison: Comparison, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, comparison, parent)
        self.empty = EmptyState(context.theme, "Nothing was edited between these runs")
        self.lines: list[EditLine] = []
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._scroll)

    def count(self) -> None:
        found = self.compared
        self.set_badge(str(len(found.edits)) if found is not None and found.edits else "")

    def show_comparison(self) -> None:
        found = self.compared
        self.lines = []
        if found is None or not found.edits:
            words = "Nothing was edited between these runs"
            self.empty.set_text(words if found is not None else "Comparing")
            self._stack.setCurrentIndex(0)
            return
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for edit in found.edits:
            column.addWidget(self._title(edit))
            for line in self._edit_lines(edit):
                self.lines.append(line)
                column.addWidget(line)
        column.addStretch(1)
        self._scroll.setWidget(body)
        self._stack.setCurrentIndex(1)

    def _title(self, edit: Edit) -> QFrame:
        head = QFrame()
        head.setProperty("kind", "bar")
        head.setFixedHeight(23)
        line = QHBoxLayout(head)
        line.setContentsMargins(10, 0, 8, 0)
        line.setSpacing(6)
        line.addWidget(PlainLabel(edit.name, weight=SEMIBOLD))
        line.addWidget(PlainLabel(edit.note, "t2", px=TypeSize.LABEL))
        line.addStretch(1)
        return head

    def _edit_lines(self, edit: Edit) -> list[EditLine]:
        theme = self.context.theme
        lines: list[EditLine] = []
        rest = list(edit.lines)
        while rest:
            sign, text = rest.pop(0)
            if sign == "-" and rest and rest[0][0] == "+":
                other = rest.pop(0)[1]
                # a pattern differs by characters, a number or a word as a whole
                by: Literal["words", "characters"] = (
                    "characters" if text.startswith("/") else "words"
                )
                ops = [op for op in text_diff(text, other, by=by) if op[0] != "equal"]
                lines.append(EditLine(theme, sign, text, [(a, b) for _, a, b, _, _ in ops]))
                lines.append(EditLine(theme, "+", other, [(c, d) for _, _, _, c, d in ops]))
            else:
                lines.append(EditLine(theme, sign, text))
        return lines
