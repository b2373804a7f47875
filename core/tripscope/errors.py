"""Exceptions of the engine.

TripscopeError
├── TripWire              what ``abort()`` raises; handled by the runner, never shown as a crash
├── HookError             a hook raised something else, or broke its return-shape rules
│   └── HookTimeout       its time budget was used up (outcome ``timed-out``)
├── APIError              a model call failed
├── NeedsLive             a replay asked for more than the recording holds
└── SessionError          a session or trace file cannot be read (names file and place)
"""

from __future__ import annotations

from typing import Any


class TripscopeError(Exception):
    """Base of the exceptions that Tripscope raises on purpose."""


class TripWire(TripscopeError):
    """Raised by ``abort()``. ``hook`` and ``event`` (its ``seq``) are filled in by the runner."""

    def __init__(
        self,
        reason: str,
        *,
        processor_id: str,
        retry: bool | None = None,
        metadata: Any = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.processor_id = processor_id
        self.retry = retry
        self.metadata = metadata
        self.hook: str | None = None
        self.event: int | None = None


class HookError(TripscopeError):
    """A hook failed. ``code`` is set for breaches of the return-shape rules."""

    def __init__(
        self, message: str, *, processor_id: str, hook: str, code: str | None = None
    ) -> None:
        super().__init__(message)
        self.processor_id = processor_id
        self.hook = hook
        self.code = code


class HookTimeout(HookError):
    """A hook's time budget was used up before it could decide."""


class APIError(TripscopeError):
    """A model call failed: an HTTP status, an error part in the stream, or a broken connection.

    ``retry_after``: seconds after which the provider asks to be tried again.
    """

    def __init__(
        self,
        message: str,
        *,
        status_code: int | None = None,
        is_retryable: bool = False,
        code: str | None = None,
        body: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status_code = status_code
        self.is_retryable = is_retryable
        self.code = code
        self.body = body
        self.retry_after = retry_after


def message_of(error: BaseException) -> str:
    """What an exception says, or its class's name if it says nothing."""
    return _said(error) or type(error).__name__


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as broken:  # a foreign one may do anything
        return f"{type(error).__name__}, whose message raises {type(broken).__name__}"


def describe_error(error: BaseException) -> dict[str, Any]:
    """The JSON description of an exception, as an ``error`` chunk and the trace spell it.

    ``message`` is always there; ``statusCode``, ``isRetryable``, ``code``, ``processorId`` and
    ``hook`` where the exception has them.
    """
    description: dict[str, Any] = {"name": type(error).__name__, "message": _said(error)}
    if isinstance(error, APIError):
        if error.status_code is not None:
            description["statusCode"] = error.status_code
        description["isRetryable"] = error.is_retryable
    if isinstance(error, HookError):
        description |= {"processorId": error.processor_id, "hook": error.hook}
    code = getattr(error, "code", None)
    if isinstance(code, str):
        description["code"] = code
    return description


class NeedsLive(TripscopeError):
    """A replay went beyond its recording; the run ends with status ``needs-live``."""


class SessionError(TripscopeError):
    """A session or trace file is not usable. ``place`` is a path in the file, or a line."""

    def __init__(self, message: str, *, file: str | None = None, place: str | None = None) -> None:
        where = ": ".join(part for part in (file, place) if part)
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.file = file
        self.place = place

    def in_file(self, file: str) -> SessionError:
        """The same error with the name of its file, if it lacks one."""
        return self if self.file else SessionError(self.message, file=file, place=self.place)
