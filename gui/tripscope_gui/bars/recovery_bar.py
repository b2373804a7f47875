"""Offers the unsaved changes of a window that was not closed but ended."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from tripscope_gui.context import PaneContext
from tripscope_gui.documents import Documents
from tripscope_gui.session_recovery import LeftBehind, Recovery
from tripscope_gui.widgets.buttons import Button
from tripscope_gui.widgets.labels import plain_tooltip
from tripscope_gui.widgets.notice import Notice, Severity


class RecoveryBar(Notice):
    """Under the run bar until it is answered; several are offered one after the other."""

    def __init__(
        self,
        context: PaneContext,
        documents: Documents,
        recovery: Recovery,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(context.theme, Severity.WARNING, parent=parent)
        self._context, self._documents, self._recovery = context, documents, recovery
        self._left: LeftBehind | None = None
        theme = context.theme
        self.recover = Button(theme, "Recover", small=True)
        self.discard = Button(theme, "Discard", small=True)
        self.folder = Button(theme, "Show the file", small=True)
        self.dismiss = Button(theme, "Close", small=True)
        for button in (self.recover, self.discard, self.folder, self.dismiss):
            self.add_button(button)
        self.recover.clicked.connect(self._on_recover)
        self.discard.clicked.connect(self._on_discard)
        self.folder.clicked.connect(self._on_folder)
        self.dismiss.clicked.connect(self._on_discard)
        recovery.changed.connect(self._offer)
        self._offer()

    def _offer(self) -> None:
        left = self._left = next(iter(self._recovery.left), None)
        self.setVisible(left is not None)
        if left is None:
            return
        readable = left.kept is not None
        for button in (self.recover, self.discard):
            button.setVisible(readable)
        for button in (self.folder, self.dismiss):
            button.setVisible(not readable)
        if left.kept is None:
            self.set_notice(
                Severity.FAILURE,
                "Unsaved changes of an earlier window cannot be read",
                f"{left.damage}. They are kept as {left.file}",
            )
            self.setToolTip(plain_tooltip(str(left.file)))
            return
        name = left.kept.session.name
        self.set_notice(
            Severity.WARNING,
            f"Tripscope was closed with unsaved changes to {name}",
            f"last edit {_clock(left.kept.saved_at)}, {_place(left.kept.path)}",
        )
        self.setToolTip(plain_tooltip(str(left.kept.path or "")))

    def _on_recover(self) -> None:
        left = self._left
        if left is not None:
            self._context.tasks.start(self._recover(left), "recover unsaved changes")

    async def _recover(self, left: LeftBehind) -> None:
        kept = left.kept
        if kept is None or left not in self._recovery.left:
            return
        self.setEnabled(False)
        try:
            if await self._documents.take(kept.session, kept.path):
                await self._recovery.settle(left)
                self._context.say(f"{kept.session.name} is back with its unsaved changes")
        finally:
            self.setEnabled(True)

    def _on_discard(self) -> None:
        if self._left is not None:
            self._recovery.discard(self._left)

    def _on_folder(self) -> None:
        if self._left is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._left.file.parent)))


def _clock(when: datetime) -> str:
    here = when.astimezone()
    today = here.date() == datetime.now().astimezone().date()
    return f"{here:%H:%M}" if today else f"{here:%Y-%m-%d %H:%M}"


def _place(path: Path | None) -> str:
    return f"file {path.name}" if path is not None else "in no file yet"
