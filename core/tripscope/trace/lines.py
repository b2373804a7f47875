"""One line of ASCII JSON for anything, which is what a trace file is made of.

msgspec writes and reads lines many times as fast as ``json``, but it knows no halves of surrogate
pairs, which real streams hold, writes NaN as null, and takes other objects for JSON as it likes.
Whatever is not sure to be plain is left to ``json``.
"""

from __future__ import annotations

import codecs
import json
from json.encoder import encode_basestring_ascii
from typing import Final

import msgspec

from tripscope.trace.plain import describe, plain
from tripscope.wire import JSON

_dumps = json.JSONEncoder(separators=(",", ":"), default=describe, allow_nan=False).encode
_SCALARS: Final = frozenset({str, int, bool, type(None)})
_ESCAPES: Final = "tripscope-json-escapes"


class NotJSON(ValueError):
    """A line is no JSON."""


def dumps(wire: JSON) -> str:
    """ASCII JSON for any value: `tripscope.trace.plain` stands in for what is not JSON."""
    try:
        return _dumps(wire)
    except (TypeError, ValueError, RecursionError):
        return _dumps(plain(wire))


def line_of(wire: JSON) -> bytes:
    """As `dumps`, in bytes."""
    return dumps(wire).encode("ascii")


def loads(line: bytes) -> JSON:
    """The value of a line.

    Raises:
        NotJSON: with the reason.
    """
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotJSON(f"not JSON: {error}") from None


def encodable(value: JSON) -> JSON:
    """What msgspec writes like ``json``: the value itself if it is sure to, else its text.

    Of tuples only those are sure that hold tuples of scalars, which is what a change of state is.
    """
    if type(value) in _SCALARS:
        return value
    if type(value) is tuple and all(
        type(item) is tuple and _SCALARS.issuperset(map(type, item)) for item in value
    ):
        return value
    return msgspec.Raw(line_of(value))


def escaped(line: bytes) -> bytes:
    """JSON in UTF-8 with all that is not ASCII escaped."""
    return line if line.isascii() else line.decode("utf-8").encode("ascii", _ESCAPES)


def _escape(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return encode_basestring_ascii(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(_ESCAPES, _escape)
