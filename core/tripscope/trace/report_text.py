"""A run's report as text: what the terminal prints, and what is copied for a mail or an issue."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final, TypeAlias
from unicodedata import combining, east_asian_width

from tripscope.trace.run_report import RunReport, became_of
from tripscope.wording import many

Row: TypeAlias = tuple[str, ...]

_MARKS: Final = {"pass": "ok", "fail": "FAIL", "not made": "-", "unscanned": "note"}


def report_text(report: RunReport) -> str:
    """All of it but prompts and chain."""
    return "\n".join(_lines(report))


def _lines(report: RunReport) -> Iterator[str]:
    yield report.title
    for name, value in report.facts:
        yield f"  {name}: {value}"
    yield from check_section(report)
    yield from _section("attempts")
    for a in report.attempts:
        by = f" by {a.by}: {a.reason}" if a.by else ""
        yield f"  step {a.step}, attempt {a.attempt}: {a.outcome}{by}"
    yield from finding_section(report)
    yield from rule_section(report)
    yield from advisory_section(report)
    for text in report.texts:
        for who, said in (("model", text.given), ("client", text.delivered)):
            yield from _section(f"{text.title}: {who}")
            yield from (f"  {line}" for line in said.splitlines())
    if report.masked:
        yield from _section("Matched text is masked.")


def check_section(report: RunReport) -> Iterator[str]:
    """The stream checks, each with where it fails first."""
    yield from _section("checks (UTF-16 units)")
    rows = []
    for line in report.checks:
        first = f" (first at {line.where})" if line.where else ""
        check = line.check
        rows.append((_MARKS[check.verdict], f"{check.name}: {check.detail}{first}"))
    yield from laid_out(rows)


def finding_section(report: RunReport) -> Iterator[str]:
    """Every finding, the matches that left undecided included."""
    findings = report.findings
    left = sum(finding.outcome is None for finding in findings)
    undecided = f", {left} of them left undecided" if left else ""
    units = "; spans in UTF-16 units" if findings else ""
    yield from _section(f"findings: {len(findings)}{undecided}{units}")
    rows = [
        (
            finding.rule,
            f"{finding.start}-{finding.end}",
            finding.words,
            became_of(finding),
            finding.processor,
            ", ".join(word for word in (finding.hook, finding.where) if word),
        )
        for finding in findings
    ]
    yield from laid_out(rows, right={1})


def rule_section(report: RunReport) -> Iterator[str]:
    """What each rule found and cost; nothing where no rule was searched for."""
    if not report.rules:
        return
    yield from _section("rules (searches are of text that a prefilter let through)")
    rows = [
        (
            cost.rule,
            many(cost.hits, "hit"),
            f"{cost.nanoseconds / 1e6:.1f} ms",
            f"in {many(cost.searches, 'search', 'searches')}",
            many(cost.time_outs, "time-out") if cost.time_outs else "",
            cost.processor,
        )
        for cost in report.rules
    ]
    yield from laid_out(rows, right={1, 2})


def advisory_section(report: RunReport) -> Iterator[str]:
    """Where the deployed runtime goes another way, each sentence once; nothing if nowhere."""
    if not report.advisories:
        return
    yield from _section("advisories: where the deployed runtime goes another way")
    yield from laid_out((line.row, line.words) for line in report.advisories)


def _section(head: str) -> Iterator[str]:
    yield ""
    yield head


def laid_out(lines: Iterable[str | Row], *, right: Collection[int] = ()) -> Iterator[str]:
    """Text as it stands, and rows with their columns under one another, whatever their length.

    Args:
        lines: the last cell of a row may be as long as it likes.
        right: places of the columns that end under one another.
    """
    lines = list(lines)
    widths: dict[int, int] = {}
    for line in lines:
        if not isinstance(line, str):
            for place, cell in enumerate(line[:-1]):
                widths[place] = max(widths.get(place, 0), _width(cell))
    for line in lines:
        if isinstance(line, str):
            yield line
            continue
        cells = []
        for place, cell in enumerate(line):
            pad = " " * (widths.get(place, 0) - _width(cell))
            cells.append(pad + cell if place in right else cell + pad)
        # a column that is empty in all rows takes no place
        kept = [cell for place, cell in enumerate(cells) if widths.get(place) != 0]
        yield f"  {'  '.join(kept)}".rstrip()


def _width(text: str) -> int:
    """Columns that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
