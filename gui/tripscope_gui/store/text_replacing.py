"""How one text became another by the replacements that findings tell of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tripscope.patterns.units import from_utf16_offset, utf16_len
from tripscope.processor import Interval
from tripscope.trace.events import FindingMade


def replaced_text(before: str, findings: Sequence[FindingMade]) -> str:
    """The text with each finding's replacement in place of its span."""
    pieces: list[str] = []
    at = 0
    for finding in _used(findings):
        pieces += [_units(before, at, finding.start), finding.replacement or ""]
        at = finding.end
    pieces.append(_units(before, at, utf16_len(before)))
    return "".join(pieces)


def intervals_between(before: str, after: str, findings: Sequence[FindingMade]) -> list[Interval]:
    """How ``before`` became ``after``: by the replacements of the findings, if these explain it."""
    told = _replaced(before, after, findings)
    if told is not None:
        return told
    start = _shared(before, after)
    tail = _shared(before[start:][::-1], after[start:][::-1])
    length, out_length = utf16_len(before), utf16_len(after)
    head, end = utf16_len(before[:start]), utf16_len(before[len(before) - tail :]) if tail else 0
    found: list[Interval] = []
    if head:
        found.append((0, head, 0, head, None))
    if length - end > head or out_length - end > head:
        found.append((head, length - end, head, out_length - end, ""))
    if end:
        found.append((length - end, length, out_length - end, out_length, None))
    return found


def _replaced(before: str, after: str, findings: Sequence[FindingMade]) -> list[Interval] | None:
    if replaced_text(before, findings) != after:
        return None
    found: list[Interval] = []
    at = out = 0
    for finding in _used(findings):
        passed = finding.start - at
        if passed:
            found.append((at, finding.start, out, out + passed, None))
        out += passed
        width = utf16_len(finding.replacement or "")
        found.append((finding.start, finding.end, out, out + width, finding.rule))
        out += width
        at = finding.end
    length = utf16_len(before)
    if length > at:
        found.append((at, length, out, out + length - at, None))
    return found


def _used(findings: Sequence[FindingMade]) -> Iterator[FindingMade]:
    """Those that replaced something, by start; one that another one covers did not."""
    end = 0
    won = (f for f in findings if f.replacement is not None and f.winner is None)
    for finding in sorted(won, key=lambda f: f.start):
        if finding.start >= end:
            end = finding.end
            yield finding


def _units(text: str, start: int, end: int) -> str:
    return text[from_utf16_offset(text, start) : from_utf16_offset(text, end)]


def _shared(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
