"""The panes. One new file in this folder adds a pane; nothing else needs to know of it.

The contract:

* A pane is a `Pane` subclass, defined in a module of this folder whose name has no leading
  underscore. It sets ``TITLE`` (its tab), ``PLACE`` (one of `PLACES`), ``ORDER`` (among the tabs of
  that place, smallest first) and is made by ``Class(context)``. The one in front stands in `FRONT`.
* ``PLACE`` may be one of `LAB_PLACES` (the rule lab); ``LAB`` puts a second one there.
* ``context`` is a `tripscope_gui.context.PaneContext`. Read ``context.store`` each time you need it
  (None: no run yet). Override `Pane.reset` (another run: start over), `Pane.grow` (events arrived,
  batched), `Pane.follow` (the selection changed: mark it, scroll to it) and `Pane.count` (badge).
  Beside these there are ``context.session.changed`` (the session was edited),
  ``context.units_changed``, ``context.runs_changed`` and ``context.theme.changed``.
* Keep a slot cheap: append to a Qt model, update a label. Work per event is O(1) and nothing is
  rebuilt when events arrive. While a pane is hidden nothing but `Pane.count` is called; it catches
  up when it comes to the front.
* Pick something: ``context.selection.select(step=.., row=.., ...)``. Never answer a change of the
  selection by selecting something else.
* What stands at the right of the tabs while the pane is in front (switches, a menu button, a hint)
  is `Pane.head_widgets`; the menu button behind them is the dock's, add to it in `Pane.fill_menu`.
  A count beside the title is `Pane.set_badge`.
* Show text of models, rules, files and errors as plain text, in the fixed font.
* Panes never import each other. They share `store`, `models`, `delegates` and `widgets`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import ClassVar, Final, Literal, TypeAlias, get_args

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from tripscope_gui.context import PaneContext
from tripscope_gui.run_store import RunStore

MainPlace: TypeAlias = Literal[
    "top", "middle-left", "middle-right", "bottom-left", "bottom-centre", "bottom-right"
]
LabPlace: TypeAlias = Literal[
    "lab-left", "lab-top", "lab-middle", "lab-bottom", "lab-right", "lab-low"
]
Place: TypeAlias = MainPlace | LabPlace
PLACES: Final[tuple[MainPlace, ...]] = get_args(MainPlace)
"""Docks of the main arrangement."""
LAB_PLACES: Final[tuple[LabPlace, ...]] = get_args(LabPlace)
"""Docks of the rule lab."""
FRONT: Final = ("chunks", "timeline", "text", "findings", "rules", "state")
"""Modules of the panes in front, one for each of `PLACES`, as they are made after one another."""


class Pane(QWidget):
    """Base class: calls `reset`, `grow` and `follow` at the right times, and never while hidden.

    A subclass lays itself out in ``__init__`` (after ``super().__init__(context)``) and overrides
    what it needs. The base connects all signals.
    """

    TITLE: ClassVar[str] = ""
    PLACE: ClassVar[Place] = "middle-left"
    ORDER: ClassVar[int] = 100
    LAB: ClassVar[LabPlace | None] = None
    """Where a second one of it stands in the rule lab; None: it is not there."""

    badge_changed = Signal(str)

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        # mangled names: a subclass may call its own what it likes
        self.__badge = ""
        self.__stale = True
        self.__first: int | None = None
        self.__followed: object = None
        context.store_changed.connect(self._on_store_changed)
        context.events_appended.connect(self._on_events)
        context.selection.changed.connect(self._on_selection)

    @property
    def store(self) -> RunStore | None:
        """The run that is looked at."""
        return self.context.store

    def head_widgets(self) -> list[QWidget]:
        """Widgets for the right end of the pane's head, made once and kept; left to right."""
        return []

    @property
    def badge(self) -> str:
        """The count beside the title; empty for none."""
        return self.__badge

    def set_badge(self, text: str) -> None:
        """Show a count beside the title."""
        if text != self.__badge:
            self.__badge = text
            self.badge_changed.emit(text)

    # what a subclass overrides

    def reset(self) -> None:
        """Another run, or none: show `store` from its beginning."""

    def grow(self, first: int, end: int) -> None:
        """``store.events[first:end]`` arrived."""

    def follow(self) -> None:
        """The selection changed: mark it and scroll to it."""

    def settle_in_lab(self) -> None:
        """Called once, for the one that stands in the rule lab, where there is more room."""

    def fill_menu(self, menu: QMenu) -> None:
        """Add what belongs into the menu at the right end of the head, above the dock's own."""

    def count(self) -> None:
        """Bring the badge up to date; also called while the pane is hidden."""

    # the machinery

    def lag_behind(self) -> None:
        """What is shown is out of date: `reset` when the pane is shown next; now if it is."""
        self.__stale = True
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Catch up with what happened while the pane was hidden."""
        if self.__stale:
            self.__stale, self.__first, self.__followed = False, None, None
            self.reset()
        elif self.__first is not None and self.store is not None:
            first, self.__first = self.__first, None
            self.grow(first, len(self.store.events))
        self._follow_new()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _on_store_changed(self) -> None:
        self.__stale = True
        self.count()
        # with no run at all also a hidden pane lets go of the one it had: it may be large
        if self.isVisible() or self.store is None:
            self.refresh()

    def _on_events(self, first: int, end: int) -> None:
        self.count()
        shown = self.isVisible() and not self.__stale
        turns = self.context.turns
        if shown and not turns.on and self.__first is None:
            self.grow(first, end)
            return
        self.__first = first if self.__first is None else self.__first
        if turns.on and shown:
            turns.ask(self._take_turn)
        else:
            self._take_turn()

    def _take_turn(self) -> None:
        if self.isVisible() and not self.__stale:
            self.refresh()

    def _on_selection(self, _selection: object) -> None:
        if not self.isVisible() or self.__stale:
            return
        turns = self.context.turns
        if turns.hurried:
            turns.ask(self._take_turn)
        else:
            self._follow_new()

    def _follow_new(self) -> None:
        current = self.context.selection.current
        if current is not self.__followed:
            self.__followed = current
            self.follow()


def front() -> Iterator[type[Pane]]:
    """The panes that are in front of the places of the main arrangement, each imported in turn."""
    for name in FRONT:
        yield from _kinds_in(name)


def names() -> list[str]:
    """Names of the modules of all panes."""
    found = (info.name for info in pkgutil.iter_modules(__path__))
    return [name for name in found if not name.startswith("_")]


def load(name: str) -> ModuleType:
    """The module of that name, imported at the first call."""
    return importlib.import_module(f"{__name__}.{name}")


def discover() -> list[type[Pane]]:
    """All pane classes, by place and order.

    Raises:
        ValueError: a pane names an unknown place or a title that another one has.
    """
    found = [kind for name in names() for kind in _kinds_in(name)]
    titles = [pane.TITLE for pane in found]
    places: tuple[Place, ...] = (*PLACES, *LAB_PLACES)
    for pane in found:
        if pane.PLACE not in places:
            raise ValueError(f"{pane.__name__}: no place {pane.PLACE!r}; use one of {places}")
        if titles.count(pane.TITLE) > 1:
            raise ValueError(f"{pane.__name__}: another pane is titled {pane.TITLE!r} too")
    return sorted(found, key=lambda pane: (places.index(pane.PLACE), pane.ORDER, pane.TITLE))


def _kinds_in(name: str) -> list[type[Pane]]:
    module = load(name)
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Pane)
        and value.__module__ == module.__name__
        and value.TITLE
    ]
