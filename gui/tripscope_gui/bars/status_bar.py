"""The bar at the foot: what is going on, and the facts that hold for all of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHBoxLayout, QStatusBar, QWidget

from tripscope.wording import many
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import elided, one_line
from tripscope_gui.store.statuses import words_of
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.labels import ElidedLabel, PlainLabel, plain_tooltip

if TYPE_CHECKING:
    from tripscope_gui.bars.breadcrumb_bar import BreadcrumbBar
    from tripscope_gui.run_store import RunStore
    from tripscope_gui.store.workspace import Run

_MESSAGE_MS = 6000
_SENTENCE_FROM = 1400
_SENTENCE_WIDTH = 640


class StatusBar(QStatusBar):
    """Left: the run and its recording. Right: advisories, chain, unit of the offsets."""

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        # Qt puts three pixels over each widget here, which a bar this low has not got
        self.setContentsMargins(8, -2, 4, -2)
        self._context = context
        self._run = ElidedLabel(context.theme, "Ready", tone="t2", px=11)
        self._hint = PlainLabel("", "t3", px=11)
        self._advisories = Button(context.theme, "", kind=Kind.LINK, small=True)
        self._advisories.clicked.connect(lambda _=False: context.show_pane("Advisories"))
        self._chain = PlainLabel("", "t3", px=11)
        self._unit = PlainLabel("", "t3", px=11)
        self.addWidget(self._run)
        self.addWidget(self._hint)
        for widget in (self._advisories, self._chain, self._unit):
            self.addPermanentWidget(widget)
        self._crumbs: BreadcrumbBar | None = None
        self._shelf = QWidget()
        self._shelf_line = QHBoxLayout(self._shelf)
        self._shelf_line.setContentsMargins(0, 0, 0, 0)
        self.insertWidget(0, self._shelf, 1)
        self._shelf.hide()
        context.session.opened.connect(self.refresh)
        context.store_changed.connect(self.refresh)
        context.events_appended.connect(lambda _first, _end: self.refresh())
        context.units_changed.connect(self.refresh)
        context.said.connect(lambda sentence: self.showMessage(one_line(sentence), _MESSAGE_MS))
        self.messageChanged.connect(lambda _text: self.refresh())
        context.settings.recent_changed.connect(self.refresh)
        self.refresh()

    def take_crumbs(self, crumbs: BreadcrumbBar) -> None:
        """Hold the breadcrumb, in windows that are too low for a bar of its own."""
        self._crumbs = crumbs
        shown = not crumbs.isHidden()
        self._shelf_line.addWidget(crumbs)
        crumbs.setVisible(shown)
        crumbs.installEventFilter(self)
        self.refresh()

    def give_crumbs(self) -> None:
        """Let the breadcrumb go."""
        if self._crumbs is not None:
            self._crumbs.removeEventFilter(self)
            self._shelf_line.removeWidget(self._crumbs)
            self._crumbs = None
            self.refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.refresh()
        return super().eventFilter(watched, event)

    def _fold(self) -> bool:
        """Only what stands nowhere else is kept beside the breadcrumb."""
        context, crumbs = self._context, self._crumbs
        about = context.store is not None or context.session.session is not None
        folded = about and crumbs is not None and not crumbs.isHidden()
        # Qt hides them while it tells something, and may not be talked out of it
        told = bool(self.currentMessage())
        self._shelf.setVisible(folded and not told)
        for label in (self._run, self._hint):
            label.setVisible(not folded and not told)
        self._unit.setVisible(not folded)
        return folded

    def refresh(self) -> None:
        """Say what holds now."""
        folded = self._fold()
        store = self._context.store
        self._unit.setText(f"offsets: {self._context.unit}")
        if store is None:
            recent = len(self._context.settings.recent)
            self._run.set_text("Ready")
            self._hint.setText(many(recent, "recent file") if recent else "no recent files")
            self._advisories.hide()
            self._chain.setText("")
            return
        self._run.set_text(self._run_words(store))
        self._hint.setText(_hint(store))
        self._show_advisories(store, folded)
        started = store.started
        self._chain.setText(f"chain {started.chain_hash[:6]}" if started is not None else "")

    def _show_advisories(self, store: RunStore, folded: bool) -> None:
        raised = store.advisories
        self._advisories.setVisible(bool(raised))
        if not raised:
            return
        words = many(len(raised), "advisory", "advisories")
        sentence = raised[0].sentence
        self._advisories.setToolTip(plain_tooltip(sentence))
        if not folded and self.width() >= _SENTENCE_FROM:
            words = f"{words}: {sentence}"
        line = elided(words, self._advisories.font(), _SENTENCE_WIDTH)
        self._advisories.setText(line.replace("&", "&&"))

    def _run_words(self, store: RunStore) -> str:
        run = self._context.run
        title = run.title if run is not None else "Run"
        events = many(len(store.events), "event")
        if not store.over:
            told = (f"{title} is {_doing(run)}", run.percent if run is not None else "", events)
            return ", ".join(part for part in told if part)
        if store.status == "blocked":
            return f"{title} ended by a tripwire, {events}"
        if store.status in ("passed", "changed", "flagged"):
            return f"{title} finished, {events}"
        return f"{title} {words_of(store)}, {events}"


def _doing(run: Run | None) -> str:
    """What makes the events of an unfinished run grow."""
    if run is not None and run.source is not None:
        return f"being read from {run.source.name}"
    if run is not None and run.entry is not None and not run.complete:
        return "being loaded from the history"
    return "running"


def _hint(store: RunStore) -> str:
    if not store.over or store.started is None:
        return ""
    if store.status == "blocked":
        return "a handled outcome, exit code 3"
    if store.started.mode == "replay":
        return "nothing was asked of the model"
    return "recording kept, replay needs no model" if store.requests else ""
