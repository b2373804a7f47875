"""The bar under the menus: session, prompt, model; run, replay, stop, freeze; counters, outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from tripscope_gui.bars import formats
from tripscope_gui.bars.fields import ModelField, PromptField, vertical_rule
from tripscope_gui.bars.session_button import SessionButton
from tripscope_gui.context import PaneContext
from tripscope_gui.icons import Icon
from tripscope_gui.store.statuses import OUTCOME_OF_STATUS, status_words, words_of
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.badge import Badge
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.counter import Counter

if TYPE_CHECKING:
    from tripscope_gui.run_store import RunStore

_NARROW_PROMPT: Final = 160
_TIGHTEST: Final = 1010
"""Under this width the number of the attempt is a tooltip, so that the outcome is not cut."""
_TIGHT: Final = 1270
"""Under this width the buttons beside Run are icons only, and the fields give way."""


class RunBar(QFrame):
    """Says what would run, runs it, and tells how it goes."""

    session_menu_wanted = Signal(object)
    """The `QMenu` of the session button is about to open: fill it."""

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "bar")
        self.setFixedHeight(Height.RUN_BAR)
        self.setAccessibleName("run bar")
        self._context = context
        theme = context.theme
        self.session_button = SessionButton(theme)
        self.session_button.menu_wanted.connect(self.session_menu_wanted)
        self.prompt = PromptField(context)
        self.model = ModelField(context)
        self.run = self._command(Button(theme, "Run", Icon.PLAY, kind=Kind.PRIMARY), "run.start")
        self.replay = self._command(Button(theme, "Replay", Icon.REPLAY), "run.replay")
        self.stop = self._command(Button(theme, "Stop", Icon.STOP), "run.stop")
        self.freeze = self._command(Button(theme, "Freeze", Icon.FREEZE), "run.freeze")
        self.freeze.setCheckable(True)
        names = ("step", "attempt", "tokens in", "tokens out", "time")
        self.counters = {name: Counter(name) for name in names}
        self.counters["time"].reserve("88.88 s")
        self.outcome = Badge(theme)
        # as wide as its longest words: the buttons stay where they are while a run goes on
        self.outcome.set_outcome("changed", status_words("changed"))
        self.outcome.setMinimumWidth(self.outcome.sizeHint().width())
        self.outcome.set_outcome(None, "")
        self._numbers = QWidget()
        self._tight: bool | None = None
        self._lay_out()
        self._set_tight(False)
        context.store_changed.connect(self.refresh)
        context.events_appended.connect(self._on_events)
        context.session.changed.connect(self._on_session)
        context.session.dirty_changed.connect(lambda _dirty: self._on_session())
        self._on_session()
        self.refresh()

    def follow_controller(self) -> None:
        """Follow the run controller; called once it exists."""
        self._context.runs.state_changed.connect(self.refresh)

    def set_narrow(self, narrow: bool) -> None:
        """Under 1400 logical pixels: short prompt, token counts in a tooltip."""
        self.session_button.set_narrow(narrow)
        self.counters["tokens in"].setVisible(not narrow)
        self.counters["tokens out"].setVisible(not narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_tight(self.width() < _TIGHT)
        self.counters["attempt"].setVisible(self.width() >= _TIGHTEST)

    def _set_tight(self, tight: bool) -> None:
        if tight == self._tight:
            return
        self._tight = tight
        for button in (self.replay, self.stop, self.freeze):
            words = button.accessibleName()
            button.setText("" if tight else words)
            button.setToolTip(words if tight else "")
        self.prompt.setMinimumWidth(80 if tight else _NARROW_PROMPT)
        self.model.setFixedWidth(118 if tight else 158)
        self.session_button.set_tight(tight)

    def refresh(self) -> None:
        """Show the run that is looked at, and what can be done now."""
        store = self._context.store
        self._numbers.setVisible(store is not None)
        if store is not None:
            self._show_counts(store)
        self._show_outcome(store)
        self._show_buttons()

    def _command(self, button: Button, command: str) -> Button:
        button.clicked.connect(lambda _=False: self._context.actions.trigger(command))
        return button

    def _lay_out(self) -> None:
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 0, 12, 1)
        line.setSpacing(8)
        for widget in (self.session_button, self.prompt, self.model):
            line.addWidget(widget, 1 if widget is self.prompt else 0)
        line.addWidget(vertical_rule())
        for button in (self.run, self.replay, self.stop, self.freeze):
            line.addWidget(button)
        numbers = QHBoxLayout(self._numbers)
        numbers.setContentsMargins(0, 0, 0, 0)
        numbers.setSpacing(12)
        numbers.addWidget(vertical_rule())
        for counter in self.counters.values():
            numbers.addWidget(counter)
        numbers.addWidget(vertical_rule())
        numbers.addWidget(self.outcome)
        line.addWidget(self._numbers)

    def _on_session(self) -> None:
        session = self._context.session.session
        self.session_button.show_name(
            session.name if session is not None else None, changed=self._context.session.dirty
        )
        self._show_buttons()

    def _on_events(self, _first: int, _end: int) -> None:
        store = self._context.store
        if store is not None:
            self._numbers.setVisible(True)
            self._show_counts(store)
            self._show_outcome(store)

    def _show_counts(self, store: RunStore) -> None:
        totals = store.totals
        current = store.attempts.current
        attempt = current.attempt + 1 if current is not None else 0
        retries = totals.max_retries
        values = {
            "step": formats.of(store.attempts.steps, totals.max_steps),
            "attempt": formats.of(attempt, retries + 1 if retries and attempt else None),
            "tokens in": formats.count(totals.tokens_in),
            "tokens out": formats.count(totals.tokens_out),
            "time": formats.duration(totals.time),
        }
        for name, value in values.items():
            self.counters[name].set_value(value)
        self._numbers.setToolTip(
            f"attempt {values['attempt']}, tokens in {values['tokens in']}, "
            f"tokens out {values['tokens out']}"
        )

    def _show_outcome(self, store: RunStore | None) -> None:
        runs = getattr(self._context, "runs", None)
        if store is None:
            self.outcome.set_outcome(None, "")
            return
        run = self._context.run
        words = (run.reading if run is not None else "") or words_of(store)
        behind = runs.behind if runs is not None else 0
        if behind:
            words = f"{behind:,} behind"
        self.outcome.set_outcome(OUTCOME_OF_STATUS.get(store.status), words)

    def _show_buttons(self) -> None:
        actions = self._context.actions
        usable: dict[Button, bool] = {}
        for button, command in (
            (self.run, "run.start"),
            (self.replay, "run.replay"),
            (self.stop, "run.stop"),
            (self.freeze, "run.freeze"),
        ):
            if command in actions:
                test = actions.get(command).enabled
                usable[button] = test is None or test()
        for button in (button for button, can in usable.items() if can):
            button.setEnabled(True)
        # else the focus would leave the bar for whatever comes next in the window
        focused = self.window().focusWidget()
        if any(button is focused and not can for button, can in usable.items()):
            (self.stop if usable.get(self.stop) else self.run).setFocus()
        for button in (button for button, can in usable.items() if not can):
            button.setEnabled(False)
        self.run.setText(_run_words(self._context))
        self.run.setAccessibleName(self.run.text())
        runs = getattr(self._context, "runs", None)
        self.freeze.setChecked(runs is not None and runs.frozen)


def _run_words(context: PaneContext) -> str:
    session = context.session.session
    return "Run live" if session is not None and session.model.use != "scripted" else "Run"
