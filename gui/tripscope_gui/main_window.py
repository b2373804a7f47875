"""The window: bars, docks, start page, menus; what a file dropped on it does; how it closes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QMenu, QStackedWidget, QVBoxLayout, QWidget

from tripscope_gui import commands, dialogs, window_state
from tripscope_gui.actions import MENUS, Actions
from tripscope_gui.aio import TaskSupervisor
from tripscope_gui.bars.block_bar import BlockBar, deciding_call, deciding_finding
from tripscope_gui.bars.breadcrumb_bar import BreadcrumbBar
from tripscope_gui.bars.change_strip import ChangeStrip
from tripscope_gui.bars.checks_strip import ChecksStrip
from tripscope_gui.bars.examples import Example, examples
from tripscope_gui.bars.run_bar import RunBar
from tripscope_gui.bars.start_page import StartPage
from tripscope_gui.bars.status_bar import StatusBar
from tripscope_gui.context import PaneContext
from tripscope_gui.dock_grid import NARROW, DockGrid
from tripscope_gui.documents import Documents
from tripscope_gui.finding_selection import carried, selection_of
from tripscope_gui.icons import Icon, app_icon
from tripscope_gui.overlays import KeysOverlay, Palette
from tripscope_gui.panes import discover
from tripscope_gui.run_controller import RunController
from tripscope_gui.selection import Selection
from tripscope_gui.session_access import SessionAccess
from tripscope_gui.settings import Settings
from tripscope_gui.store.workspace import Run
from tripscope_gui.theme import Mode, Theme
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.buttons import Button, Kind

LOW: Final = 900
"""Window height in logical pixels under which the breadcrumb stands in the status bar."""


class MainWindow(QMainWindow):
    """Everything on screen. Await `closed` to know when its life is over."""

    def __init__(self, theme: Theme, settings: Settings) -> None:
        super().__init__()
        self.setWindowIcon(app_icon())
        self.setAcceptDrops(True)
        self.setMinimumSize(960, 600)
        self.closed = asyncio.Event()
        self._closing = False
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
        commands.register(self)
        self._build()
        self._connect()
        self._make_menus()
        self._show_title()
        self._show_page()
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

    def reset_docks(self) -> None:
        """Put all docks back."""
        self.grid.reset()
        window_state.forget_docks(self.context.settings)

    def open_paths(self, paths: list[Path], *, run_now: bool = False) -> None:
        """Open files one after the other; ``run_now`` runs the session then."""
        self.context.tasks.start(self._open_paths(paths, run_now), "open files")

    # Qt

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.closed.is_set():
            event.accept()
            return
        event.ignore()
        if not self._closing:
            self._closing = True
            self.context.tasks.start(self._close(), "close the window")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self.context.actions.refresh()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.open_paths(paths)

    # building

    def _build(self) -> None:
        context = self.context
        self.run_bar = RunBar(context)
        self.run_bar.follow_controller()
        self.checks = ChecksStrip(context)
        self.changes = ChangeStrip(context)
        self.crumbs = BreadcrumbBar(context)
        self.block_bar = BlockBar(context)
        self.start_page = StartPage(context)
        self.grid = DockGrid(context.theme, [pane(context) for pane in discover()])
        commands.register_panes(context.actions, context, [pane.TITLE for pane in self.grid.panes])
        work = QWidget()
        column = QVBoxLayout(work)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.block_bar)
        column.addWidget(self.grid, 1)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.start_page)
        self.pages.addWidget(work)
        centre = QWidget()
        self._column = QVBoxLayout(centre)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        for bar in (self.run_bar, self.checks, self.changes, self.crumbs):
            self._column.addWidget(bar)
        self._column.addWidget(self.pages, 1)
        self.setCentralWidget(centre)
        self.setStatusBar(StatusBar(context))
        self.palette_overlay = Palette(context.theme, context.actions, self)
        self.keys_overlay = KeysOverlay(context.theme, context.actions, self)
        self._low = False

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
        context.pane_requested.connect(self.grid.show_pane)
        context.runs.finished.connect(self._on_finished)
        context.runs.refused.connect(self._on_refused)
        self.grid.arranged.connect(self._on_arranged)
        self.run_bar.session_menu_wanted.connect(self._fill_session_menu)
        self.start_page.example_chosen.connect(self._open_example)

    def _make_menus(self) -> None:
        bar = self.menuBar()
        bar.setFixedHeight(Height.MENU)
        actions = self.context.actions
        for name in MENUS:
            entries = actions.of_menu(name)
            if not entries:
                continue
            menu = bar.addMenu(name)
            menu.aboutToShow.connect(actions.refresh)
            group = entries[0].group
            for command in entries:
                if command.group != group:
                    menu.addSeparator()
                    group = command.group
                menu.addAction(actions.action(command.id))
                if command.id == "file.open":
                    recent = menu.addMenu("Open recent")
                    recent.aboutToShow.connect(lambda m=recent: self._fill_recent(m))
        find = self._find = Button(
            self.context.theme, "", Icon.SEARCH, kind=Kind.QUIET, small=True, parent=bar
        )
        key = actions.action("view.palette").shortcut()
        find.setText(f"Find a command   {key.toString(QKeySequence.SequenceFormat.NativeText)}")
        find.clicked.connect(lambda _=False: self.open_palette())
        corner = QWidget(bar)
        line = QHBoxLayout(corner)
        line.setContentsMargins(0, 2, 8, 1)
        line.addWidget(find)
        bar.setCornerWidget(corner)

    # following

    def _show_title(self) -> None:
        session, run = self.context.session.session, self.context.run
        path = self.context.session.path
        name = path.name.removesuffix(".json") if path is not None else None
        if name is None and session is not None:
            name = session.name
        if name is None and run is not None and run.source is not None:
            name = run.source.name
        parts = [part for part in (name, run.title.lower() if run is not None else None) if part]
        self.setWindowTitle(f"{', '.join(parts)}[*]" if parts else "Tripscope[*]")
        self.setWindowModified(self.context.session.dirty)

    def _show_page(self) -> None:
        empty = self.context.session.session is None and self.context.run is None
        self.pages.setCurrentIndex(0 if empty else 1)
        self.checks.setVisible(not empty)
        self.crumbs.setVisible(not empty)
        if empty and self.isVisible():
            QTimer.singleShot(0, self.start_page.try_examples)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_page()

    def _fold(self) -> None:
        narrow = self.width() < NARROW
        self.run_bar.set_narrow(narrow)
        if narrow != self.grid.narrow:
            self.grid.set_narrow(narrow)
            window_state.restore_docks(self.context.settings, self.grid)
        low = self.height() < LOW
        if low == self._low:
            return
        self._low = low
        status = self.statusBar()
        if isinstance(status, StatusBar):
            if low:
                self._column.removeWidget(self.crumbs)
                status.take_crumbs(self.crumbs)
            else:
                status.give_crumbs()
                self._column.insertWidget(3, self.crumbs)
            self.crumbs.set_framed(not low)
            self._show_page()

    def _on_arranged(self) -> None:
        QTimer.singleShot(0, lambda: window_state.keep_docks(self.context.settings, self.grid))

    def _on_finished(self, run: Run) -> None:
        nothing = Selection(run=run.number)
        if run is not self.context.run or self.context.selection.current != nothing:
            return
        self._select_what_matters(run)

    def _select_what_matters(self, run: Run) -> None:
        """Select what a person will ask for first.

        A replay: the place looked at in the run that it replays. Else what ended the run, where a
        check fails first, or the first finding.
        """
        store, selection = run.store, self.context.selection
        parent = self.context.workspace.by_number(run.parent)
        if parent is not None:
            before = self.context.last_selection(parent)
            same = carried(before, parent.store, store, run.number)
            if same is not None:
                selection.set(same, remember=False)
                return
        call = deciding_call(store) if store.status in ("blocked", "error") else None
        failures = [c for c in self.checks.results if c.verdict == "fail" and c.place is not None]
        # one that names a rule tells more
        failures.sort(key=lambda c: c.place is None or c.place.rule is None)
        failing = failures[0] if failures else None
        finding = deciding_finding(store) or (store.findings[0] if store.findings else None)
        if call is not None and (finding is None or finding.outcome != "blocked"):
            row = store.rows.of_index(call.index)
            chosen = Selection(
                run.number,
                call.step,
                call.attempt,
                call.hook,
                call.processor,
                row.number if row is not None else None,
                call.seq,
            )
            selection.set(chosen, remember=False)
        elif call is None and failing is not None:
            self.checks.follow(failing.name)
        elif finding is not None:
            selection.set(selection_of(run.number, store, finding), remember=False)

    def _on_refused(self, why: str) -> None:
        self.context.tasks.start(dialogs.tell(self, "The run was not started.", why), "refused")

    def _on_task_failed(self, doing: str, error: Exception) -> None:
        self.context.say(f"{doing} failed: {type(error).__name__}: {error}")

    # files

    def _open_example(self, example: Example) -> None:
        self.open_paths([example.path], run_now=True)

    async def _open_paths(self, paths: list[Path], run_now: bool) -> None:
        opened = False
        for path in paths:
            opened = await self.documents.open(path) or opened
        if opened and run_now:
            self.context.actions.trigger("run.start")

    def _fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        for path in self.context.settings.recent:
            action = menu.addAction(path.name.replace("&", "&&"))
            action.setToolTip(str(path))
            action.triggered.connect(lambda _=False, p=path: self.open_paths([p]))
        menu.setEnabled(True)
        if menu.isEmpty():
            menu.addAction("No recent files").setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction("Clear").triggered.connect(self.context.settings.clear_recent)

    def _fill_session_menu(self, menu: QMenu) -> None:
        self._fill_recent(menu)
        menu.addSeparator()
        for example in examples():
            action = menu.addAction(example.title.replace("&", "&&"))
            action.triggered.connect(lambda _=False, e=example: self._open_example(e))
        menu.addSeparator()
        for command in ("file.new", "file.open"):
            menu.addAction(self.context.actions.action(command))

    # the end

    async def _close(self) -> None:
        if not await self.documents.may_leave():
            self._closing = False
            return
        window_state.keep_window(self.context.settings, self)
        self.context.settings.sync()
        await self.context.tasks.shutdown()
        self.closed.set()
        self.close()
