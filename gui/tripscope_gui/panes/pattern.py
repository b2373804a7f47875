"""Pattern: the rule that is worked on, with all its fields in view."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tripscope_gui.context import PaneContext
from tripscope_gui.panes import Pane
from tripscope_gui.rule_desk import desk_of
from tripscope_gui.rule_editor import RuleEditor
from tripscope_gui.tokens import TypeSize
from tripscope_gui.widgets.labels import PlainLabel


class PatternPane(Pane):
    """Name, colour, flags, pattern, replacement and note of one rule."""

    TITLE = "Pattern"
    PLACE = "lab-top"
    ORDER = 10

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.form = RuleEditor(context, context.rule_number, roomy=True)
        self.hint = PlainLabel("ECMAScript as in node 20", "t2", px=TypeSize.LABEL, parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.form)
        self.desk = desk_of(context)
        self.desk.added.connect(self._name_it)

    def _name_it(self) -> None:
        if self.isVisible():
            self.form.name.setFocus(Qt.FocusReason.OtherFocusReason)
            self.form.name.selectAll()

    def head_widgets(self) -> list[QWidget]:
        return [self.hint]
