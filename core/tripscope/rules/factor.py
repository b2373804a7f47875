"""Strings without which a pattern cannot match, taken from its syntax tree.

A factor over-approximates: every match holds one of its needles, in the view of its level (see
`tripscope.rules.folds`); a needle need not be part of a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tripscope.patterns.analysis import longest
from tripscope.patterns.charset import CharSet
from tripscope.patterns.syntax import Alt, Char, Group, Node, Repeat, Seq, Tree
from tripscope.rules.folds import DIGITS_AND_SIGNS, LEVELS, TEXT, Level, folded, preimage
from tripscope.rules.needle import frequency, needle_of

_LATIN: Final = CharSet.of((0, 0xFF))
_HALVES: Final = CharSet.of((0xD800, 0xDFFF))
_SHOWN_AS_DIGITS: Final = CharSet.chars(map(ord, preimage("0", 3))) | CharSet.of((0x100, 0xFFFF))
_MAX_NEEDLES: Final = 8
_MAX_STEPS: Final = 400
_MAX_COPIES: Final = 32
_TOO_COMMON: Final = 0.05

# What looking for a needle costs, in microseconds for 1 MB: measured, but these figures decide only
# which of several factors is used.
_SCAN_COST: Final = {0: 700.0, 4: 850.0, 5: 880.0, 1: 900.0, 2: 1300.0, 3: 1000.0}
_GATED_SCAN_COST: Final = {0: 100.0, 4: 150.0, 5: 240.0, 1: 250.0, 2: 600.0, 3: 500.0}
_SCAN_COST_OF_A_CHAR: Final = 15.0
_HIT_COST: Final = 1.5e6
_UNBOUNDED_COST: Final = 2000.0
# So cheap that a view more for a better one is not worth its while.
_CHEAP: Final = 500.0
_LONG_ENOUGH: Final = 11
_LONG_START: Final = 4
_MANY_CHARS: Final = 4096


class Factor(Struct, frozen=True):
    """``needles``: one of them is in every match, at most ``reach`` units behind its start.

    ``reach`` None: no bound.
    """

    needles: tuple[str, ...]
    reach: int | None
    level: Level

    @property
    def frequency(self) -> float:
        """A guess at how many places of ordinary text hold a needle, per character."""
        return sum(frequency(needle, self.level) for needle in self.needles)

    @property
    def cost(self) -> float:
        """A guess at microseconds per MB of ordinary text."""
        scan = sum(map(self._scan_cost, self.needles))
        return scan + self.frequency * _HIT_COST + (_UNBOUNDED_COST if self.reach is None else 0.0)

    def _scan_cost(self, needle: str) -> float:
        if len(needle) == 1:
            return _SCAN_COST_OF_A_CHAR
        gated = needle_of(needle, self.level).gate is not None
        return (_GATED_SCAN_COST if gated else _SCAN_COST)[self.level]


class _Gap(Struct, frozen=True):
    """A step over at most ``high`` units of anything; ``inner``: a factor of what is in it."""

    high: int | None
    inner: Factor | None = None


_Step: TypeAlias = frozenset[str] | _Gap
"""Either exactly one of these strings (in the view), or a gap."""


def factor_of(tree: Tree) -> Factor | None:
    """The cheapest factor; None if there is none, or none that is rare enough."""
    best: Factor | None = None
    for level in LEVELS:
        found = _best(_steps(tree.root, level, [_MAX_STEPS]), level)
        if found is not None and (best is None or found.cost < best.cost):
            best = found
        if best is not None and best.cost < _CHEAP:
            break
    return None if best is None or best.frequency > _TOO_COMMON else _shortened(best)


def _shortened(factor: Factor) -> Factor:
    """With needles that are no longer than it takes: less of a stream's end is undecided then."""
    cut = replace(factor, needles=tuple(sorted({n[:_LONG_ENOUGH] for n in factor.needles})))
    return cut if cut.cost < factor.cost + 1 else factor


def _by_cost(factor: Factor) -> float:
    return factor.cost


def _best(steps: list[_Step], level: Level) -> Factor | None:
    return min(_factors(steps, level), key=_by_cost, default=None)


def _factors(steps: Iterable[_Step], level: Level) -> Iterator[Factor]:
    """The factors of a sequence: its runs of strings, and what its gaps hold.

    Of a run only ends are kept where one string ends as another does: they still touch what
    follows, and the reach counts from the longest of them.
    """
    at: int | None = 0  # units from the start of the match at most
    run: frozenset[str] = frozenset()
    run_at: int | None = 0
    for step in steps:
        if isinstance(step, _Gap):
            if run:
                yield from _of_run(run, run_at, level)
                run = frozenset()
            if (inner := step.inner) is not None:
                yield Factor(inner.needles, _plus(at, inner.reach), level)
            at = _plus(at, step.high)
            continue
        if run and len(step) > 1:
            # One that is longer is rarer, unless there are more of them.
            yield from _of_run(run, run_at, level)
        longer = frozenset(head + tail for head in run for tail in step) if run else step
        if not run or len(longer) > _MAX_NEEDLES:
            run, run_at = step, at
        else:
            run = longer
        run, dropped = _ends(run)
        run_at = _plus(run_at, dropped)
        at = _plus(at, max(map(len, step)))
        if "" in run:
            run = frozenset()
    if run:
        yield from _of_run(run, run_at, level)


