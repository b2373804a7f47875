"""What a hook of the filter needs around it when there is no run."""

from __future__ import annotations

from typing import Any, NoReturn

from tripscope.context import RequestContext
from tripscope.errors import TripWire
from tripscope.message_list import MessageList

PROCESSOR_ID = "regex-filter"


class Probe:
    """Listens to nothing."""

    def finding(self, *args: Any, **kwargs: Any) -> None: ...

    def emit(self, *args: Any) -> None: ...

    def held(self, *args: Any) -> None: ...

    def warning(self, *args: Any) -> None: ...


class Writer:
    """Sends nothing."""

    async def custom(self, chunk: Any) -> None: ...


class Span:
    """A span that is not kept."""

    current_span: Any = None


def abort(
    reason: str | None = None, *, retry: bool | None = None, metadata: Any = None
) -> NoReturn:
    raise TripWire(reason or "", processor_id=PROCESSOR_ID, retry=retry, metadata=metadata)


def common(state: dict[str, Any]) -> dict[str, Any]:
    """The arguments that every hook is given."""
    return {
        "abort": abort,
        "retry_count": 0,
        "state": state,
        "request_context": RequestContext(),
        "tracing_context": Span(),
        "message_list": MessageList(),
        "probe": Probe(),
        "writer": Writer(),
    }
