"""The report of a run as one HTML file that needs nothing else: no script, no font, no network."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from tripscope.trace.events import AnyEvent
from tripscope.trace.run_report import RunReport, became_of, make_report, place_of
from tripscope.whole_file import write_whole

_UNFIT: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_STYLE: Final = """
:root { color-scheme: light dark; --line: #dce0e6; --soft: #5f6875; --head: #f4f5f7;
  --pass: #16753f; --fail: #b3261e; --flag: #7a5900; --changed: #6a3fc9; }
@media (prefers-color-scheme: dark) { :root { --line: #2e343e; --soft: #949dab; --head: #20242b;
  --pass: #58c489; --fail: #ff7a70; --flag: #e8c547; --changed: #b79cff; } }
body { font: 14px/1.5 Inter, system-ui, sans-serif; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; color: var(--soft); }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--line);
  vertical-align: top; } th { background: var(--head); font-weight: 500; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
code, pre { font: 12.5px/1.5 "JetBrains Mono", ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line);
  padding: .6rem; margin: .2rem 0 1rem; }
.note { color: var(--soft); } .pass { color: var(--pass); } .fail { color: var(--fail);
  font-weight: 600; } .unscanned, .flagged { color: var(--flag); } .blocked { color: var(--fail); }
.changed { color: var(--changed); }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
"""
# no style, script, picture or font of anybody else, whatever a text in here says
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def report_html(events: Sequence[AnyEvent], *, title: str = "", raw: bool = False) -> str:
    """The report; matched text is masked unless ``raw`` is asked for."""
    report = make_report(events, title=title, raw=raw)
    return "\n".join(_page(report))


def save_report(
    path: str | os.PathLike[str],
    events: Sequence[AnyEvent],
    *,
    title: str = "",
    raw: bool = False,
) -> None:
    """Write the report for its owner only: whole, or not at all.

    Raises:
        SessionError: the file cannot be written; one that was there is untouched.
    """
    text = report_html(events, title=title, raw=raw)
    write_whole(Path(path), text, what="the report")


def _page(report: RunReport) -> Iterator[str]:
    title = _text(f"{report.title}: run report")
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{_text(report.title)}</h1>"
    note = "Matched text is masked." if report.masked else "This report holds the matched text."
    yield f'<p class="note">{note} Offsets count UTF-16 units.</p>'
    yield _table("", ("", ""), [(name, value) for name, value in report.facts], heads=False)
    yield "<h2>Checks on the stream</h2>"
    yield _table(
        "UTF-16 units",
        ("check", "result", "detail", "fails first at"),
        [
            (c.name, _Marked(c.verdict.replace("fail", "FAIL"), c.verdict), c.detail, line.where)
            for line in report.checks
            for c in (line.check,)
        ],
    )
    yield f"<h2>Findings, {len(report.findings)}</h2>"
    yield _table(
        "spans count in the text that the processor was given",
        ("rule", "processor", "where", "start", "end", "became", "outcome"),
        [
            (
                f.rule,
                f.processor,
                place_of(f),
                f.start,
                f.end,
                became_of(f),
                _Marked(f.words, f.outcome or "fail"),
            )
            for f in report.findings
        ],
    )
    yield "<h2>Rules</h2>"
    yield _table(
        "searches are of text that a prefilter let through",
        ("rule", "processor", "hits", "searches", "time, \N{MICRO SIGN}s", "time-outs"),
        [
            (r.rule, r.processor, r.hits, r.searches, round(r.nanoseconds / 1000), r.time_outs)
            for r in report.rules
        ],
    )
    yield "<h2>Attempts</h2>"
    yield _table(
        "",
        ("step", "attempt", "outcome", "by", "reason"),
        [(a.step, a.attempt, a.outcome, a.by, a.reason) for a in report.attempts],
    )
    yield "<h2>Text</h2>"
    for text in report.texts:
        yield f"<h3>{_text(text.title)}</h3>"
        yield '<div class="sides"><div>what the model gave'
        yield f"<pre>{_text(text.given)}</pre></div><div>what the client got"
        yield f"<pre>{_text(text.delivered)}</pre></div></div>"
    yield from _details("Requests to the model", report.prompts)
    yield from _details("Chain", [("chain", report.chain)])
    if report.advisories:
        yield "<h2>Advisories</h2><ul>"
        yield from (f"<li>{_text(f'{a.row}: {a.words}')}</li>" for a in report.advisories)
        yield "</ul>"
    yield "</body></html>"


class _Marked(str):
    """A cell whose text has a class."""

    __slots__ = ("mark",)

    def __new__(cls, text: str, mark: str) -> _Marked:
        made = super().__new__(cls, text)
        made.mark = mark.replace(" ", "-")
        return made

    mark: str


def _table(
    caption: str, names: Sequence[str], rows: Iterable[Sequence[Any]], *, heads: bool = True
) -> str:
    lines = ["<table>"]
    if caption:
        lines.append(f"<caption>{_text(caption)}</caption>")
    if heads:
        lines.append("<tr>" + "".join(f"<th>{_text(name)}</th>" for name in names) + "</tr>")
    count = 0
    for row in rows:
        count += 1
        lines.append("<tr>" + "".join(map(_cell, row)) + "</tr>")
    if not count:
        lines.append(f'<tr><td colspan="{len(names)}" class="note">none</td></tr>')
    return "\n".join([*lines, "</table>"])


def _cell(value: Any) -> str:
    if isinstance(value, int):
        return f'<td class="n">{value:,}</td>'
    mark = f' class="{escape(value.mark)}"' if isinstance(value, _Marked) else ""
    return f"<td{mark}>{_text(str(value))}</td>"


def _details(title: str, entries: Iterable[tuple[str, Any]]) -> Iterator[str]:
    yield f"<h2>{_text(title)}</h2>"
    for name, value in entries:
        shown = json.dumps(value, indent=2, ensure_ascii=False, default=str)
        yield f"<details><summary>{_text(name)}</summary><pre>{_text(shown)}</pre></details>"


def _text(text: str) -> str:
    """Plain text for HTML; what HTML may not hold becomes a visible stand-in."""
    return escape(_UNFIT.sub(_stand_in, text))


def _stand_in(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"
