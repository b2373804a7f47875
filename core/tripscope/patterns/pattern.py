"""Compiled patterns: which engine runs them, and matches as JavaScript reports them."""

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

import regex
from msgspec import Struct
from msgspec.structs import replace

from tripscope.patterns.analysis import can_match_empty, first_chars
from tripscope.patterns.casing import canonical_point, canonical_unit
from tripscope.patterns.errors import MatchTimeout, PatternError
from tripscope.patterns.facts import Facts, facts
from tripscope.patterns.machine import Clock, Machine
from tripscope.patterns.match import Match
from tripscope.patterns.parser import parse
from tripscope.patterns.program import assemble
from tripscope.patterns.rewrite import NotNative
from tripscope.patterns.source import shown_source
from tripscope.patterns.subject import Subject, subject_of
from tripscope.patterns.substitution import LONGEST, TOO_LONG, expand_units
from tripscope.patterns.syntax import Tree, without_chars
from tripscope.patterns.translate import Native, char_pattern, translate
from tripscope.patterns.units import join_surrogates, spread

_FLAGS = "dgimsuvy"
_UNSET = (-1, -1)
_CACHE_SIZE = 8192

Spans = list[tuple[int, int]]
"""Span of the match, then of each group, (-1, -1) while unset; Python indexes."""


class _Middle(Struct, frozen=True):
    """An empty match between the halves of the astral character at a Python index.

    With flags u and v V8 looks for matches there too (ECMA-262 would step over); no character
    matches from there, forwards or backwards, so only what is empty can be found.
    """

    index: int


