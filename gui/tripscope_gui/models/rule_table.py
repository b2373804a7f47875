"""Columns of the rules table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt

from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.models.base import Column
from tripscope_gui.store.rule_edits import RuleRow

ENABLED: Final = 0
WIDTHS: Final = (30, 128, 200, 46, 58)
PATTERN: Final = 2
"""The column that takes what is left of the width."""


def rule_columns(number: Callable[[str], int]) -> tuple[Column[RuleRow], ...]:
    """``number``: which of the eight looks a rule has."""
    return (
        Column("", lambda row: "", roles={Qt.ItemDataRole.CheckStateRole: _checked}),
        Column(
            "rule",
            lambda row: row.rule.name,
            tooltip=_origin,
            roles={CellRole.RULE: lambda row: number(row.rule.name), CellRole.TONE: _tone},
        ),
        Column(
            "pattern",
            lambda row: f"/{row.rule.pattern}/{row.rule.flags}",
            mono=True,
            roles={CellRole.TONE: _tone},
        ),
        Column("hits", _hits, number=True, roles={CellRole.TONE: _tone}),
        Column("tests", _tests, number=True, roles={CellRole.TONE: _tests_tone}),
    )


def _checked(row: RuleRow) -> Qt.CheckState:
    return Qt.CheckState.Checked if row.rule.enabled else Qt.CheckState.Unchecked


def _origin(row: RuleRow) -> str:
    return f"from preset {row.preset}, read only; copy it to edit it" if row.preset else ""


def _tone(row: RuleRow) -> str:
    return "t3" if not row.rule.enabled else "t2" if row.preset else "t1"


def _hits(row: RuleRow) -> str:
    return str(row.hits) if row.rule.enabled else "off"


def _tests(row: RuleRow) -> str:
    passed, number = row.tests
    return f"{passed}/{number}" if number else "\N{EN DASH}"


def _tests_tone(row: RuleRow) -> str:
    passed, number = row.tests
    return "t3" if not number else "pass" if passed == number else "blocked"
