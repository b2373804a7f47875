"""Spans that processors open through ``tracing_context``; each becomes an event when it ends."""

from __future__ import annotations

from itertools import count
from typing import Any

from tripscope.trace.events import SpanEnded
from tripscope.trace.plain import plain
from tripscope.trace.recorder import Recorder, Source


class Spans:
    """Makes the spans of one run and numbers them."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._ids = count()

    def next_id(self) -> int:
        """The number of a new span."""
        return next(self._ids)


class TraceSpan:
    """A span (see `tripscope.context.Span`). Ending it ends the children that are still open."""

    __slots__ = (
        "_attributes", "_children", "_ended", "_hook", "_id", "_name", "_parent", "_processor",
        "_spans", "_start",
    )  # fmt: skip

    def __init__(
        self, spans: Spans, name: str, hook: str, processor: str, parent: int | None = None
    ) -> None:
        self._spans = spans
        self._id = spans.next_id()
        self._name = str(name)
        self._hook = hook
        self._processor = processor
        self._parent = parent
        self._start = spans.recorder.now()
        self._attributes: dict[str, Any] = {}
        self._children: list[TraceSpan] = []
        self._ended = False

    def set_attributes(self, **attributes: Any) -> None:
        """See `tripscope.context.Span`."""
        self._attributes |= attributes

    def child(self, name: str, **attributes: Any) -> TraceSpan:
        """See `tripscope.context.Span`."""
        span = TraceSpan(self._spans, name, self._hook, self._processor, self._id)
        span.set_attributes(**attributes)
        self._children.append(span)
        return span

    def end(self) -> None:
        """See `tripscope.context.Span`."""
        if self._ended:
            return
        self._ended = True
        for child in self._children:
            child.end()
        recorder = self._spans.recorder
        recorder.emit_of(
            Source(self._hook, self._processor, self._start),
            SpanEnded,
            span=self._id,
            name=self._name,
            duration=recorder.now() - self._start,
            parent=self._parent,
            attributes=plain(self._attributes) if self._attributes else None,
        )

    def __enter__(self) -> TraceSpan:
        return self

    def __exit__(self, *exc: object) -> None:
        self.end()


class HookTracing:
    """The ``tracing_context`` of one processor; its span is made when a hook first asks for it.

    ``span`` is that of the call at hand, if it has asked.
    """

    __slots__ = ("_processor", "_spans", "hook", "span")

    def __init__(self, spans: Spans, processor: str) -> None:
        self._spans = spans
        self._processor = processor
        self.span: TraceSpan | None = None
        self.hook = ""

    @property
    def current_span(self) -> TraceSpan:
        """The span of the hook call at hand."""
        if self.span is None:
            self.span = TraceSpan(self._spans, self.hook, self.hook, self._processor)
        return self.span

    def close(self) -> None:
        """The hook call is over."""
        if self.span is not None:
            self.span.end()
            self.span = None
