"""How far a rule's matches reach in the text of the run, and what the Rules pane says of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from PySide6.QtWidgets import QApplication

from tests.support.example_runs import example_events
from tests.support.window import live, until
from tripscope_gui import rule_reach
from tripscope_gui.main_window import MainWindow
from tripscope_gui.rule_reach import RuleReach
from tripscope_gui.theme import Theme

EMAIL = r"[\w.+-]+@[\w-]+(\.[\w-]+)+"
FILTER = "contact-filter"


def with_reach(
    qapp: QApplication, theme: Theme, test: Callable[[RuleReach], Awaitable[None]]
) -> None:
    run = example_events("half-an-address")

    async def drive(window: MainWindow) -> None:
        window.context.runs.load(run)
        await test(RuleReach(window.context, window))

    live(qapp, theme, drive)


async def asked(reach: RuleReach, pattern: str, processor: str = FILTER) -> int | None:
    """The answer that comes once it is worked out."""
    told: list[None] = []
    reach.changed.connect(lambda: told.append(None))
    assert reach.longest(processor, pattern, "g") is None
    await until(lambda: told)
    return reach.longest(processor, pattern, "g")


def test_it_is_the_longest_match_in_what_the_processor_was_given(
    qapp: QApplication, theme: Theme
) -> None:
    async def test(reach: RuleReach) -> None:
        assert await asked(reach, EMAIL) == 32
        assert await asked(reach, "[a-z]+") == len("shaughnessy")
        assert await asked(reach, "nowhere") is None
        assert await asked(reach, EMAIL, "another-processor") is None

    with_reach(qapp, theme, test)


def test_a_slow_rule_or_a_long_text_has_no_answer(
    qapp: QApplication, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(reach: RuleReach) -> None:
        monkeypatch.setattr(rule_reach, "_SECONDS", 0.0)
        assert await asked(reach, "([a-z ]|[a-z])+[0-9]{40}") is None
        monkeypatch.undo()
        monkeypatch.setattr(rule_reach, "_MOST_UNITS", 100)
        assert await asked(reach, EMAIL) is None

    with_reach(qapp, theme, test)


def test_nothing_is_kept_of_another_run(qapp: QApplication, theme: Theme) -> None:
    other = example_events("support-agent")

    async def test(reach: RuleReach) -> None:
        assert await asked(reach, EMAIL) == 32
        reach._context.runs.load(other)
        assert reach.longest(FILTER, EMAIL, "g") is None

    with_reach(qapp, theme, test)