class Pattern:
    """A pattern with the matches that V8 gives; made by ``compile``.

    ``source`` and ``flags`` read as JavaScript shows them. Flag d changes nothing here.
    """

    def __init__(self, pattern: str, flags: str, tree: Tree | None = None) -> None:
        """Parse, unless the tree is there; raises PatternError."""
        self.flags = _checked(flags)
        self.source = shown_source(pattern)
        self.tree = tree or parse(pattern, self.flags)
        self._names = self.tree.names
        self._global = "g" in self.flags
        self._sticky = "y" in self.flags
        self._may_be_empty = can_match_empty(self.tree.root)
        self._natives: dict[bool, Native | None] = {}

    def __repr__(self) -> str:
        """As a JavaScript literal."""
        return f"/{self.source}/{self.flags}"

    @cached_property
    def facts(self) -> Facts:
        """Bounds of a match in UTF-16 units, and the context it needs."""
        return facts(self.tree)

    def find_all(self, text: str, *, timeout: float | None = None) -> list[Match]:
        """All matches with flag g (as ``matchAll``), else the first or none.

        ``timeout`` in seconds, for the whole call; raises MatchTimeout. The ``regex`` module
        counts the processor time of the process, so a busy machine waits longer.
        """
        subject = subject_of(text, self.tree.unicode)
        native = self._native(subject.ascii)
        simple = self._global and not self._sticky and not self._may_be_empty
        if simple and native is not None and native.groups is not None:
            return self._all_native(native, native.groups, subject, timeout)
        return [self._match(subject, spans) for spans in self._spans(subject, timeout)]

    def search_from(
        self, text: str, last_index: int, *, timeout: float | None = None
    ) -> Match | None:
        """The match that ``exec`` gives with this ``lastIndex``, in UTF-16 units.

        As in JavaScript, without flags g and y the search begins at 0 whatever it is.
        """
        if not (self._global or self._sticky):
            last_index = 0
        subject = subject_of(text, self.tree.unicode)
        if last_index > subject.utf16_length:
            return None
        start = subject.to_index(last_index)
        spans = self._search(subject, start, Clock.of(timeout))
        if spans is None and self._sticky and subject.to_utf16(start) != last_index:
            # V8 tries the whole character first, then the place between its halves.
            spans = None if self._in_middle is None else _Middle(start)
        return None if spans is None else self._match(subject, spans)

    def test(self, text: str, *, timeout: float | None = None) -> bool:
        """Whether the pattern matches, from the start of the text."""
        subject = subject_of(text, self.tree.unicode)
        return self._search(subject, 0, Clock.of(timeout)) is not None

    def replace(self, text: str, replacement: str, *, timeout: float | None = None) -> str:
        """``String.prototype.replace`` with a replacement template.

        Raises MatchTimeout too where JavaScript raises RangeError: the new text is too long.
        """
        clock = Clock.of(timeout)
        matches = self.find_all(text, timeout=timeout)
        if not matches:
            return join_surrogates(text)
        units = spread(text)
        parts: list[str] = []
        last = size = 0
        for match in matches:
            new = expand_units(match, replacement, units) if "$" in replacement else replacement
            size += len(new)
            clock.seconds_left()  # raises if there are none
            if size > LONGEST:
                raise MatchTimeout(TOO_LONG)
            parts += (units[last : match.index], new)
            last = match.end
        parts.append(units[last:])
        return join_surrogates("".join(parts))

    def native(self, *, ascii_only: bool) -> "regex.Pattern[str] | None":
        """A ``regex`` pattern that finds the spans that this one finds; None if there is none.

        For callers that search parts of one text many times. It reads texts as this pattern sees
        them: UTF-16 units, code points with flags u and v; nothing but ASCII if ``ascii_only``.
        Flag y and empty matches, behind which JavaScript searches on otherwise, are up to the
        caller.
        """
        native = self._native(ascii_only)
        return None if native is None or native.groups is None else native.pattern

    def _all_native(
        self, native: Native, own: tuple[int, ...], subject: Subject, timeout: float | None
    ) -> list[Match]:
        """The common case: one ``finditer``, which has one budget for all its matches."""
        found = native.pattern.finditer(subject.text, timeout=timeout)
        try:
            if subject.map is None and native.same_groups:
                return self._all_plain(found, joined=subject.ascii)
            return [
                self._match(subject, [one.span(), *(one.span(n) if n else _UNSET for n in own)])
                for one in found
            ]
        except TimeoutError as error:
            raise MatchTimeout from error

    def _all_plain(self, found: "Iterable[regex.Match[str]]", joined: bool) -> list[Match]:
        """Matches whose offsets and groups are those of ``regex``, as fast as they come.

        ``joined`` says that no text can hold a pair that is apart.
        """
        names = self._names
        matches: list[Match] = []
        for one in found:
            start, end = one.span()
            text, groups = one.group(), list(one.groups())
            if not joined:
                text = join_surrogates(text)
                groups = [None if group is None else join_surrogates(group) for group in groups]
            named = {name: groups[number - 1] for name, number in names} if names else {}
            matches.append(Match(start, end - start, text, groups, named))
        return matches

    def _spans(self, subject: Subject, timeout: float | None) -> Iterator[Spans | _Middle]:
        clock = Clock.of(timeout)
        at = 0
        size = len(subject.text)
        while at <= size:
            found = self._search(subject, at, clock)
            if found is None:
                return
            yield found
            if not self._global:
                return
            if isinstance(found, _Middle):
                at = found.index + 1
                continue
            start, end = found[0]
            at = end + 1 if end == start else end

    def _search(self, subject: Subject, start: int, clock: Clock) -> Spans | _Middle | None:
        found = self._search_whole(subject, start, clock)
        if self._sticky or not self._may_be_empty or subject.map is None:
            return found
        astral = subject.map.next_astral(start)
        if astral is None or (found is not None and found[0][0] <= astral):
            return found
        return found if self._in_middle is None else _Middle(astral)

    @cached_property
    def _in_middle(self) -> list[str | None] | None:
        """The groups of a match between two halves; None if there is none. Same in any text."""
        machine = Machine(assemble(replace(self.tree, root=without_chars(self.tree.root))), None)
        registers = machine.match("\0\0", 1, Clock.of(None))
        if registers is None:
            return None
        starts = registers[2 : 2 * self.tree.group_count + 2 : 2]
        return [None if start < 0 else "" for start in starts]

    def _search_whole(self, subject: Subject, start: int, clock: Clock) -> Spans | None:
        native = self._native(subject.ascii)
        if native is None:
            return self._search_exactly(subject.text, start, clock)
        found = _native_search(native, subject.text, start, self._sticky, clock)
        if found is None or native.groups is not None:
            return found
        return self._run(subject.text, found[0][0], clock)

    def _search_exactly(self, text: str, start: int, clock: Clock) -> Spans | None:
        for at in self._starts(text, start):
            spans = self._run(text, at, clock)
            if spans is not None:
                return spans
        return None

    def _starts(self, text: str, start: int) -> Iterable[int]:
        """Where a match may begin, from ``start`` on."""
        if self._sticky:
            return (start,)
        if self._first is None:
            return range(start, len(text) + 1)
        return (found.start() for found in self._first.finditer(text, start))

    @cached_property
    def _first(self) -> "regex.Pattern[str] | None":
        chars = first_chars(self.tree.root)
        return None if chars is None else char_pattern(chars)

    def _run(self, text: str, start: int, clock: Clock) -> Spans | None:
        registers = self._machine.match(text, start, clock)
        if registers is None:
            return None
        count = 2 * self.tree.group_count + 2
        return list(zip(registers[0:count:2], registers[1:count:2], strict=True))

    @cached_property
    def _machine(self) -> Machine:
        fold = None
        if self.tree.ignore_case:
            fold = _fold_point if self.tree.unicode else _fold_unit
        return Machine(assemble(self.tree), fold)

    def _native(self, ascii_only: bool) -> Native | None:
        if ascii_only not in self._natives:
            try:
                self._natives[ascii_only] = translate(self.tree, ascii_only)
            except NotNative:
                self._natives[ascii_only] = None
        return self._natives[ascii_only]

    def _match(self, subject: Subject, spans: Spans | _Middle) -> Match:
        if isinstance(spans, _Middle):
            halves = list(self._in_middle or ())
            named = {name: halves[number - 1] for name, number in self._names}
            return Match(subject.to_utf16(spans.index) + 1, 0, "", halves, named)
        start, end = spans[0]
        groups = [None if begin < 0 else subject.cut(begin, finish) for begin, finish in spans[1:]]
        named = {name: groups[number - 1] for name, number in self._names}
        index = subject.to_utf16(start)
        length = subject.to_utf16(end) - index
        return Match(index, length, subject.cut(start, end), groups, named)


