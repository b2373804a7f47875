"""Compiled patterns (first version: plain translation)."""

from functools import lru_cache

import regex

from tripscope.patterns.errors import MatchTimeout, PatternError
from tripscope.patterns.match import Match
from tripscope.patterns.substitution import expand_units
from tripscope.patterns.units import OffsetMap, join_surrogates, spread


class Pattern:
    """A pattern with JavaScript's meaning."""

    def __init__(self, source: str, flags: str) -> None:
        self.source = source
        self.flags = flags
        native = 0
        for flag, value in (("i", regex.I), ("m", regex.M), ("s", regex.S)):
            if flag in flags:
                native |= value
        try:
            self._native = regex.compile(
                source.replace("(?<", "(?P<")
                if "(?<" in source and "(?<=" not in source and "(?<!" not in source
                else source,
                native,
            )
        except regex.error as error:
            raise PatternError(str(error), error.pos or 0) from error
        self._unicode = "u" in flags or "v" in flags

    def find_all(self, text: str, *, timeout: float | None = None) -> list[Match]:
        text = join_surrogates(text) if self._unicode else spread(text)
        found: list[Match] = []
        offsets = OffsetMap(text)
        try:
            for one in self._native.finditer(text, timeout=timeout):
                if "y" in self.flags and one.start() != (found[-1].end if found else 0):
                    break
                found.append(self._match(one, offsets))
                if "g" not in self.flags:
                    break
        except TimeoutError as error:
            raise MatchTimeout from error
        return found

    def _match(self, one: "regex.Match[str]", offsets: OffsetMap) -> Match:
        start = offsets.to_utf16(one.start())
        return Match(
            start,
            offsets.to_utf16(one.end()) - start,
            one.group(),
            list(one.groups()),
            one.groupdict(),
        )

    def search_from(
        self, text: str, last_index: int, *, timeout: float | None = None
    ) -> Match | None:
        for match in self.find_all(text, timeout=timeout):
            if match.index >= last_index:
                return match
        return None

    def test(self, text: str) -> bool:
        return bool(self.find_all(text))

    def replace(self, text: str, replacement: str) -> str:
        units, out, last = spread(text), [], 0
        for match in self.find_all(text):
            out += [units[last : match.index], expand_units(match, replacement, units)]
            last = match.end
        return join_surrogates("".join(out) + units[last:])


@lru_cache(maxsize=1024)
def compile(pattern: str, flags: str = "") -> Pattern:  # noqa: A001
    return Pattern(pattern, flags)
