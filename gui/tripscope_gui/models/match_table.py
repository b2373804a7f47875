"""Columns of the matches that the rules find in a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, overload

from msgspec import Struct

from tripscope import patterns
from tripscope_gui.delegates.rows import CellRole
from tripscope_gui.delegates.texts import one_line
from tripscope_gui.models.base import Column
from tripscope_gui.store.rule_preview import Preview, PreviewMatch, groups_of

WIDTHS: Final = (30, 108, 74, 180, 96, 96)
TEXT: Final = 3


class MatchLine(Struct, frozen=True):
    """A match, its number counted from 1, and whether it is of an older form of its rule."""

    number: int
    preview: Preview
    match: PreviewMatch
    dimmed: bool

    @property
    def found(self) -> patterns.Match | None:
        """The match with its groups."""
        return groups_of(self.preview.text, self.match)


class MatchLines(Sequence[MatchLine]):
    """All matches, each line made when it is looked at; those of the rule ``dimmed`` are paler."""

    def __init__(self, preview: Preview, dimmed: str | None) -> None:
        self._preview = preview
        self._dimmed = dimmed

    def __len__(self) -> int:
        return len(self._preview.matches)

    @overload
    def __getitem__(self, place: int) -> MatchLine: ...
    @overload
    def __getitem__(self, place: slice) -> list[MatchLine]: ...
    def __getitem__(self, place: int | slice) -> MatchLine | list[MatchLine]:
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        match = self._preview.matches[place]
        return MatchLine(place + 1, self._preview, match, match.rule.name == self._dimmed)


def match_columns(
    number: Callable[[str], int],
    span: Callable[[str, int, int], str],
    unit: str,
    value: Callable[[MatchLine], str],
) -> tuple[Column[MatchLine], ...]:
    """``span`` spells offsets in the unit on screen."""

    def tone(line: MatchLine) -> str:
        return "t3" if line.dimmed else "t1"

    return (
        Column("#", lambda line: str(line.number), roles={CellRole.TONE: lambda line: "t3"}),
        Column(
            "rule",
            lambda line: one_line(line.match.rule.name),
            roles={CellRole.RULE: lambda line: number(line.match.rule.name), CellRole.TONE: tone},
        ),
        Column(
            unit,
            lambda line: span(line.preview.text, line.match.start, line.match.end),
            roles={CellRole.TONE: tone},
        ),
        Column("text", value, mono=True, roles={CellRole.TONE: tone}),
        Column("group 1", lambda line: _group(line, 0), roles={CellRole.TONE: _group_tone}),
        Column("group 2", lambda line: _group(line, 1), roles={CellRole.TONE: _group_tone}),
    )


def verdict(match: PreviewMatch) -> str:
    """What becomes of a match that overlaps another one; empty where none does."""
    if match.covered_by is not None:
        return f"covered by {match.covered_by + 1}"
    return "wins, longest" if match.wins else ""


def _group(line: MatchLine, place: int) -> str:
    found = line.found
    if found is None or not found.groups:
        return (verdict(line.match) or "no groups") if place == 0 else ""
    if place >= len(found.groups):
        return verdict(line.match) if place == 1 else ""
    text = found.groups[place]
    shown = one_line(text[:200]) if text is not None else "\N{EN DASH}"
    names = dict(group_names(line.match))
    name = names.get(place + 1)
    return f"{name} {shown}" if name else shown


def group_names(match: PreviewMatch) -> list[tuple[int, str]]:
    """(number, name) of the named groups of a rule."""
    return [(number, name) for name, number in match.rule.compiled.tree.names]


def _group_tone(line: MatchLine) -> str:
    found = line.found
    return "t3" if line.dimmed or found is None or not found.groups else "t1"
