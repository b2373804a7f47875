"""Where the selection stands, as a path; back and forward; the unit of all offsets on screen."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from tripscope.trace.events import FindingMade
from tripscope_gui.bars.unit_switch import unit_switch
from tripscope_gui.context import UNITS, PaneContext
from tripscope_gui.icons import Icon
from tripscope_gui.selection import Selection
from tripscope_gui.theme import set_style_property
from tripscope_gui.tokens import Height
from tripscope_gui.widgets.breadcrumb import Breadcrumb
from tripscope_gui.widgets.buttons import IconButton
from tripscope_gui.widgets.labels import PlainLabel

_ORDER: Final = ("run", "step", "attempt", "hook", "processor", "row", "finding", "span")


class BreadcrumbBar(QFrame):
    """Segments from the run to the span; pressing one selects up to it."""

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "bar")
        self.setFixedHeight(Height.BREADCRUMB)
        self._context = context
        self._path: list[tuple[str, str]] = []
        theme = context.theme
        self.back = IconButton(theme, Icon.CHEVRON_LEFT, "Back")
        self.forward = IconButton(theme, Icon.CHEVRON_RIGHT, "Forward")
        self.back.clicked.connect(context.selection.go_back)
        self.forward.clicked.connect(context.selection.go_forward)
        self.crumbs = Breadcrumb(theme)
        self.crumbs.clicked.connect(self._on_clicked)
        self.units = unit_switch(context)
        self._units_label = PlainLabel("spans in", "t3")
        line = self._line = QHBoxLayout(self)
        line.setContentsMargins(8, 0, 12, 1)
        line.setSpacing(4)
        line.addWidget(self.back)
        line.addWidget(self.forward)
        line.addWidget(self.crumbs, 1)
        line.addWidget(self._units_label)
        line.addWidget(self.units)
        context.selection.changed.connect(self.refresh)
        context.store_changed.connect(self.refresh)
        context.events_appended.connect(self._on_events)
        self.refresh()

    def set_framed(self, framed: bool) -> None:
        """In the status bar it has neither ground nor line of its own."""
        set_style_property(self, "kind", "bar" if framed else "")
        self.setFixedHeight(Height.BREADCRUMB if framed else Height.STATUS - 2)
        self.crumbs.setFixedHeight(self.maximumHeight() - (1 if framed else 0))
        self.units.setFixedHeight(20 if framed else 18)
        for unit in UNITS:
            self.units.button(unit).setFixedHeight(20 if framed else 18)
        self._line.setContentsMargins(*((8, 0, 12, 1) if framed else (0, 0, 0, 0)))

    def refresh(self) -> None:
        """Show the selection."""
        selection = self._context.selection
        self._path = path_of(self._context, selection.current)
        self.crumbs.set_segments([words for _, words in self._path])
        self.back.setEnabled(selection.can_go_back)
        self.forward.setEnabled(selection.can_go_forward)

    def _on_events(self, first: int, _end: int) -> None:
        if first == 0:
            self.refresh()

    def _on_clicked(self, position: int) -> None:
        fields = [name for name, _ in self._path[: position + 1]]
        current = self._context.selection.current
        chosen = {name: getattr(current, name) for name in fields}
        if "finding" in fields:
            chosen["rule"] = current.rule
        self._context.selection.select(**chosen)


def path_of(context: PaneContext, selection: Selection) -> list[tuple[str, str]]:
    """(field, words) of what is selected, from the widest to the narrowest."""
    run, store = context.run, context.store
    if run is None or store is None:
        return []
    finding = store.event(selection.finding)
    span = selection.span
    attempt, row, rule = selection.attempt, selection.row, selection.rule
    if isinstance(finding, FindingMade):
        rule = f"finding {finding.rule}"
    elif rule is not None:
        rule = f"rule {rule}"
    outside = "outside the steps" if selection.hook is not None else None
    words = {
        "run": f"{run.title} {run.kind}".strip(),
        "step": outside if selection.step is None else f"step {selection.step}",
        "attempt": None if attempt is None else f"attempt {attempt + 1}",
        "hook": selection.hook,
        "processor": selection.processor,
        "row": None if row is None else f"chunk {row + 1}",
        "finding": rule,
        "span": None if span is None else f"span {span.start}\u2013{span.end} UTF-16",
    }
    return [(name, text) for name in _ORDER if (text := words[name])]
