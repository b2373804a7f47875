"""Prompt: what was sent to the model in either run, call by call, differences marked."""

from __future__ import annotations

from typing import ClassVar

from tripscope.wording import many
from tripscope_gui.compare.comparison import Compared
from tripscope_gui.compare.sections_pane import SectionsPane
from tripscope_gui.store.prompt_changes import prompt_sections
from tripscope_gui.store.text_changes import By, Section
from tripscope_gui.store.workspace import Run


class PromptPane(SectionsPane):
    """A section for each provider call."""

    TITLE: ClassVar[str] = "Prompt"
    ORDER: ClassVar[int] = 30
    NOTHING: ClassVar[str] = "The model was called in neither run"

    def make_sections(self, runs: tuple[Run, Run], found: Compared, by: By) -> list[Section]:
        return prompt_sections(
            (runs[0].store.requests, runs[1].store.requests),
            by=by,
            different_only=self.comparison.different_only,
        )

    def about(self, run: Run, found: Compared, side: int) -> str:
        return f"prompts as sent, {many(len(run.store.requests), 'request')}"