def _checked(flags: str) -> str:
    """The flags in the order JavaScript shows them; raises PatternError."""
    for place, flag in enumerate(flags):
        if flag not in _FLAGS:
            raise PatternError(f"Invalid flag {flag!r}: only {_FLAGS} exist", place)
        if flag in flags[:place]:
            raise PatternError(f"Invalid flags: {flag!r} is given twice", place)
    if "u" in flags and "v" in flags:
        raise PatternError("Invalid flags: u and v exclude each other", flags.index("v"))
    return "".join(sorted(flags))


def _native_search(
    native: Native, text: str, start: int, sticky: bool, clock: Clock
) -> Spans | None:
    run = native.pattern.match if sticky else native.pattern.search
    try:
        found = run(text, start, timeout=clock.seconds_left())
    except TimeoutError as error:
        raise MatchTimeout from error
    if found is None:
        return None
    return [
        found.span(),
        *(found.span(number) if number else (-1, -1) for number in native.groups or ()),
    ]


@lru_cache(maxsize=_CACHE_SIZE)
def _fold_unit(char: str) -> str:
    return chr(canonical_unit(ord(char)))


@lru_cache(maxsize=_CACHE_SIZE)
def _fold_point(char: str) -> str:
    return chr(canonical_point(ord(char)))


@lru_cache(maxsize=_CACHE_SIZE)
def compile(pattern: str, flags: str = "") -> Pattern:
    """The pattern of ``new RegExp(pattern, flags)``; raises PatternError for what it refuses.

    The same object comes back for the same arguments, as long as the cache holds it.
    """
    return Pattern(pattern, flags)
