"""Characters and sets as the ``regex`` module writes them."""

from tripscope.patterns.charset import CharSet

_PLAIN = frozenset("_ \"',/:;<>@`%=")
_LAST_BYTE = 0xFF
_LAST_UNIT = 0xFFFF


def escape(code: int) -> str:
    """One character, readable as such inside a class and outside."""
    char = chr(code)
    if char.isascii() and (char.isalnum() or char in _PLAIN):
        return char
    if code <= _LAST_BYTE:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= _LAST_UNIT else f"\\U{code:08x}"


def ranges(chars: CharSet) -> str:
    """The set as content of a class."""
    return "".join(
        escape(low) if low == high else f"{escape(low)}-{escape(high)}"
        for low, high in chars.ranges
    )
