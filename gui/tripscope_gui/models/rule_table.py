"""The rules table: rules of one processor, or of all of them under a row for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct
from PySide6.QtCore import QObject, Qt

from tripscope.session.filters import window_of
from tripscope.session.model import ProcessorSpec
from tripscope_gui.bars.formats import NONE, duration
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.delegates.texts import one_line
from tripscope_gui.fonts import SEMIBOLD
from tripscope_gui.icons import Icon
from tripscope_gui.models.base import Column
from tripscope_gui.models.reorder import ReorderModel
from tripscope_gui.store.rule_edits import RuleRow

HANDLE: Final = 0
ENABLED: Final = 1
NAME: Final = 2
_SHORT: Final = 50_000
"""Nanoseconds under which a tenth of a millisecond would read as none."""


class GroupRow(Struct, frozen=True):
    """The row over the rules of a processor; ``open`` while they are shown."""

    spec: ProcessorSpec
    open: bool = True

    @property
    def processor(self) -> str:
        """Id of the processor."""
        return self.spec.id

    @property
    def words(self) -> str:
        """``secrets · regex-filter, redact, window 128``."""
        strategy = self.spec.options.get("strategy")
        parts = [str(strategy or "block")] if self.spec.type == "regex-filter" else []
        if strategy == "redact":
            parts.append(f"window {window_of(self.spec)}")
        if self.spec.id != self.spec.type:
            parts.insert(0, self.spec.type)
        off = "" if self.spec.enabled else ", switched off"
        return f"{self.spec.id}  \u00b7  {', '.join(parts)}{off}"


TableRow: TypeAlias = RuleRow | GroupRow


class RuleTable(ReorderModel[TableRow]):
    """Rows that are a processor's own can be dragged."""

    MIME = "application/x-tripscope-rule"

    def can_be_dragged(self, row: TableRow) -> bool:
        """Whether a row may get another place."""
        return isinstance(row, RuleRow) and row.place >= 0

    def exchange(self, rows: Sequence[TableRow]) -> bool:
        """Show another list of the same shape; False for one of another shape.

        Views keep their place and paint what is in view.
        """
        before = self._source
        if len(rows) != self._count or len(before) != self._count:
            return False
        if any(type(old) is not type(new) for old, new in zip(before, rows, strict=True)):
            return False
        self._source = rows
        self.touch(0, self._count - 1)
        return True


class RuleLooks(Struct, frozen=True):
    """What the columns ask for: the look's number, counts, time in ns (None: never searched)."""

    number: Callable[[str], int]
    hits: Callable[[RuleRow], int]
    spent: Callable[[RuleRow], int | None]
    time_outs: Callable[[RuleRow], int]
    mark: Callable[[RuleRow], tuple[str, str, str] | None]
    """(icon, tone, words)."""


def make_model(parent: QObject) -> RuleTable:
    """An empty table."""
    return RuleTable((), (), parent)


def dock_columns(looks: RuleLooks) -> tuple[tuple[Column[TableRow], ...], tuple[int, ...], int]:
    """Columns, widths, and the one that takes the rest, for a dock: the pattern is in view."""
    columns = (
        *_first(looks),
        _rule_column(
            "pattern",
            lambda row: one_line(f"/{row.rule.pattern}/{row.rule.flags}"),
            mono=True,
            roles={CellRole.TONE: _tone},
        ),
        *_counts(looks),
    )
    return columns, (18, 26, 114, 140, 40, 67, 64, 44, 26), 3


def lab_columns(looks: RuleLooks) -> tuple[tuple[Column[TableRow], ...], tuple[int, ...], int]:
    """As `dock_columns`, for the rule lab: flags instead of the pattern.

    A rule is searched once there, so a time-out stands where its time would.
    """
    hits, _, _, tests, mark = _counts(looks)
    time = _rule_column(
        "time",
        lambda row: "time-out" if looks.time_outs(row) else _time(looks.spent(row)),
        number=True,
        roles={CellRole.TONE: lambda row: "timed-out" if looks.time_outs(row) else _tone(row)},
    )
    flags = _rule_column(
        "flags", lambda row: row.rule.flags, mono=True, roles={CellRole.TONE: _tone}
    )
    columns = (*_first(looks), flags, hits, time, tests, mark)
    return columns, (20, 26, 150, 42, 40, 62, 44, 28), NAME


