"""What a pane is given: everything that it shares with the rest of the window.

Panes know nothing of each other or of the main window; all that they read, follow and ask for goes
through one `PaneContext`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from PySide6.QtCore import QObject, Signal

from tripscope_gui.selection import Selection, SelectionModel
from tripscope_gui.store.rule_order import RuleOrder, chosen_looks
from tripscope_gui.store.workspace import Run, Workspace
from tripscope_gui.view_turns import ViewTurns

if TYPE_CHECKING:
    from tripscope_gui.actions import Actions
    from tripscope_gui.aio import TaskSupervisor
    from tripscope_gui.run_controller import RunController
    from tripscope_gui.run_store import RunStore
    from tripscope_gui.session_access import SessionAccess
    from tripscope_gui.settings import Settings
    from tripscope_gui.theme import Theme

Unit: TypeAlias = Literal["UTF-16", "code points", "UTF-8"]
UNITS: tuple[Unit, ...] = get_args(Unit)


class PaneContext(QObject):
    """Shared state and the signals that tell of its changes."""

    store_changed = Signal()
    """Another run is looked at, or none: read `store` anew, forget what was kept of the old."""
    events_appended = Signal(int, int)
    """(first, end): ``store.events[first:end]`` are new; at most every 16 ms, not while frozen."""
    runs_changed = Signal()
    """A run was added, removed, ended, or became the baseline."""
    units_changed = Signal()
    """Offsets are shown in another unit."""
    stretch_changed = Signal()
    """Panes that list events are restricted to another `stretch`, or to none."""
    pane_requested = Signal(str)
    """Title of a pane that should come to the front."""
    said = Signal(str)
    """A short sentence for the status bar."""

    def __init__(
        self,
        *,
        theme: Theme,
        settings: Settings,
        actions: Actions,
        session: SessionAccess,
        tasks: TaskSupervisor,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.settings = settings
        self.actions = actions
        """Commands by id: ``context.actions.trigger("run.replay")``; panes may add their own."""
        self.session = session
        """The open session, with its undo stack; edit it only through `SessionAccess.edit`."""
        self.tasks = tasks
        """The one way to start a coroutine: ``context.tasks.start(coro, "what it does")``."""
        self.workspace = Workspace()
        self.selection = SelectionModel(self)
        self.turns = ViewTurns(self)
        self.runs: RunController
        """Starts, stops and freezes runs; set by the window right after this is made."""
        self._told = 0
        """Events of `store` that the panes know of."""
        self._unit: Unit = "UTF-16"
        self._selected: dict[int, Selection] = {}
        self.selection.changed.connect(self._on_selection)
        self._stretch: tuple[int, int] | None = None
        self._rules = RuleOrder()
        session.changed.connect(self._on_session)

    @property
    def run(self) -> Run | None:
        """The run that is looked at."""
        return self.workspace.current

    @property
    def store(self) -> RunStore | None:
        """Events and indexes of the run that is looked at."""
        run = self.workspace.current
        return run.store if run is not None else None

    @property
    def unit(self) -> Unit:
        """Unit of the offsets on screen; events always count UTF-16 units."""
        return self._unit

    def set_unit(self, unit: Unit) -> None:
        """Show offsets in another unit."""
        if unit != self._unit:
            self._unit = unit
            self.units_changed.emit()

    @property
    def stretch(self) -> tuple[int, int] | None:
        """First and last ``seq`` of the events that a person chose to look at; None: all."""
        return self._stretch

    def set_stretch(self, stretch: tuple[int, int] | None) -> None:
        """Restrict the panes that list events to these, or to none."""
        if stretch != self._stretch:
            self._stretch = stretch
            self.stretch_changed.emit()

    def look_at(self, run: Run | None) -> None:
        """Show another run in all panes; nothing is run."""
        if run is not self.workspace.current:
            self.workspace.current = run
            self.show_current()

    def show_current(self) -> None:
        """Tell all panes that `store` is another one."""
        run = self.workspace.current
        if run is None or not self.workspace.runs:
            self._selected.clear()
        selection = self.last_selection(run)
        # nobody may look for the new selection in the old store, or the other way round
        self.selection.restart(selection)
        self._give_looks()
        self.set_stretch(None)
        self._told = len(run.store.events) if run is not None else 0
        self.store_changed.emit()
        self.selection.changed.emit(selection)
        self.runs_changed.emit()

    def tell_news(self) -> None:
        """Tell all panes of what `store` got since they were told last; see ``turns``."""
        store = self.store
        if store is not None:
            first, self._told = self._told, len(store.events)
            if self._told > first:
                self.events_appended.emit(first, self._told)

    def rule_number(self, rule: str) -> int:
        """Which of the eight looks a rule has, in every pane; it goes round after 8."""
        store = self.store
        return (store.rules if store is not None else self._rules).number(rule)

    def _give_looks(self) -> bool:
        looks = chosen_looks(self.session.session)
        store = self.store
        return (store.rules if store is not None else self._rules).choose(looks)

    def _on_session(self) -> None:
        if self.session.session is None:
            self._rules = RuleOrder()
        if self._give_looks():
            # panes keep numbers of rules with what they worked out
            self.store_changed.emit()

    def last_selection(self, run: Run | None) -> Selection:
        """What was selected in a run when it was last looked at."""
        number = run.number if run is not None else None
        found = self._selected.get(number) if number is not None else None
        return found or Selection(run=number)

    def set_baseline(self, run: Run | None) -> None:
        """Pin a run that others are compared to."""
        self.workspace.baseline = run
        self.runs_changed.emit()

    def show_pane(self, title: str) -> None:
        """Bring the pane of that title to the front."""
        self.pane_requested.emit(title)

    def _on_selection(self, selection: Selection) -> None:
        if selection.run is not None:
            self._selected[selection.run] = selection

    def say(self, sentence: str) -> None:
        """Put a short sentence into the status bar."""
        self.said.emit(sentence)
