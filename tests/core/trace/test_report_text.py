"""Reports as text: columns stay columns whatever stands in them, numbers are worded right."""

from __future__ import annotations

from unicodedata import east_asian_width

from tripscope.cli.report import Report
from tripscope.trace.events import AnyEvent, FindingMade, HeldDropped, HookCalled
from tripscope.trace.report_text import laid_out, report_text
from tripscope.trace.run_report import make_report

LONG = "a-rule-whose-name-is-longer-than-any-column-was-made-for"


def found(rule: str, start: int, end: int, became: str) -> FindingMade:
    return FindingMade(
        0, 0, 0, 0, "processOutputStream", "p", rule, start, end, "changed", replacement=became
    )


def column(line: str, text: str) -> int:
    """The column of the terminal in which a text begins."""
    before = line[: line.index(text)]
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in before)


def test_the_columns_of_findings_and_rules_stay_under_one_another() -> None:
    events: list[AnyEvent] = [
        found("r", 0, 1, "[R]"),
        found(LONG, 100_000, 200_000, "[A LONG REPLACEMENT, TOO]"),
        found("\u96fb\u8a71", 5, 9, "[\u96fb\u8a71]"),
    ]
    lines = report_text(make_report(events)).split("\n")
    findings = [line for line in lines if "processOutputStream" in line]
    assert len(findings) == 3
    for text in ("changed", "  p  ", "processOutputStream"):
        assert len({column(line, text) for line in findings}) == 1
    rules = [line for line in lines if " 1 hit " in line]
    assert len(rules) == 3
    for text in ("1 hit", "in 0 searches", "  p"):
        assert len({column(line, text) for line in rules}) == 1


def test_the_columns_of_the_lifecycle_stay_under_one_another() -> None:
    def called(hook: str, processor: str) -> HookCalled:
        return HookCalled(0, 0, 0, 0, hook, processor, 0, "pass")

    lines = list(Report([called("processInput", "p"), called("processOutputStep", LONG)]).lines())
    assert column(lines[0], "pass") == column(lines[1], "pass")


def test_one_unit_is_no_units() -> None:
    dropped = HeldDropped(1, 0, 0, 0, "processOutputStream", "p", 1, "a tripwire")
    assert any("1 held unit dropped: a tripwire" in line for line in Report([dropped]).lines())


def test_a_column_that_is_empty_everywhere_takes_no_place() -> None:
    assert list(laid_out(["head", ("a", "", "b"), ("aa", "", "b")])) == [
        "head",
        "  a   b",
        "  aa  b",
    ]
    assert list(laid_out([("a", "x"), ("b", "")])) == ["  a  x", "  b"]
    assert list(laid_out([])) == []
