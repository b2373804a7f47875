"""``RegExp.prototype.source`` (ECMA-262 22.2.6.13.1 EscapeRegExpPattern), as V8 writes it."""

_ENDS = {"\n": "\\n", "\r": "\\r", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def shown_source(pattern: str) -> str:
    """The pattern as it stands between the slashes of a literal."""
    if not pattern:
        return "(?:)"
    out: list[str] = []
    in_class = escaped = False
    for char in pattern:
        if escaped:
            out.append(_ENDS[char][1:] if char in _ENDS else char)
            escaped = False
            continue
        if char == "/" and not in_class:
            out.append("\\/")
        else:
            out.append(_ENDS.get(char, char))
        escaped = char == "\\"
        in_class = char == "[" or (in_class and char != "]")
    return "".join(out)