def _first(looks: RuleLooks) -> tuple[Column[TableRow], ...]:
    return (
        _rule_column(
            "",
            lambda row: "",
            roles={
                CellRole.ICON: lambda row: Icon.DRAG if row.place >= 0 else Icon.LOCK,
                CellRole.TONE: lambda row: "t3",
            },
            tooltip=_handle_words,
        ),
        _rule_column("", lambda row: "", roles={int(Qt.ItemDataRole.CheckStateRole): _checked}),
        _rule_column(
            "rule",
            lambda row: one_line(row.rule.name),
            tooltip=_origin,
            roles={
                CellRole.RULE: lambda row: looks.number(row.rule.name),
                CellRole.TONE: _tone,
            },
        ),
    )


def _counts(looks: RuleLooks) -> tuple[Column[TableRow], ...]:
    def late(row: RuleRow) -> str:
        return "timed-out" if looks.time_outs(row) else "t3"

    return (
        _rule_column(
            "hits",
            lambda row: f"{looks.hits(row):,}" if row.rule.enabled else "off",
            number=True,
            roles={CellRole.TONE: _tone},
        ),
        _rule_column(
            "time",
            lambda row: _time(looks.spent(row)),
            number=True,
            tooltip=lambda row: "no text had to be searched" if looks.spent(row) is None else "",
            roles={CellRole.TONE: _tone},
        ),
        _rule_column(
            "time-outs",
            lambda row: f"{looks.time_outs(row) or NONE}",
            number=True,
            roles={CellRole.TONE: late},
        ),
        _rule_column("tests", _tests, number=True, roles={CellRole.TONE: _tests_tone}),
        _rule_column(
            "",
            lambda row: "",
            roles={
                CellRole.ICON: lambda row: (looks.mark(row) or (None,))[0],
                CellRole.TONE: lambda row: (looks.mark(row) or ("", "t1", ""))[1],
            },
            tooltip=lambda row: (looks.mark(row) or ("", "", ""))[2],
        ),
    )


def _rule_column(
    title: str,
    text: Callable[[RuleRow], str],
    *,
    number: bool = False,
    mono: bool = False,
    tooltip: Callable[[RuleRow], str] | None = None,
    roles: dict[int, Callable[[RuleRow], Any]] | None = None,
) -> Column[TableRow]:
    """A column that shows the group's words in its first cell, which spans all."""

    def of_rule(reader: Callable[[RuleRow], Any], other: Any = None) -> Callable[[TableRow], Any]:
        return lambda row: reader(row) if isinstance(row, RuleRow) else other

    readers: dict[int, Callable[[TableRow], Any]] = {
        role: of_rule(reader) for role, reader in (roles or {}).items()
    }
    icon = readers.get(CellRole.ICON)
    readers[CellRole.ICON] = lambda row: (
        (Icon.CHEVRON_DOWN if row.open else Icon.CHEVRON_RIGHT)
        if isinstance(row, GroupRow)
        else icon(row)
        if icon is not None
        else None
    )
    tone = readers.get(CellRole.TONE)
    readers[CellRole.TONE] = lambda row: (
        "t1" if isinstance(row, GroupRow) or tone is None else tone(row)
    )
    readers[CellRole.GROUND] = lambda row: "head" if isinstance(row, GroupRow) else None
    readers[CellRole.WEIGHT] = lambda row: SEMIBOLD if isinstance(row, GroupRow) else None
    readers[CellRole.MONO] = lambda row: mono and isinstance(row, RuleRow)
    return Column(
        title,
        lambda row: row.words if isinstance(row, GroupRow) else text(row),
        number=number,
        mono=mono,
        tooltip=(lambda row: tooltip(row) if isinstance(row, RuleRow) else "")
        if tooltip is not None
        else None,
        roles=readers,
    )


def _handle_words(row: RuleRow) -> str:
    return "Drag it to another place" if row.place >= 0 else _origin(row)


def _checked(row: RuleRow) -> Qt.CheckState:
    return Qt.CheckState.Checked if row.rule.enabled else Qt.CheckState.Unchecked


def _origin(row: RuleRow) -> str:
    return f"from preset {row.preset}, read only; copy it to edit it" if row.preset else ""


def _tone(row: RuleRow) -> str:
    return "t3" if not row.rule.enabled else "t2" if row.preset else "t1"


def _time(spent: int | None) -> str:
    if spent is None:
        return NONE
    return duration(spent) if spent >= _SHORT else "<0.1 ms"


def _tests(row: RuleRow) -> str:
    passed, number = row.tests
    return f"{passed}/{number}" if number else NONE


def _tests_tone(row: RuleRow) -> str:
    passed, number = row.tests
    return "t3" if not number else "pass" if passed == number else "blocked"
