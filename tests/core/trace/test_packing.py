import zlib
from itertools import chain, repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.core.trace.strategies import events as event_strategy
from tests.support.example_runs import example_events
from tripscope.chunks import text_delta
from tripscope.trace.codec import Encoder
from tripscope.trace.events import AnyEvent, Delivered, Warned
from tripscope.trace.packing import PAGE_EVENTS, Packer, Page, unpack, unpack_page


def joined(pages: list[bytes]) -> list[AnyEvent]:
    return [event for batch in unpack(pages) for event in batch]


@settings(max_examples=50)
@given(events=st.lists(event_strategy(), max_size=6))
def test_what_is_packed_comes_out_again(events: list[AnyEvent]) -> None:
    events = [replace(event, seq=n) for n, event in enumerate(events)]
    packer = Packer()
    packer.add(events)
    assert joined(packer.finish()) == events


def long_run() -> list[AnyEvent]:
    events = list(example_events("support-agent"))
    copies = 2 * PAGE_EVENTS // len(events) + 2
    return [replace(event, seq=n) for n, event in enumerate(chain(*repeat(events, copies)))]


@pytest.mark.parametrize("step", [7, PAGE_EVENTS, 10_000])
def test_each_page_of_a_long_run_can_be_read_by_itself(step: int) -> None:
    events = long_run()
    packer = Packer()
    for first in range(0, len(events), step):
        packer.add(events[first : first + step])
    pages = packer.finish()
    assert [len(unpack_page(page)) for page in pages[:-1]] == [PAGE_EVENTS] * (len(pages) - 1)
    assert [event for page in reversed(pages) for event in reversed(unpack_page(page))] == [
        *reversed(events)
    ]
    assert joined(pages) == events


def test_pages_that_refer_to_one_another_are_read_in_their_order() -> None:
    chunk = text_delta("x")
    events: list[AnyEvent] = [
        Delivered(n, n, None, None, None, None, chunk=chunk) for n in range(4)
    ]
    encoder = Encoder()  # one for all, as versions up to 0.1.0 did
    lines = [encoder.line(event) for event in events]
    pages = [zlib.compress(b"\n".join(lines[at : at + 2])) for at in (0, 2)]
    loaded = joined(pages)
    assert loaded == events
    assert loaded[3].chunk is loaded[0].chunk  # type: ignore[union-attr]


def test_a_page_in_slices_is_the_same() -> None:
    events = long_run()[:100]
    whole, sliced = Page(), Page()
    whole.add(events)
    for at in range(0, 100, 9):
        sliced.add(events[at : at + 9])
    assert unpack_page(whole.finish()) == unpack_page(sliced.finish()) == events


def test_a_damaged_page_is_told() -> None:
    packer = Packer()
    packer.add([Warned(0, 0, None, None, None, None, message="\ud83d")])
    (page,) = packer.finish()
    for damaged in (page[:-3] + b"xyz", page[:-3], b"", zlib.compress(b"{")):
        with pytest.raises(ValueError, match=r"unpacked|not JSON"):
            joined([damaged])
