"""Views take turns while a run is at work, so that no frame has to paint all of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer

TURN_MS: Final = 16
SHARED_MS: Final = 32
"""What views that share a turn may take together: two frames, in which nothing else is painted."""
REST: Final = 2
"""After a turn all views rest so many times as long as it took, with what was painted for it: two
thirds of the time are the engine's."""
LONGEST_REST_MS: Final = 400
REPLAY_REST: Final = 8
"""The same for a replay: it goes as fast as it can, and its end is what is waited for."""


class ViewTurns(QObject):
    """A queue of views that have something new to show; one is served a frame."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.on = False
        """Whether views wait for their turn; otherwise who has news may show them at once."""
        self._waiting: dict[Callable[[], None], None] = {}
        self._costs: dict[Callable[[], None], float] = {}
        """Seconds that the turn of a view took last, with its painting."""
        self._hurried = False
        self._rests = REST
        self._serving = False
        self._shown: list[asyncio.Future[None]] = []
        """Of those who wait until views are shown."""
        self._next = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._serve)
        self._painted = QTimer(self)
        """Over once what a turn asked Qt to paint is painted: all that was posted comes first."""
        self._painted.setSingleShot(True)
        self._painted.timeout.connect(self._rest)
        self._turn: tuple[float, Sequence[Callable[[], None]]] = (0.0, ())
        """When the turn at hand began, and who was served in it."""

    @property
    def serving(self) -> bool:
        """Whether a view was served and is about to be painted: others should make room."""
        return self._serving

    @property
    def hurried(self) -> bool:
        """Whether views take turns without a rest: what a run brought is shown to its end."""
        return self.on and self._hurried

    async def shown(self) -> None:
        """Return once no view is hurried any more, and the last one is painted; at once if none is.

        For work in a thread: beside one that computes, painting takes many times as long, for Qt
        hands the interpreter's lock out and in with every call.
        """
        while self.hurried or self._serving:
            shown = asyncio.get_running_loop().create_future()
            self._shown.append(shown)
            await shown

    def begin(self, rest: int = REST) -> None:
        """A run begins: views take turns, and rest ``rest`` times as long after each."""
        self.finish()
        self.on, self._hurried, self._rests = True, False, rest

    def ask(self, show: Callable[[], None]) -> None:
        """Have ``show`` called when its turn comes; a view that waits already waits on."""
        self._waiting[show] = None
        self._wind()

    def hurry(self, last: Callable[[], None]) -> None:
        """Serve those who wait without a rest between them, then ``last``.

        Who asks meanwhile is served too, before ``last``. Several views share a turn, as far as
        there is time: what they changed is painted once.
        """
        self._hurried = True
        self._next = 0.0
        self._timer.stop()

        def end() -> None:
            if self._waiting:
                self.ask(end)
            else:
                last()

        self.ask(end)

    def finish(self) -> None:
        """Serve all who wait, now, and those who ask meanwhile; nobody needs a turn any more."""
        self._timer.stop()
        self.on = False
        self._costs.clear()
        while self._waiting:
            waiting, self._waiting = self._waiting, {}
            for show in waiting:
                show()
        if not self._serving:
            self._tell_shown()

    def _wind(self) -> None:
        if self._waiting and not self._serving and not self._timer.isActive():
            self._timer.start(max(0, round((self._next - time.monotonic()) * 1000)))

    def _serve(self) -> None:
        begun = time.monotonic()
        self._serving = True
        served: list[Callable[[], None]] = []
        try:
            while self._waiting and (not served or self._may_share(served, begun)):
                show = next(iter(self._waiting))
                del self._waiting[show]
                served.append(show)
                show()
        finally:
            # no `QTimer.singleShot`: with 0 ms that is an event, and painting comes after events
            self._turn = (begun, served)
            self._painted.start(0)

    def _may_share(self, served: Sequence[Callable[[], None]], begun: float) -> bool:
        """Whether the next view is served in the same turn, as far as is known what that takes."""
        together = (*served, next(iter(self._waiting)))
        costs = sum(self._costs.get(show, 0.0) for show in together)
        return self._hurried and max(costs, time.monotonic() - begun) < SHARED_MS / 1000

    def _tell_shown(self) -> None:
        """Wake those who wait; they look for themselves whether it was the last view."""
        shown, self._shown = self._shown, []
        for future in shown:
            if not future.done():
                future.set_result(None)

    def _rest(self) -> None:
        begun, served = self._turn
        now = time.monotonic()
        self._serving = False
        self._tell_shown()
        if self.on and len(served) == 1:
            self._costs[served[0]] = now - begun
        if self._hurried:
            self._next = now
        else:
            rest = min((now - begun) * 1000 * self._rests, LONGEST_REST_MS) if self.on else 0
            self._next = now + max(TURN_MS, rest) / 1000
        self._wind()
