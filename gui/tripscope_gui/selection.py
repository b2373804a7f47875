"""What is looked at: one selection that every pane follows and sets.

A pane calls `SelectionModel.select` when a person picks something and redraws on ``changed``.
Setting the selection that already holds emits nothing, so panes that answer a change by selecting
what they show cannot go round in circles.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Self

from PySide6.QtCore import QObject, Signal

MAX_HISTORY: Final = 200


class Span(NamedTuple):
    """A stretch of text at ``column`` (``model``, a processor's id, ``client``) of a text block.

    Offsets are UTF-16 code units counted over the block of that attempt; ``block`` None: a
    message's part, ``message`` its key and ``part`` its number.
    """

    start: int
    end: int
    column: str = "model"
    block: str | None = None
    message: str | None = None
    part: int | None = None


class Selection(NamedTuple):
    """Everything is optional; None means that nothing of that kind is selected.

    ``run`` is the run's number in the window, ``row`` the number of a chunk row (its place in
    ``store.rows``), ``seq`` the event itself and ``finding`` the ``seq`` of a finding.
    """

    run: int | None = None
    step: int | None = None
    attempt: int | None = None
    hook: str | None = None
    processor: str | None = None
    row: int | None = None
    seq: int | None = None
    finding: int | None = None
    rule: str | None = None
    span: Span | None = None

    def with_(self, **what: Any) -> Self:
        """This selection with some fields replaced."""
        return self._replace(**what)


class SelectionModel(QObject):
    """The selection of the window, with a history to go back and forward in."""

    changed = Signal(object)
    """Emitted with the new `Selection` after it took hold."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._current = Selection()
        self._back: list[Selection] = []
        self._forward: list[Selection] = []

    @property
    def current(self) -> Selection:
        """What is selected now."""
        return self._current

    def select(self, **what: Any) -> None:
        """Select exactly this, in the run at hand: fields not named become None.

        Raises:
            TypeError: a name that `Selection` doesn't have.
        """
        what.setdefault("run", self._current.run)
        self.set(Selection(**what))

    def update(self, **what: Any) -> None:
        """Change only the fields named.

        Raises:
            TypeError: a name that `Selection` doesn't have.
        """
        self.set(self._current.with_(**what))

    def set(self, selection: Selection, *, remember: bool = True) -> None:
        """Take a whole selection; an equal one changes nothing.

        ``remember`` false, for moves that are no one's choice (another run, following the newest
        chunk), leaves the history as it is.
        """
        if selection == self._current:
            return
        if remember and self._current != Selection(run=self._current.run):
            self._back.append(self._current)
            del self._back[:-MAX_HISTORY]
        if remember:
            self._forward.clear()
        self._take(selection)

    def restart(self, selection: Selection) -> None:
        """Take a selection of another run; whoever calls this emits ``changed`` once all know."""
        self._current = selection

    @property
    def can_go_back(self) -> bool:
        """Whether there is an earlier selection."""
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        """Whether `go_back` was called since the newest selection."""
        return bool(self._forward)

    def go_back(self) -> None:
        """Return to the selection before this one."""
        if self._back:
            self._forward.append(self._current)
            self._take(self._back.pop())

    def go_forward(self) -> None:
        """Undo one `go_back`."""
        if self._forward:
            self._back.append(self._current)
            self._take(self._forward.pop())

    def clear(self) -> None:
        """Select nothing and forget the history."""
        self._back.clear()
        self._forward.clear()
        self.set(Selection(), remember=False)

    def _take(self, selection: Selection) -> None:
        self._current = selection
        self.changed.emit(selection)
