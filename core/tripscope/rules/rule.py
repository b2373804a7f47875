"""A rule: a named JavaScript pattern and what replaces its matches."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tripscope import patterns
from tripscope.patterns.units import join_surrogates
from tripscope.wire import JSON

DEFAULT_REPLACEMENT: Final = "[REDACTED]"
_FLAG_ORDER: Final = "dgimsuvy"
_LINE_BREAKS: Final = {"\n": "\\n", "\r": "\\r", "\u2028": "\\u2028", "\u2029": "\\u2029"}


@dataclass(frozen=True, slots=True)
class RegexRule:
    """A rule as it is configured; ``flags`` as in ``new RegExp(pattern, flags)``.

    Without ``g`` only the first match of each text counts. ``replacement`` None means
    ``[REDACTED]``; ``$1 $& $<name>`` in it refer to a match that stands alone. ``check`` has the
    last word on what was matched (presets only: no file holds one, and no JavaScript).

    Raises:
        ValueError: the name or the replacement is no string.
        tripscope.patterns.PatternError: JavaScript refuses the pattern or its flags.
    """

    name: str
    pattern: str
    flags: str = "g"
    replacement: str | None = None
    check: Callable[[str], bool] | None = field(default=None, repr=False, compare=False)
    compiled: patterns.Pattern = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for key in ("name", "pattern", "flags", "replacement"):
            value: object = getattr(self, key)
            if not isinstance(value, str) and (key != "replacement" or value is not None):
                raise ValueError(
                    f"rule {self.name!r:.60}: {key} must be a string, not {value!r:.60}"
                )
        object.__setattr__(self, "compiled", patterns.compile(self.pattern, self.flags))

    @property
    def substitute(self) -> str:
        """The replacement template."""
        return DEFAULT_REPLACEMENT if self.replacement is None else self.replacement

    @property
    def is_global(self) -> bool:
        """Whether every match counts and not only the first."""
        return "g" in self.flags

    @property
    def shown_source(self) -> str:
        """The pattern as ``RegExp.prototype.source`` spells it (ECMA-262 22.2.6.13)."""
        return _escape_slashes(self.pattern) or "(?:)"

    @property
    def shown_flags(self) -> str:
        """The flags in the order of ``RegExp.prototype.flags`` (ECMA-262 22.2.6.4)."""
        return "".join(flag for flag in _FLAG_ORDER if flag in self.flags)

    def accepts(self, units: str, start: int, end: int) -> bool:
        """Whether the check takes the match of this span; without one, always."""
        return self.check is None or self.check(join_surrogates(units[start:end]))

    @classmethod
    def from_wire(cls, wire: JSON) -> RegexRule:
        """Read ``{name, pattern, flags, replacement}``; flags default to ``g``.

        Raises:
            ValueError: it is no such object (`PatternError` is one as well).
        """
        if not isinstance(wire, dict):
            raise ValueError(f"a rule is an object with name and pattern, not {wire!r:.60}")
        flags = wire.get("flags")
        return cls(
            name=wire.get("name"),  # type: ignore[arg-type]  # checked in __post_init__
            pattern=wire.get("pattern"),  # type: ignore[arg-type]
            flags="g" if flags is None else flags,
            replacement=wire.get("replacement"),
        )

    def to_wire(self) -> dict[str, JSON]:
        """The object that `from_wire` reads."""
        wire: dict[str, JSON] = {"name": self.name, "pattern": self.pattern, "flags": self.flags}
        if self.replacement is not None:
            wire["replacement"] = self.replacement
        return wire


def _escape_slashes(source: str) -> str:
    out: list[str] = []
    in_class = False
    for token in re.findall(r"\\.|.", source, re.DOTALL):
        if token[0] == "\\" and token[1:] in _LINE_BREAKS:
            out.append(_LINE_BREAKS[token[1:]])
            continue
        if token == "[":
            in_class = True
        elif token == "]":
            in_class = False
        if token == "/" and not in_class:
            token = "\\/"
        out.append(_LINE_BREAKS.get(token, token))
    return "".join(out)
