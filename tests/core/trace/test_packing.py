import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.core.trace.strategies import events as event_strategy
from tests.support.example_runs import example_events
from tripscope.trace.events import AnyEvent, Warned
from tripscope.trace.packing import PAGE_CHARACTERS, Packer, unpack


def joined(pages: list[bytes]) -> list[AnyEvent]:
    return [event for batch in unpack(pages) for event in batch]


@settings(max_examples=50)
@given(events=st.lists(event_strategy(), max_size=6))
def test_what_is_packed_comes_out_again(events: list[AnyEvent]) -> None:
    events = [replace(event, seq=n) for n, event in enumerate(events)]
    packer = Packer()
    packer.add(events)
    assert joined(packer.finish()) == events


def test_a_long_run_has_several_pages_that_refer_to_one_another() -> None:
    events = list(example_events("support-agent"))
    copies = PAGE_CHARACTERS // 20_000 + 2
    long = [
        replace(event, seq=n)
        for n, event in enumerate(event for _ in range(copies) for event in events)
    ]
    packer = Packer()
    for first in range(0, len(long), 7):
        packer.add(long[first : first + 7])
    pages = packer.finish()
    assert len(pages) > 1
    assert packer.size == sum(map(len, pages))
    assert joined(pages) == long


def test_a_damaged_page_is_told() -> None:
    packer = Packer()
    packer.add([Warned(0, 0, None, None, None, None, message="\ud83d")])
    (page,) = packer.finish()
    with pytest.raises(ValueError, match="unpacked"):
        joined([page[:-3] + b"xyz"])
