"""Server-sent events: bytes in, events out, cut anywhere.

Source: WHATWG HTML, section 9.2.6 "Interpreting an event stream". Lines end at LF, CR or CR LF and
nowhere else, so text is split while it is still bytes; a line is decoded once it is complete.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_BOM: Final = b"\xef\xbb\xbf"


class ServerSentEvent(Struct, frozen=True):
    """One dispatched event; ``id`` is the last one that the stream set."""

    data: str
    event: str = "message"
    id: str = ""


class SSEDecoder:
    """Feed it what arrives, in pieces of any size.

    ``problems`` says in words where bytes were not UTF-8; they read as U+FFFD in the text.
    ``retry``: milliseconds, if the stream asked for a reconnection time.
    """

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.retry: int | None = None
        self._pending: list[bytes] = []
        self._lines = 0
        self._skip_lf = False
        self._data: list[str] = []
        self._event = ""
        self._id = ""

    def feed(self, data: bytes) -> list[ServerSentEvent]:
        """The events that ``data`` completes."""
        if self._skip_lf and data:
            self._skip_lf = False
            if data[0] == 0x0A:
                data = data[1:]
        if not data:
            return []
        self._skip_lf = data[-1] == 0x0D
        lines = _LINE_END.split(data)
        if len(lines) == 1:
            self._pending.append(data)
            return []
        lines[0] = b"".join([*self._pending, lines[0]])
        rest = lines.pop()
        self._pending = [rest] if rest else []
        return [event for line in lines if (event := self._line(line)) is not None]

    def close(self) -> ServerSentEvent | None:
        """The event that the stream's end left open, if it had data.

        The standard drops it. Servers do forget the last empty line, so whoever knows what the data
        should look like may still want it.
        """
        if self._pending:
            self._line(b"".join(self._pending))
            self._pending = []
        return self._dispatch()

    def _line(self, line: bytes) -> ServerSentEvent | None:
        self._lines += 1
        if self._lines == 1:
            line = line.removeprefix(_BOM)
        if not line:
            return self._dispatch()
        text = self._text(line)
        if text.startswith(":"):
            return None
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry = int(value)
        return None

    def _text(self, line: bytes) -> str:
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            bad = line[error.start : error.end].hex(" ")
            self.problems.append(
                f"line {self._lines} of the stream holds bytes that are not UTF-8 ({bad} at byte "
                f"{error.start}, {error.reason}); they read as U+FFFD"
            )
            return line.decode(errors="replace")

    def _dispatch(self) -> ServerSentEvent | None:
        data, event = self._data, self._event
        self._data, self._event = [], ""
        return ServerSentEvent("\n".join(data), event or "message", self._id) if data else None
