"""Columns of the chain: its processors in order, those that are switched off too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QMimeData, QModelIndex, QPersistentModelIndex, Qt

from tripscope.session.model import ProcessorSpec
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.icons import Icon
from tripscope_gui.models.base import AnyIndex, Column, ListModel

MIME: Final = "application/x-tripscope-processor"
ENABLED: Final = 1
WIDTHS: Final = (18, 26, 110, 84)
NAME: Final = 2


class ChainTable(ListModel[ProcessorSpec]):
    """Every row can be dragged."""

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        extra = Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.ItemIsDropEnabled
        return super().flags(index) | extra

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        data.setData(MIME, str(indexes[0].row() if indexes else -1).encode())
        return data

    def canDropMimeData(
        self,
        data: QMimeData,
        _action: Qt.DropAction,
        _row: int,
        _column: int,
        _parent: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        return data.hasFormat(MIME)


def chain_columns() -> tuple[Column[ProcessorSpec], ...]:
    """Handle, switch, id, type."""

    def tone(spec: ProcessorSpec) -> str:
        return "t1" if spec.enabled else "t3"

    return (
        Column(
            "",
            lambda spec: "",
            tooltip=lambda spec: "Drag it to another place",
            roles={CellRole.ICON: lambda spec: Icon.DRAG, CellRole.TONE: lambda spec: "t3"},
        ),
        Column(
            "",
            lambda spec: "",
            roles={
                int(Qt.ItemDataRole.CheckStateRole): lambda spec: (
                    Qt.CheckState.Checked if spec.enabled else Qt.CheckState.Unchecked
                )
            },
        ),
        Column("processor", lambda spec: spec.id, roles={CellRole.TONE: tone}),
        Column("type", lambda spec: spec.type, roles={CellRole.TONE: lambda spec: "t2"}),
    )
