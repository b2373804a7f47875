"""What rules cost in the run that is looked at, told in turns while a run is at work."""

import pytest
from pytestqt.qtbot import QtBot

from tests.support.made_events import leak_run
from tests.support.window import make_context
from tripscope.trace.events import FindingMade
from tripscope_gui.context import PaneContext
from tripscope_gui.run_costs import RunCosts
from tripscope_gui.theme import Theme


@pytest.fixture
def context(qtbot: QtBot, theme: Theme) -> PaneContext:
    context = make_context(theme)
    context.look_at(context.workspace.add())
    return context


def hits(costs: RunCosts) -> int:
    return sum(cost.hits for cost in costs._costs.by_rule.values())


def grow(context: PaneContext) -> int:
    """Give the run all its events and tell of them; how many findings there are."""
    events = leak_run()
    assert context.store is not None
    context.store.extend(events)
    context.tell_news()
    findings = sum(isinstance(event, FindingMade) for event in events)
    assert findings
    return findings


def test_without_turns_news_are_counted_at_once(context: PaneContext) -> None:
    costs, told = RunCosts(context), list[int]()
    costs.changed.connect(lambda: told.append(hits(costs)))
    found = grow(context)
    assert told == [found]


def test_while_a_run_is_at_work_costs_wait_for_their_turn(context: PaneContext) -> None:
    costs, told = RunCosts(context), list[int]()
    costs.changed.connect(lambda: told.append(hits(costs)))
    context.turns.begin()
    found = grow(context)
    assert (told, hits(costs)) == ([], 0)
    context.turns.finish()
    assert told == [found]


def test_news_of_a_run_that_is_no_longer_looked_at_are_not_told(context: PaneContext) -> None:
    costs, told = RunCosts(context), list[int]()
    context.turns.begin()
    grow(context)
    context.look_at(context.workspace.add())
    costs.changed.connect(lambda: told.append(hits(costs)))
    context.turns.finish()
    assert (told, hits(costs)) == ([], 0)
