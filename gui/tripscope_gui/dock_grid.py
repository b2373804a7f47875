"""The grid of docks: six places in three rows, their proportions, and what a small window folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import QWidget

from tripscope_gui.pane_grid import PaneGrid
from tripscope_gui.panes import PLACES, Pane, Place
from tripscope_gui.theme import Theme
from tripscope_gui.tokens import Space

NARROW: Final = 1400
"""Window width in logical pixels under which the bottom row has two docks instead of three."""
LOW: Final = 900
"""Window height under which the breadcrumb stands in the status bar."""


class Drawn(Struct, frozen=True):
    """Sizes in logical pixels by width of the window: of rows, middle row and bottom row."""

    rows: Mapping[int, tuple[int, ...]]
    middle: Mapping[int, tuple[int, ...]]
    bottom: Mapping[int, tuple[int, ...]]


_MAIN: Final = Drawn(
    rows={
        960: (137, 265, 164),
        1280: (160, 308, 164),
        1600: (196, 403, 206),
        1920: (214, 440, 231),
    },
    middle={960: (466, 486), 1280: (772, 496), 1600: (966, 622), 1920: (1160, 748)},
    bottom={960: (474, 0, 474), 1280: (640, 0, 628), 1600: (676, 366, 542), 1920: (810, 440, 654)},
)


class DockGrid(PaneGrid):
    """The docks around a run; a narrow window has fewer of them."""

    def __init__(
        self,
        theme: Theme,
        panes: Iterable[Pane],
        parent: QWidget | None = None,
        *,
        later: Iterable[Callable[[], Pane]] | None = None,
        drawn: Drawn = _MAIN,
    ) -> None:
        """A grid of panes.

        Args:
            theme: colours.
            panes: one at least for each dock that is to be seen; they are in front.
            parent: where the grid stands.
            later: make more of them, and those behind; asked for by `make_next`, or when they are
                needed. All docks are to be seen until then.
            drawn: the sizes of the places, at the widths that they were drawn for.
        """
        super().__init__(theme, PLACES, "dock_grid", parent)
        self._drawn = drawn
        self._narrow = False
        self._panes: list[Pane] = []
        self._later = iter(later or ())
        self._awaited = set(PLACES) if later is not None else set()
        for pane in panes:
            self._add(pane)
        self._lay_out()

    @property
    def panes(self) -> list[Pane]:
        """All panes; those that are not made yet are made."""
        while self.make_next():
            pass
        return self._panes

    def make_next(self) -> bool:
        """Make one of the panes that come later; whether there was one."""
        make = next(self._later, None)
        if make is None:
            return False
        waited = self.waiting
        self._add(make())
        if waited and not self.waiting and not self.custom:
            self.proportion()  # docks ask for more room now than they did when they were empty
        return True

    @property
    def waiting(self) -> bool:
        """Whether a dock that is to be seen has no pane yet."""
        return bool(self._awaited)

    def fill(self) -> None:
        """Make the panes in front that are not made yet."""
        while self.waiting and self.make_next():
            pass

    def _add(self, pane: Pane) -> None:
        pane.count()  # what it was not told of, as it was not made yet
        self._panes.append(pane)
        self._awaited.discard(pane.PLACE)
        dock, at = self.docks[self._place(pane)], None
        if self._narrow and pane.PLACE == "bottom-right":
            # the order of tabs is theirs, whenever the window was narrowed
            at = sum(other.PLACE != "bottom-centre" for other in dock.panes)
        dock.add_pane(pane, at)

    @property
    def narrow(self) -> bool:
        """Whether the bottom row has two docks."""
        return self._narrow

    def pane(self, title: str) -> Pane | None:
        """The pane of that title, case aside."""
        made = (p for p in self._panes if p.TITLE.lower() == title.lower())
        found = next(made, None)
        if found is None and self.make_next():
            return self.pane(title)
        return found

    def show_pane(self, title: str) -> bool:
        """Bring a pane to the front, case aside; whether there is one of that title."""
        pane = self.pane(title)
        return pane is not None and super().show_pane(pane.TITLE)

    def set_narrow(self, narrow: bool) -> None:
        """Fold the bottom centre into the bottom right, or part them again."""
        if narrow == self._narrow:
            return
        self._narrow = narrow
        centre, right = self.docks["bottom-centre"], self.docks["bottom-right"]
        if narrow:
            for pane in list(centre.panes):
                centre.take_pane(pane)
                right.add_pane(pane)
        else:
            for pane in [p for p in right.panes if p.PLACE == "bottom-centre"]:
                right.take_pane(pane)
                centre.add_pane(pane)
        right.show_page(0)
        self._show_filled()
        self.proportion()

    def reset(self) -> None:
        """Put every pane and dock back to where it belongs."""
        self._put_back((pane, self._place(pane)) for pane in self.panes)
        self._lay_out()

    def restore(self, state: QByteArray) -> bool:
        """Take a kept arrangement; whether it fitted."""
        fits = super().restore(state)
        self._show_filled()
        return fits

    def proportion(self, size: QSize | None = None) -> None:
        """Give the docks their shares of ``size`` (the grid's own)."""
        size = size or self.size()
        drawn = [width for width in self._drawn.rows if not self._narrow or width < NARROW]
        width = min(drawn or self._drawn.rows, key=lambda width: abs(width - size.width()))
        rows = _shares(self._drawn.rows[width], size.height())
        # a lane that is lower than a line of text is hard to read; chunks can be scrolled
        missing = self._drawn.rows[width][0] - rows[0]
        kept = max(0, min(missing, rows[1] - self._drawn.rows[width][0]))
        rows = [rows[0] + kept, rows[1] - kept, *rows[2:]]
        heights: list[tuple[Place, int]] = [
            ("top", rows[0]),
            ("middle-left", rows[1]),
            ("bottom-left", rows[2]),
        ]
        self._resize(heights, Qt.Orientation.Vertical)
        middle = _shares(self._drawn.middle[width], size.width())
        self._resize(
            [("middle-left", middle[0]), ("middle-right", middle[1])], Qt.Orientation.Horizontal
        )
        bottom = _shares(self._drawn.bottom[width], size.width())
        places: tuple[Place, ...] = ("bottom-left", "bottom-centre", "bottom-right")
        self._resize(list(zip(places, bottom, strict=True)), Qt.Orientation.Horizontal)

    def _lay_out(self) -> None:
        docks = self.docks
        area = Qt.DockWidgetArea.TopDockWidgetArea
        vertical, horizontal = Qt.Orientation.Vertical, Qt.Orientation.Horizontal
        self.addDockWidget(area, docks["top"])
        self.splitDockWidget(docks["top"], docks["middle-left"], vertical)
        self.splitDockWidget(docks["middle-left"], docks["bottom-left"], vertical)
        self.splitDockWidget(docks["middle-left"], docks["middle-right"], horizontal)
        self.splitDockWidget(docks["bottom-left"], docks["bottom-centre"], horizontal)
        self.splitDockWidget(docks["bottom-centre"], docks["bottom-right"], horizontal)
        self._show_filled()
        self.proportion()

    def _resize(self, sizes: list[tuple[Place, int]], orientation: Qt.Orientation) -> None:
        shown = [(p, s) for p, s in sizes if s > 0 and not self.docks[p].isHidden()]
        if shown:
            docks = [self.docks[place] for place, _ in shown]
            self.resizeDocks(docks, [share for _, share in shown], orientation)

    def _show_filled(self) -> None:
        for place, dock in self.docks.items():
            folded = self._narrow and place == "bottom-centre"
            dock.setVisible(bool(dock.panes) or (place in self._awaited and not folded))

    def _place(self, pane: Pane) -> Place:
        folded = self._narrow and pane.PLACE == "bottom-centre"
        return "bottom-right" if folded else pane.PLACE


def _shares(drawn: tuple[int, ...], total: int) -> list[int]:
    room = total - Space.DOCK_GAP * (sum(1 for size in drawn if size) + 1)
    whole = sum(drawn)
    return [max(0, room * size // whole) for size in drawn]
