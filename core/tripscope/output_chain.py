"""processOutputStream: every stream part goes through the output processors, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Sequence
from inspect import isawaitable

from tripscope.chunks import Chunk
from tripscope.data_writer import DataWriter
from tripscope.parts import Part, copy_of
from tripscope.runner import Bound, HookRunner
from tripscope.stream_station import HOOK, StreamStation


class OutputChain:
    """Takes parts in with `push`; what comes out waits in ``ready`` until it is delivered.

    ``stream_parts`` is the one list that all processors share: the parts as they entered.
    ``next_index`` is the number of the next part.
    """

    def __init__(self, hooks: HookRunner, bounds: Sequence[Bound]) -> None:
        self.ready: deque[Part] = deque()
        self.stream_parts: list[Chunk] = []
        self.next_index = 0
        self.writer = DataWriter(self.write)
        placed = [
            (bound, StreamStation(bound, hooks, self.stream_parts, self.writer))
            for bound in bounds
            if HOOK in bound.hooks
        ]
        self._stations = tuple(station for _, station in placed)
        self._data_stations = tuple(station for bound, station in placed if bound.takes_data)

    def begin_attempt(self, number: int) -> None:
        """From now on hooks are given ``number`` as their ``retry_count``."""
        for station in self._stations:
            station.begin_attempt(number)

    def push(self, chunk: Chunk, snapshot: Chunk | None = None) -> Awaitable[None]:
        """Send a chunk through the chain; ``snapshot`` is a copy of it that nobody edits.

        Raises:
            TripWire, HookError: as `tripscope.runner.HookRunner.call`; what had passed the whole
                chain by then is in ``ready``.
        """
        part = Part(chunk, (snapshot or copy_of(chunk),), self.next_index)
        self.next_index += 1
        if self._stations:  # or nobody could read the stream parts
            self.stream_parts.append(chunk)
        return self._down(self._data_stations if chunk.is_data else self._stations, 0, part)

    def write(self, chunk: Chunk) -> None:
        """Put a chunk out that no processor sees."""
        self.ready.append(Part(chunk, (copy_of(chunk),), None))

    def refresh(self, chunk: Chunk) -> None:
        """The engine changed a chunk that is ready: copy it anew."""
        for at, part in enumerate(self.ready):
            if part.chunk is chunk:
                self.ready[at] = Part(chunk, (copy_of(chunk),), part.number)

    def drop_held(self, reason: str) -> None:
        """Record the text that processors still hold back as dropped."""
        for station in self._stations:
            station.drop_held(reason)

    async def _down(self, stations: tuple[StreamStation, ...], at: int, part: Part) -> None:
        for place in range(at, len(stations)):
            station = stations[place]
            args = station.begin(part)
            try:
                value = station.hook(args)
                if type(value) is not Chunk and value is not None and isawaitable(value):
                    value = await value
                out = station.judge(value, part)
            except BaseException as error:
                await station.fail(part, error)
            station.done(part)
            if not isinstance(out, Part):
                for item in out:
                    await self._down(stations, place + 1, item)
                return
            part = out
        self.ready.append(part)
