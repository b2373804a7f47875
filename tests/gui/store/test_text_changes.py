"""Text that left in two runs, section by section."""

from tripscope.trace.blocks import Block, BlockKey
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.text_changes import sections


def test_a_text_outside_the_steps_is_named_so() -> None:
    keys: tuple[BlockKey, ...] = ((0, 1, "text", "t1"), (None, None, "text", "t1"))
    blocks = {key: Block(key) for key in keys}
    for block in blocks.values():
        block.delivered.add(0, "text")
    stores = (RunStore(), RunStore())
    found = sections(stores, (blocks, blocks), by="words", different_only=False)
    assert [section.title for section in found] == [
        "outside the steps",
        "step 0 \N{MIDDLE DOT} attempt 2",
    ]
