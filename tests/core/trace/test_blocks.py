"""Which block an event belongs to, where a model uses an id again."""

from tests.core.trace.test_checks import block, checked, redactor
from tripscope.trace.blocks import BlockCollector
from tripscope.trace.events import FindingMade


async def test_findings_of_two_blocks_with_one_id_lie_each_in_its_own() -> None:
    answer = block("a 123-45-6789") + block("bb 123-45-6789") + block("ccc 123-45-6789")
    _, log = await checked(answer, redactor())
    collector = BlockCollector(log)
    found = [e for e in log if isinstance(e, FindingMade) and e.block is not None]
    keys = [(one.start, of.key[3]) for one in found if (of := collector.of_finding(one))]
    assert keys == [(2, "t1"), (3, "t1 #2"), (4, "t1 #3")]


async def test_parts_between_two_blocks_belong_to_the_one_that_begins() -> None:
    _, log = await checked(block("one") + block("two"), redactor())
    collector = BlockCollector(log)
    first, second = collector.blocks.values()
    for index in range(first.begins, second.begins):
        assert collector.at(0, 0, "text", "t1", index) is first
    assert collector.at(0, 0, "text", "t1", second.begins) is second
    assert collector.at(0, 0, "text", "t1", 10_000) is second
    assert collector.at(0, 0, "text", "t1", None) is first
    assert collector.at(0, 0, "text", "other", 3) is None


async def test_a_finding_in_a_message_lies_in_no_block() -> None:
    _, log = await checked(block("a 123-45-6789"), redactor())
    in_message = [e for e in log if isinstance(e, FindingMade) and e.block is None]
    assert all(BlockCollector(log).of_finding(one) is None for one in in_message)
