"""Replacements by column, as a block grows and at once."""

from tests.support.made_events import Events
from tripscope.chunks import text_delta
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.block_runs import BlockRuns, replaced_in


def test_a_text_that_grows_has_the_replacements_of_the_whole_one() -> None:
    """The second processor says nothing, so that what it lets through is one growing interval."""
    made = Events()
    made.begin_attempt()
    for number in range(12):
        part = made.chunk(number, text_delta("abc"))
        hit = number % 4 == 1
        out = text_delta("[RULE]") if hit else part
        at = 3 * number
        left = at + 3 * len(range(1, number, 4))
        stretch = (at, at + 3, left, left + (6 if hit else 3), "rule" if hit else None)
        made.hook(number, part, (out,), "pii", held=0, intervals=(stretch,))
        made.hook(number, out, (out,), "plain")
    store = RunStore()
    grown: BlockRuns | None = None
    for event in made.all:
        store.append(event)
        for block in store.blocks.values():
            grown = grown or BlockRuns(block)
            grown.within("plain", 0, 1000)
    (block,) = store.blocks.values()
    assert grown is not None
    whole = BlockRuns(block).within("plain", 0, 1000)
    assert [(run.start, run.end, run.rule) for run in whole] == [
        (3, 9, "rule"), (18, 24, "rule"), (33, 39, "rule"),
    ]  # fmt: skip
    assert grown.within("plain", 0, 1000) == whole
    assert replaced_in(block, "plain", 0, 1000) == whole
    assert not grown.advance(100)
