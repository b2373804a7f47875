"""What went wrong with a provider call, as `APIError`, in the provider's own words."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from tripscope.errors import APIError
from tripscope.wire import JSON

_RETRYABLE: Final = frozenset({408, 409, 429})
_RETRYABLE_CODES: Final = frozenset(
    {"rate_limit_exceeded", "server_error", "overloaded", "overloaded_error", "timeout"}
)
_STATUS: Final = re.compile("[45][0-9]{2}")
_SNIPPET: Final = 300
_BODY: Final = 100_000


def retryable(status: int | None) -> bool:
    """Whether the same request may succeed later: 408, 409, 429 and all from 500 on."""
    return status is not None and (status in _RETRYABLE or status >= 500)


def error_from_response(status: int, headers: Mapping[str, str], body: str) -> APIError:
    """The error for an answer that is no event stream; ``status`` may be 200."""
    message, code = _describe(_json(body))
    said = message or _snippet(body) or "no text"
    if status >= 400:
        text = f"the provider answered {status}: {said}"
    elif message:
        text = f"the provider answered {status} with an error: {message}"
    elif 300 <= status < 400:
        text = f"the provider answered {status}, a redirect, which is not followed; check base URL"
    else:
        kind = headers.get("content-type") or "no content type"
        text = f"the provider answered {status} with no event stream ({kind}): {said}"
    return APIError(
        text,
        status_code=status,
        is_retryable=retryable(status),
        code=code,
        body=body[:_BODY],
        retry_after=_retry_after(headers),
    )


def error_from_object(error: JSON) -> APIError:
    """The error for an ``error`` value in a frame or body: an object or a text."""
    message, code = _describe({"error": error})
    status = int(code) if code and _STATUS.fullmatch(code) else None
    return APIError(
        message or f"the provider sent an error: {json.dumps(error)[:_SNIPPET]}",
        status_code=status,
        is_retryable=retryable(status) or code in _RETRYABLE_CODES,
        code=code,
        body=json.dumps(error)[:_BODY],
    )


def _describe(body: JSON) -> tuple[str | None, str | None]:
    """Message and code of ``{"error": {...} | text}``, ``{"message"}`` or ``{"detail"}``."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, dict):
        return None, None
    error = body.get("error") or body
    if isinstance(error, str):
        return error, _code(body)
    if not isinstance(error, dict):
        return None, None
    for key in ("message", "detail", "error"):
        if isinstance(error.get(key), str) and error[key]:
            return error[key], _code(error)
    return None, _code(error)


def _code(error: dict[str, JSON]) -> str | None:
    for key in ("code", "type", "status"):
        value = error.get(key)
        if isinstance(value, str | int) and value and not isinstance(value, bool):
            return str(value)
    return None


def _json(body: str) -> JSON:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _snippet(body: str) -> str:
    text = " ".join(body.split())
    return text if len(text) <= _SNIPPET else text[:_SNIPPET] + "…"


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that ``Retry-After`` asks for, given as a number or as a date."""
    value = headers.get("retry-after")
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        pass
    else:
        return max(0.0, seconds) if math.isfinite(seconds) else None
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
