"""The run that is looked at, handed on: as an HTML report, as text, as JSON, as test cases.

Matched text is masked, but in test cases and where raw text is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from tripscope.errors import TripscopeError
from tripscope.wording import many
from tripscope_gui import dialogs
from tripscope_gui.actions import Command
from tripscope_gui.context import PaneContext
from tripscope_gui.delegates.texts import shown
from tripscope_gui.documents import folder_of
from tripscope_gui.store.workspace import Run
from tripscope_gui.threads import in_thread

if TYPE_CHECKING:
    from tripscope.wire import JSON
    from tripscope_gui.run_store import RunStore

FILTER_REPORT = "Reports (*.html)"
REPORT_SUFFIX: Final = ".html"
_LONG: Final = 2_000
"""Events from which a report may take longer than a person waits without a word."""
Form: TypeAlias = Literal["text", "json"]


class RunExport:
    """Commands that export or copy the current run."""

    def __init__(self, context: PaneContext, window: QWidget) -> None:
        self._context, self._window = context, window
        for command in self._commands():
            context.actions.add(command)

    async def save_report(self, *, raw: bool = False) -> None:
        """Ask for a file and write the report to it."""
        run = self._context.run
        if run is None:
            return
        start = folder_of(self._context) / f"run-{run.number}{REPORT_SUFFIX}"
        words = "Save report, matched text included" if raw else "Save report"
        path = await dialogs.save_path(self._window, words, start, FILTER_REPORT, REPORT_SUFFIX)
        if path is not None:
            await self.write_report(run, path, raw=raw)

    async def write_report(self, run: Run, path: Path, *, raw: bool = False) -> None:
        """Write the report of a run; what goes wrong is told."""
        from tripscope.trace.report_html import save_report

        title = self._title(run)
        self._say_if_long(run, f"Saving {path.name}, {len(run.store.events):,} events")
        try:
            await in_thread(save_report, path, run.store.events, title=title, raw=raw)
        except TripscopeError as error:
            await dialogs.tell(self._window, "The report was not saved.", str(error))
            return
        holds = "it holds the matched text" if raw else "matched text is masked"
        self._context.say(f"{path.name} saved; {holds}")

    async def copy(self, form: Form) -> None:
        """Put the report into the clipboard, matched text masked."""
        from tripscope.trace.report_text import report_text
        from tripscope.trace.run_report import make_report

        run = self._context.run
        if run is None:
            return
        title = self._title(run)
        self._say_if_long(run, f"Copying {run.title}, {len(run.store.events):,} events")
        report = await in_thread(make_report, run.store.events, title=title)
        text = report.to_json() if form == "json" else report_text(report)
        QGuiApplication.clipboard().setText(shown(text))
        words = "JSON" if form == "json" else "text"
        self._context.say(f"{run.title} copied as {words}, matched text masked")

    def _say_if_long(self, run: Run, words: str) -> None:
        """A report of so much is not there at once."""
        if len(run.store.events) >= _LONG:
            self._context.say(words)

    def copy_tests(self) -> None:
        """Put a test case for each finding into the clipboard; they hold the matched text."""
        store = self._context.store
        if store is None:
            return
        cases = rule_tests(store)
        QGuiApplication.clipboard().setText(json.dumps(cases, indent=2))
        words = many(len(cases), "test case")
        self._context.say(f"{words} copied; matched text included")

    def _title(self, run: Run) -> str:
        session = self._context.session.session
        name = session.name if session is not None else ""
        return ", ".join(part for part in (name, run.title, run.kind) if part)

    def _commands(self) -> list[Command]:
        context = self._context

        def ended() -> bool:
            return context.store is not None and context.store.over

        def task(make: Callable[[], Coroutine[Any, Any, None]], name: str) -> Callable[[], object]:
            return context.tasks.slot(make, name)

        def found() -> bool:
            return context.store is not None and bool(context.store.findings)

        return [
            Command(
                "file.report",
                "Save report of this run\u2026",
                "File",
                task(self.save_report, "save report"),
                ("Ctrl+E",),
                enabled=ended,
                group=1,
                hint="One HTML file, matched text masked",
            ),
            Command(
                "file.report_raw",
                "Save report with matched text\u2026",
                "File",
                task(partial(self.save_report, raw=True), "save report"),
                enabled=ended,
                group=1,
                hidden=True,
            ),
            Command(
                "edit.copy_run_text",
                "Copy this run as text",
                "Edit",
                task(partial(self.copy, "text"), "copy run"),
                enabled=ended,
                group=1,
            ),
            Command(
                "edit.copy_run_json",
                "Copy this run as JSON",
                "Edit",
                task(partial(self.copy, "json"), "copy run"),
                enabled=ended,
                group=1,
            ),
            Command(
                "edit.copy_run_tests",
                "Copy the findings as test cases",
                "Edit",
                self.copy_tests,
                enabled=found,
                group=1,
                hint="Rule tests as in session files; they hold the matched text",
            ),
        ]


def rule_tests(store: RunStore) -> list[JSON]:
    """A rule test for each finding whose text is on record, as in session files."""
    from tripscope_gui.store.given_text import GivenTexts

    texts = GivenTexts(store)
    cases: list[JSON] = []
    for finding in store.findings:
        text = texts.of(finding)
        if text is not None:
            test = {"text": text, "match": True, "span": [finding.start, finding.end]}
            cases.append({"rule": finding.rule, "test": test})
    return cases
