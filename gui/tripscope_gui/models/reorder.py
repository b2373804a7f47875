"""A table model whose rows can be dragged to another place of the same table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from PySide6.QtCore import QMimeData, QModelIndex, QPersistentModelIndex, Qt

from tripscope_gui.models.base import AnyIndex, ListModel

T = TypeVar("T")


class ReorderModel(ListModel[T]):
    """What is dragged is a row's number; `MIME` says of which kind of table it is."""

    MIME: ClassVar[str]

    def can_be_dragged(self, row: T) -> bool:
        """Whether a row may get another place."""
        return True

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags | Qt.ItemFlag.ItemIsDropEnabled
        row = self.row(index.row())
        if row is not None and self.can_be_dragged(row):
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        return flags

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [self.MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        data.setData(self.MIME, str(indexes[0].row() if indexes else -1).encode())
        return data

    def canDropMimeData(
        self,
        data: QMimeData,
        _action: Qt.DropAction,
        _row: int,
        _column: int,
        _parent: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        return data.hasFormat(self.MIME)
