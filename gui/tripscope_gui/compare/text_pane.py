"""Text that left: what the client got in either run, attempt by attempt, differences marked."""

from __future__ import annotations

from typing import ClassVar

from tripscope.patterns.units import utf16_len
from tripscope_gui.compare.comparison import Compared
from tripscope_gui.compare.sections_pane import SectionsPane
from tripscope_gui.store.text_changes import By, Section, sections
from tripscope_gui.store.workspace import Run


class TextThatLeftPane(SectionsPane):
    """A section for each text block of an attempt."""

    TITLE: ClassVar[str] = "Text that left"
    ORDER: ClassVar[int] = 10
    NOTHING: ClassVar[str] = "Nothing left in either run"

    def make_sections(self, runs: tuple[Run, Run], found: Compared, by: By) -> list[Section]:
        return sections(
            (runs[0].store, runs[1].store),
            found.diff.blocks,
            by=by,
            different_only=self.comparison.different_only,
        )

    def about(self, run: Run, found: Compared, side: int) -> str:
        units = sum(
            utf16_len(block.delivered.text)
            for block in found.diff.blocks[side].values()
            if block.kind == "text"
        )
        return f"client, {units:,} UTF-16 units"
