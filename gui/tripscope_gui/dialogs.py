"""Questions to the person, awaited: no nested event loop, all text plain."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from tripscope_gui.delegates.texts import in_place

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

FILTER_OPEN = "Sessions and traces (*.tripscope.json *.trace.jsonl *.json *.jsonl);;All files (*)"
FILTER_SESSION = "Sessions (*.tripscope.json)"
FILTER_TRACE = "Traces (*.trace.jsonl)"


async def wait_for(dialog: QDialog) -> int:
    """Show a dialog and await its result; a cancel closes it."""
    done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def finished(result: int) -> None:
        if not done.done():
            done.set_result(result)

    dialog.finished.connect(finished)
    try:
        # what cannot be opened at the start is told before a window that is shown in this turn
        await asyncio.sleep(0)
        dialog.open()
        return await done
    finally:
        dialog.finished.disconnect(finished)
        dialog.close()
        dialog.deleteLater()


async def ask(parent: QWidget, question: str, detail: str, answers: Sequence[str]) -> str:
    """One of ``answers``; the last is what Escape means, the first what Enter means."""
    from PySide6.QtWidgets import QMessageBox

    box = QMessageBox(parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(in_place(question))
    box.setInformativeText(in_place(detail))
    role = QMessageBox.ButtonRole
    buttons = [box.addButton(answer, role.ActionRole) for answer in answers]
    box.setDefaultButton(buttons[0])
    box.setEscapeButton(buttons[-1])
    clicked: list[str] = []
    box.buttonClicked.connect(lambda button: clicked.append(answers[buttons.index(button)]))
    await wait_for(box)
    return clicked[0] if clicked else answers[-1]


async def tell(parent: QWidget, what: str, detail: str = "") -> None:
    """Say something that needs to be read."""
    await ask(parent, what, detail, ["Close"])


async def open_path(parent: QWidget, title: str, folder: Path, filter_: str) -> Path | None:
    """A file to open, or None; it is looked for in ``folder`` first."""
    from PySide6.QtWidgets import QFileDialog

    dialog = QFileDialog(parent, title, str(folder), filter_)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return await _path(dialog)


async def save_path(
    parent: QWidget, title: str, start: Path, filter_: str, suffix: str
) -> Path | None:
    """A file to write, or None; a name without an ending gets ``suffix``."""
    from PySide6.QtWidgets import QFileDialog

    dialog = QFileDialog(parent, title, str(start), filter_)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    # by Qt, so that it asks about the file that would be replaced
    dialog.setDefaultSuffix(suffix)
    dialog.selectFile(start.name)
    return await _path(dialog)


async def _path(dialog: QFileDialog) -> Path | None:
    chosen: list[str] = []
    dialog.fileSelected.connect(chosen.append)
    await wait_for(dialog)
    return Path(chosen[0]) if chosen else None
