"""The window: run bar, start page or work area, menus; files dropped on it; how it closes."""

from __future__ import annotations

import asyncio
import importlib
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from tripscope_gui import commands, dialogs, menus, window_state
from tripscope_gui.actions import Actions
from tripscope_gui.aio import TaskSupervisor
from tripscope_gui.bars.examples import Example, is_example
from tripscope_gui.bars.run_bar import RunBar
from tripscope_gui.bars.status_bar import StatusBar
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import one_line
from tripscope_gui.documents import Documents
from tripscope_gui.file_drops import FileDrops
from tripscope_gui.icons import app_icon
from tripscope_gui.run_controller import RunController
from tripscope_gui.run_export import RunExport
from tripscope_gui.run_history import HistoryKeeper
from tripscope_gui.session_access import SessionAccess
from tripscope_gui.session_recovery import Recovery
from tripscope_gui.settings import Settings
from tripscope_gui.theme import Mode, Theme
from tripscope_gui.threads import in_thread

if TYPE_CHECKING:
    from tripscope_gui.bars.start_page import StartPage
    from tripscope_gui.overlays import KeysOverlay, Palette
    from tripscope_gui.work_area import WorkArea

_NARROW: Final = 1400
_UNSAID_SECONDS: Final = 0.3
"""What takes longer is said."""
_KEEP_SECONDS: Final = 60
"""How long a window that is closed waits for its runs to be stored: the disk may hang."""
_WARM_UP_MS: Final = 150
"""How long after the first frame what the next click needs is made ready."""