def _of_run(run: frozenset[str], at: int | None, level: Level) -> Iterator[Factor]:
    least = _least(run)
    inside = max(map(len, run)) - min(map(len, least)) if len(least) < len(run) else 0
    yield Factor(least, _plus(at, inside), level)
    if len(least) == 1:
        return
    if len(fewer := _with_starts_joined(least)) < len(least):
        yield Factor(fewer, _plus(at, inside), level)
    if start := _common_start(least):
        yield Factor((start,), _plus(at, inside), level)
    if end := _common_start([text[::-1] for text in least])[::-1]:
        yield Factor((end,), _plus(at, inside + max(map(len, least)) - len(end)), level)


def _common_start(texts: Sequence[str]) -> str:
    low, high = min(texts), max(texts)
    same = next((at for at, char in enumerate(low) if high[at : at + 1] != char), len(low))
    return low[:same]


def _with_starts_joined(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Those that begin alike become their common start, if that is still long."""
    joined: list[str] = []
    for text in texts:
        start = _common_start((joined[-1], text)) if joined else ""
        if len(start) >= _LONG_START:
            joined[-1] = start
        else:
            joined.append(text)
    return tuple(joined)


def _plus(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _ends(texts: frozenset[str]) -> tuple[frozenset[str], int]:
    """Without those that end as another one does, and how much was cut off at most."""
    lengths = set(map(len, texts))
    if len(lengths) == 1:
        return texts, 0
    kept = frozenset(
        text for text in texts if not any(text != end and text.endswith(end) for end in texts)
    )
    return kept, max(lengths) - min(map(len, kept))


def _least(texts: frozenset[str]) -> tuple[str, ...]:
    """Without those that hold another one; where they begin in it is up to the reach."""
    if len(set(map(len, texts))) == 1:
        return tuple(sorted(texts))
    return tuple(sorted(text for text in texts if not any(o != text and o in text for o in texts)))


def _steps(node: Node, level: Level, left: list[int]) -> list[_Step]:
    """The node as steps; ``left`` counts down how many may still be made."""
    left[0] -= 1
    if left[0] < 0:
        return [_Gap(longest(node))]
    match node:
        case Char(chars):
            return [_char(chars, level) or _Gap(longest(node))]
        case Seq(items):
            return [step for item in items for step in _steps(item, level, left)]
        case Group(_, body):
            return _steps(body, level, left)
        case Alt(options):
            return [_alternatives(options, level, left)]
        case Repeat(body, low, high):
            return _repeated(body, low, high, level, left)
        case _:
            return [] if longest(node) == 0 else [_Gap(longest(node))]


@lru_cache(maxsize=_MANY_CHARS)
def _char(chars: CharSet, level: Level) -> frozenset[str] | None:
    # Halves of pairs are left out, so that needles can be looked for in any spelling of a text.
    if not chars.ranges or chars.ranges[-1][1] > 0xFFFF or (chars & _HALVES).ranges:
        return None
    if level == TEXT:
        single = chars.single
        return None if single is None else frozenset({chr(single)})
    if level == DIGITS_AND_SIGNS and not (chars & _SHOWN_AS_DIGITS).ranges:
        # Such a view tells no more of letters than the others do.
        return None if chars.single is None else frozenset({chr(chars.single)})
    latin = chars & _LATIN
    others = "" if len(latin) == len(chars) else "\u0100"
    seen = frozenset(folded("".join(map(chr, latin)) + others, level))
    return seen if len(seen) <= _MAX_NEEDLES else None


def _strings(steps: list[_Step]) -> frozenset[str] | None:
    """What a sequence of strings alone matches, if that is little."""
    texts = frozenset({""})
    for step in steps:
        if isinstance(step, _Gap):
            return None
        texts = frozenset(head + tail for head in texts for tail in step)
        if len(texts) > _MAX_NEEDLES:
            return None
    return texts


def _alternatives(options: tuple[Node, ...], level: Level, left: list[int]) -> _Step:
    parts: list[list[_Step]] = []
    union = frozenset[str]()
    for option in options:
        parts.append(_steps(option, level, left))
        strings = _strings(parts[-1])
        union |= strings or frozenset()
        if strings is None or len(union) > _MAX_NEEDLES:
            break
    else:
        return union
    highs = [longest(option) for option in options]
    high = None if None in highs else max(one or 0 for one in highs)
    rest = (_steps(option, level, left) for option in options[len(parts) :])
    return _Gap(high, _common(chain(parts, rest), level))


def _common(parts: Iterable[list[_Step]], level: Level) -> Factor | None:
    """Needles one of which every option holds: the best of each option together."""
    factors: list[Factor] = []
    needles = frozenset[str]()
    for part in parts:
        best = _best(part, level)
        if best is None:
            return None
        needles |= frozenset(best.needles)
        if len(needles) > _MAX_NEEDLES:
            return None
        factors.append(best)
    reaches = [factor.reach for factor in factors]
    reach = None if None in reaches else max(one or 0 for one in reaches)
    extra = max(map(len, needles)) - min(map(len, needles))
    return Factor(_least(needles), _plus(reach, extra), level)


def _repeated(body: Node, low: int, high: int | None, level: Level, left: list[int]) -> list[_Step]:
    most = longest(body)
    if low == 0:
        whole = 0 if most == 0 else None if most is None or high is None else most * high
        if high is not None and high <= 2:
            once = _strings(_steps(body, level, left))
            if once is not None:
                texts = [frozenset({""}), once, frozenset(a + b for a in once for b in once)]
                union = frozenset[str]().union(*texts[: high + 1])
                if len(union) <= _MAX_NEEDLES:
                    return [union]
        return [_Gap(whole)]
    once_steps = _steps(body, level, left)
    copies = max(1, min(low, _MAX_COPIES, _MAX_STEPS // max(1, len(once_steps))))
    steps = once_steps * copies
    if high != copies:
        rest = 0 if most == 0 else None if most is None or high is None else most * (high - copies)
        steps.append(_Gap(rest))
    return steps
