"""The stream that a caller reads: it drives the run chunk by chunk; nothing runs ahead of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Self, TypeVar

from tripscope import endings
from tripscope.chunks import Chunk, delta_text
from tripscope.errors import TripWire
from tripscope.input_phase import process_input
from tripscope.loop import run_chunks
from tripscope.results import RunResult
from tripscope.run import Run

_T = TypeVar("_T")


class _Stopped(Exception):
    """The run was stopped from outside while its reader waited for it."""


class AgentStream:
    """One run, as its one reader sees it.

    Reading happens in the reader's own task. The run ends early when that task is cancelled, when
    the call's ``abort_signal`` is aborted, or by `aclose`; all are a cancel (docs/rules.md D28).
    Use it as an async context manager, or read it to its end, or close it.
    """

    def __init__(self, run: Run, release: Callable[[], None]) -> None:
        self._run = run
        self._loop = asyncio.get_running_loop()
        self._chunks = run_chunks(run)
        self._release = release
        self._reader: asyncio.Task[object] | None = None
        self._idle: asyncio.Event | None = None
        self._cancel_sent = False
        self._over = False
        signal = run.abort_signal
        self._stopping = signal is not None and signal.aborted
        if signal is not None:
            signal.add_listener(self._stop)

    @property
    def run_id(self) -> str:
        """The id of the run."""
        return self._run.id

    @property
    def full_stream(self) -> AsyncIterator[Chunk]:
        """Every chunk that the client gets."""
        return self

    @property
    def text_stream(self) -> AsyncIterator[str]:
        """The text deltas only."""
        return self._texts()

    async def result(self) -> RunResult:
        """Read the rest of the stream, then give the result; its accessors may raise."""
        async for _ in self:
            pass
        assert self._run.result is not None
        return self._run.result

    async def aclose(self) -> None:
        """Cancel the run, if it isn't over, and wait until all that it held is given back."""
        self._stop()
        if self._reader is asyncio.current_task():
            return  # called by a hook or a tool of this very run, which ends with the pull at hand
        if self._reader is not None:
            self._idle = asyncio.Event()
            await self._idle.wait()
        await self._end()

    async def prepare(self) -> None:
        """Run processInput; `Agent.stream` does it before it hands the stream out.

        Raises:
            HookError: a hook raised; there is no stream then.
        """
        try:
            if self._stopping:
                raise _Stopped
            await self._pull(process_input(self._run))
        except TripWire as wire:
            self._run.input_tripwire = wire
        except _Stopped:
            await self._end()
        except Exception as error:
            endings.refused(self._run, error)
            await self._end()
            raise
        except BaseException:
            await self._end()
            raise

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Chunk:
        if self._over:
            raise StopAsyncIteration
        if self._reader is not None:
            raise RuntimeError("the stream is being read already; a run has one reader")
        if self._stopping:
            await self._end()
            raise StopAsyncIteration
        try:
            return await self._pull(self._chunks.__anext__())
        except _Stopped:
            await self._end()
            raise StopAsyncIteration from None
        except BaseException:
            await self._end()
            raise

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    async def _texts(self) -> AsyncIterator[str]:
        async for chunk in self:
            text = delta_text(chunk)
            if text is not None and chunk.type == "text-delta":
                yield text

    async def _pull(self, work: Awaitable[_T]) -> _T:
        """Await ``work`` in a way that `_stop` can interrupt.

        Raises:
            _Stopped: it did.
        """
        self._reader = reader = asyncio.current_task(self._loop)
        try:
            value = await work
            if self._cancel_sent:
                await asyncio.sleep(0)  # where a cancel that came too late for ``work`` surfaces
        except asyncio.CancelledError:
            if self._cancel_sent and reader is not None and reader.uncancel() == 0:
                raise _Stopped from None
            raise
        finally:
            self._reader = None
            if self._idle is not None:
                self._idle.set()
        return value

    def _stop(self) -> None:
        if self._stopping or self._over:
            return
        self._stopping = True
        if self._reader is not None:
            self._cancel_sent = True
            self._reader.cancel()

    async def _end(self) -> None:
        if self._over:
            return
        await self._chunks.aclose()
        # A generator that never ran has no frame in which the run could end itself.
        await endings.cancelled(self._run)
        self._give_back()

    def _give_back(self) -> None:
        if self._over:
            return
        self._over = True
        if self._run.abort_signal is not None:
            self._run.abort_signal.remove_listener(self._stop)
        self._release()
