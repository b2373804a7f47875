"""Text that came from elsewhere, made safe to print."""

from __future__ import annotations

import sys


def printable(text: str) -> str:
    """``text`` with control characters, and what this terminal cannot show, as escapes."""
    encoding = sys.stdout.encoding or "utf-8"
    shown = text.encode(encoding, "backslashreplace").decode(encoding)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
