"""Tables and trees give their selected row away: as text, or as a JSON object by column."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QTableView, QTreeView

JSON_KEYS: Final = QKeySequence(
    QKeyCombination(
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_C
    )
)
_TEXT: Final = "Copy row as text"
_JSON: Final = "Copy row as JSON"


# a second Qt class among the bases is one too many for PySide
if TYPE_CHECKING:
    _View = QAbstractItemView
else:
    _View = object


class CopiesRows(_View):
    """Mixed into a view: Ctrl+C, Ctrl+Shift+C, and a menu for whoever knows no keys.

    What is copied is what the row shows, so that a masked value stays masked.
    """

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_row()
        elif QKeySequence(event.keyCombination()) == JSON_KEYS:
            self.copy_row(as_json=True)
        else:
            super().keyPressEvent(event)

    def offer_copies(self) -> None:
        """Give the view its menu; called once it is made."""
        # keys are shown only: as shortcuts they would be taken from views with keys of their own
        copy = QKeySequence(QKeySequence.StandardKey.Copy)
        for words, keys, as_json in ((_TEXT, copy, False), (_JSON, JSON_KEYS, True)):
            shown = keys.toString(QKeySequence.SequenceFormat.NativeText)
            action = QAction(f"{words}\t{shown}", self)
            action.triggered.connect(lambda _=False, j=as_json: self.copy_row(as_json=j))
            self.addAction(action)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def copy_row(self, *, as_json: bool = False) -> None:
        """Put the current row onto the clipboard; nothing where there is none."""
        cells = row_cells(self)
        if not cells:
            return
        if as_json:
            words = json.dumps(dict(cells), indent=2)
        else:
            words = "\t".join(text for _, text in cells if text)
        QGuiApplication.clipboard().setText(words)


def row_cells(view: QAbstractItemView) -> list[tuple[str, str]]:
    """(title, text) of the columns of the current row that are in view, in their order.

    A column without a title has its number for one.
    """
    current, model = view.currentIndex(), view.model()
    if not current.isValid() or model is None:
        return []
    cells: list[tuple[str, str]] = []
    for column in range(model.columnCount(current.parent())):
        if isinstance(view, QTableView | QTreeView) and view.isColumnHidden(column):
            continue
        title = _words(model.headerData(column, Qt.Orientation.Horizontal))
        text = _words(current.sibling(current.row(), column).data())
        cells.append((title or f"column {column + 1}", text))
    return cells


def _words(value: Any) -> str:
    return "" if value is None else str(value)
