"""Columns of the chain: its processors in order, those that are switched off too."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt

from tripscope.session.model import ProcessorSpec
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.icons import Icon
from tripscope_gui.models.base import Column
from tripscope_gui.models.reorder import ReorderModel

ENABLED: Final = 1
WIDTHS: Final = (18, 26, 110, 84)
NAME: Final = 2


class ChainTable(ReorderModel[ProcessorSpec]):
    """Every row can be dragged."""

    MIME = "application/x-tripscope-processor"


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
