"""Columns of the table of a rule's tests."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from tripscope.session.model import RuleTest
from tripscope.session.rule_tests import RuleTestResult
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.delegates.texts import one_line
from tripscope_gui.fonts import REGULAR, SEMIBOLD
from tripscope_gui.icons import Icon
from tripscope_gui.models.base import Column
from tripscope_gui.store.rule_test_words import expected_words, failure_words, got_words

WIDTHS: Final = (30, 200, 116, 104)
TEXT: Final = 1


class TestLine(Struct, frozen=True):
    """A test, its place among the rule's tests, and its outcome."""

    place: int
    test: RuleTest
    result: RuleTestResult


def line_columns() -> tuple[Column[TestLine], ...]:
    """Outcome, text, what should be, what was found."""
    return (
        Column(
            "",
            lambda row: "",
            tooltip=lambda row: "passes" if row.result.passed else _why(row),
            roles={
                CellRole.ICON: lambda row: Icon.CHECK if row.result.passed else Icon.CROSS,
                CellRole.TONE: lambda row: "pass" if row.result.passed else "blocked",
            },
        ),
        Column("text", lambda row: one_line(row.test.text[:400]), mono=True),
        Column("should, UTF-16", _should, tooltip=_becomes),
        Column(
            "got, UTF-16",
            lambda row: got_words(row.result),
            roles={
                CellRole.TONE: lambda row: "t1" if row.result.passed else "blocked",
                CellRole.WEIGHT: lambda row: REGULAR if row.result.passed else SEMIBOLD,
            },
        ),
    )


def _should(row: TestLine) -> str:
    return expected_words(row.test)


def _becomes(row: TestLine) -> str:
    wanted = row.test.replacement
    return f"the text becomes {one_line(wanted[:400])}" if wanted is not None else ""


def _why(row: TestLine) -> str:
    return ", ".join(failure_words(row.test, row.result))