class MainWindow(QMainWindow):
    """Everything on screen. Await `closed` to know when its life is over.

    ``history``: the file that finished runs are kept in; None keeps them in memory only.
    ``recovery``: the folder that unsaved changes are kept in for a crash; None keeps them nowhere.
    """

    def __init__(
        self,
        theme: Theme,
        settings: Settings,
        history: Path | None = None,
        recovery: Path | None = None,
    ) -> None:
        super().__init__()
        self.setMinimumSize(960, 600)
        self.closed = asyncio.Event()
        self._closing = False
        self._leaving = False
        """Closed once more: what is not stored yet is given up."""
        self._drops: FileDrops | None = None
        self._opening = False
        """Files are about to be opened: the start page would only flash up."""
        tasks = TaskSupervisor(self)
        tasks.failed.connect(self._on_task_failed)
        self.context = PaneContext(
            theme=theme,
            settings=settings,
            actions=Actions(self),
            session=SessionAccess(self),
            tasks=tasks,
            parent=self,
        )
        self.context.runs = RunController(self.context)
        self.documents = Documents(self.context, self)
        self.history = HistoryKeeper(self.context, history) if history is not None else None
        self.recovery = Recovery(self.context, recovery) if recovery is not None else None
        commands.register(self)
        self.export = RunExport(self.context, self)
        self._build()
        self._connect()
        self._show_title()
        self.pages.setFocus()

    # what commands do

    def set_theme(self, mode: Mode) -> None:
        """Choose the theme, and keep the choice."""
        self.context.theme.set_mode(mode)
        self.context.settings.theme = mode
        self.context.actions.refresh()

    def open_palette(self) -> None:
        """Show the command palette."""
        self.palette_overlay.open()

    def open_keys(self) -> None:
        """Show all keys."""
        self.keys_overlay.open()

    def open_about(self) -> None:
        """Say what this program is."""
        from tripscope import __version__

        detail = "A desktop inspector and tester for LLM processor chains. Apache-2.0."
        self.context.tasks.start(dialogs.tell(self, f"Tripscope {__version__}", detail), "about")

    def connect_model(self) -> None:
        """Ask where live runs go."""
        from tripscope_gui.connect_dialog import connect_model

        self.context.tasks.start(connect_model(self.context, self), "connect a model")

    def paste_snippet(self) -> None:
        """Read processors out of TypeScript, into a new session or the open one's chain."""
        from tripscope_gui import snippets

        snippets.open_dialog(self.context, self.documents, self)

    def copy_chain(self, kind: str) -> None:
        """Put the chain onto the clipboard, as ``TypeScript``, ``Python`` or ``JSON``."""
        from tripscope_gui import snippets

        snippets.copy_chain(self.context, kind)

    def reset_docks(self) -> None:
        """Put all docks back."""
        self.work.reset_docks()

    def open_paths(self, paths: list[Path], *, run_now: bool = False) -> None:
        """Open files one after the other; ``run_now`` runs the session then."""
        self._opening = True
        self.context.tasks.start(self._open_paths(paths, run_now), "open files")

    # Qt

    def focusNextPrevChild(self, next: bool) -> bool:
        from tripscope_gui.widgets.tab_order import move_focus

        return move_focus(self, forward=next)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.closed.is_set():
            event.accept()
            return
        event.ignore()
        if self._closing:
            self._leaving = True
        else:
            self._closing = True
            self.context.tasks.start(self._close(), "close the window")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.run_bar.set_narrow(self.width() < _NARROW)
        if self._work is not None:
            self._work.fold(event.size(), self.status)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._opening:
            self._show_page()
        QTimer.singleShot(_WARM_UP_MS, self._warm_up)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self.context.actions.refresh()

    # building

    def _build(self) -> None:
        # from the outside to the inside: each move of a widget looks up the style of all in it
        context = self.context
        centre = QWidget(self)
        self.setCentralWidget(centre)
        self.run_bar = RunBar(context, centre)
        self.run_bar.follow_controller()
        self.pages = QStackedWidget(centre)
        column = self._column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.run_bar)
        column.addWidget(self.pages, 1)
        self.status = StatusBar(context, self)
        self.setStatusBar(self.status)
        self._work: WorkArea | None = None

    @cached_property
    def start_page(self) -> StartPage:
        """What the window shows while nothing is open."""
        from tripscope_gui import snippets
        from tripscope_gui.bars.start_page import StartPage

        page = StartPage(self.context, self.pages)
        page.example_chosen.connect(self._open_example)
        snippets.connect(page.snippet, self.context, self.documents)
        self.pages.addWidget(page)
        return page

    @cached_property
    def palette_overlay(self) -> Palette:
        """The command palette."""
        from tripscope_gui.overlays import Palette

        return Palette(self.context.theme, self.context.actions, self)

    @cached_property
    def keys_overlay(self) -> KeysOverlay:
        """The list of all keys."""
        from tripscope_gui.overlays import KeysOverlay

        return KeysOverlay(self.context.theme, self.context.actions, self)

    @property
    def work(self) -> WorkArea:
        """Bars and docks; made at the first call."""
        if self._work is None:
            from tripscope_gui.work_area import WorkArea

            self._work = WorkArea(self.context, self.pages)
            self._work.completed.connect(self._make_menus)
            self.pages.addWidget(self._work)
            self._work.arranged.connect(self._show_title)
            self._work.fold(self.size(), self.status)
            self._make_menus()
        return self._work

    def _make_menus(self) -> None:
        menus.make_menus(self.menuBar(), self.context, self._open_path)

    def _connect(self) -> None:
        context = self.context
        refresh = context.actions.refresh
        for signal in (
            context.store_changed,
            context.runs_changed,
            context.units_changed,
            context.session.changed,
            context.session.dirty_changed,
            context.runs.state_changed,
        ):
            signal.connect(lambda *_: refresh())
        context.selection.changed.connect(lambda _selection: refresh())
        context.store_changed.connect(self._show_title)
        context.store_changed.connect(self._show_page)
        context.session.opened.connect(self._show_title)
        context.session.opened.connect(self._show_page)
        context.session.dirty_changed.connect(self.setWindowModified)
        context.runs.refused.connect(self._on_refused)
        self.documents.made.connect(self.run_bar.prompt.setFocus)
        self.run_bar.session_menu_wanted.connect(
            lambda menu: menus.fill_sessions(menu, context, self._open_path, self._open_example)
        )
        self._make_menus()
        self._find = menus.make_find_button(self.menuBar(), context)

    # following

    def _show_title(self) -> None:
        session, run = self.context.session.session, self.context.run
        path = self.context.session.path
        name = path.name.removesuffix(".json") if path is not None else None
        if name is None and session is not None:
            name = session.name
        if name is None and run is not None and run.source is not None:
            name = run.source.name
        place = run.title.lower() if run is not None else None
        if self._work is not None and self._work.in_lab:
            place = "rule lab"
        parts = [part for part in (name, place) if part]
        # Qt takes [*] for the mark of changes, but not where it stands twice
        shown = one_line(", ".join(parts) or "Tripscope").replace("[*]", "[*][*]")
        self.setWindowTitle(f"{shown}[*]")
        self.setWindowModified(self.context.session.dirty)

    @property
    def _empty(self) -> bool:
        return self.context.session.session is None and self.context.run is None

    def _take_drops(self) -> None:
        if self._drops is None:
            self._drops = FileDrops(self)
            self._drops.dropped.connect(self.open_paths)

    def _show_page(self) -> None:
        if self._empty:
            self.pages.setCurrentWidget(self.start_page)
            if self._work is not None:
                self._warm_up()
        elif self.pages.currentWidget() is not self.work:
            self.pages.setCurrentWidget(self.work)
            # else Qt gives the keyboard to what is next in the order of Tab: the menu of a dock
            self.work.setFocus()

    def _warm_up(self) -> None:
        """Make ready what the next click needs, once the first frame is on screen."""
        self._take_drops()
        if self.context.runs.starting:
            QTimer.singleShot(_WARM_UP_MS, self._warm_up)
        elif not self._closing:
            self.context.tasks.start(self._get_ready(), "getting ready")

    async def _get_ready(self) -> None:
        QGuiApplication.setWindowIcon(app_icon())
        if self._empty:
            self.pages.setCurrentWidget(self.start_page)
            if self.pages.hasFocus():
                self.start_page.examples.rows[0].button.setFocus()
        # importing in a thread leaves the start page alive
        for module in ("tripscope.session", "tripscope_gui.work_area"):
            await in_thread(importlib.import_module, module)
        if self.recovery is not None and await self.recovery.look():
            self._offer_recovery(self.recovery)
        _ = self.work
        if self._empty:
            await self.start_page.try_examples()

    def _offer_recovery(self, recovery: Recovery) -> None:
        from tripscope_gui.bars.recovery_bar import RecoveryBar

        # a child from the start: shown without a parent, it would be a window for a moment
        bar = RecoveryBar(self.context, self.documents, recovery, self._column.parentWidget())
        self._column.insertWidget(1, bar)

    def _on_refused(self, why: str) -> None:
        self.context.tasks.start(dialogs.tell(self, "The run was not started.", why), "refused")

    def _on_task_failed(self, doing: str, error: Exception) -> None:
        self.context.say(f"{doing} failed: {type(error).__name__}: {error}")

    # files

    def _open_example(self, example: Example) -> None:
        self.open_paths([example.path], run_now=True)

    async def _open_paths(self, paths: list[Path], run_now: bool) -> None:
        opened = [path for path in paths if await self.documents.open(path)]
        self._opening = False
        if opened and run_now and self.context.actions.enabled("run.start"):
            # an example has already run, as the start page says: nobody waits for its delays
            self.context.runs.start(real_time=not is_example(opened[-1]))

    def _open_path(self, path: Path) -> None:
        self.open_paths([path])

    # the end

    async def _keep_runs(self) -> None:
        """Have finished runs stored: a long one takes seconds, in which the window stays."""
        self._leaving = False
        history, until = self.history, time.monotonic() + _KEEP_SECONDS
        if history is None or await history.kept(_UNSAID_SECONDS):
            return
        self.context.say(f"Keeping {history.keeping}; close again to leave without it")
        self.setEnabled(False)
        while not self._leaving and time.monotonic() < until:
            if await history.kept(_UNSAID_SECONDS):
                return

    async def _close(self) -> None:
        if not await self.documents.may_leave():
            self._closing = self._leaving = False
            return
        await self._keep_runs()
        window_state.keep_window(self.context.settings, self)
        self.context.settings.sync()
        self.hide()
        if self.recovery is not None:
            await self.recovery.close()
        if self.history is not None:
            await self.history.settle()
        await self.context.tasks.shutdown()
        self.closed.set()
        self.close()
