from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripscope.patterns import units

GRIN = "\U0001f600"
texts = st.text(st.sampled_from(["a", "\xe9", "\u20ac", GRIN, "\ud83d", "\ude00"]), max_size=12)


def utf16(text: str) -> list[int]:
    data = text.encode("utf-16-be", "surrogatepass")
    return [data[at] << 8 | data[at + 1] for at in range(0, len(data), 2)]


@given(texts)
def test_lengths_are_those_of_the_encoding(text: str) -> None:
    assert units.utf16_len(text) == len(utf16(text))
    assert units.has_astral(text) == any(char > "\uffff" for char in text)


@given(texts)
def test_spread_has_one_character_a_unit(text: str) -> None:
    assert [ord(char) for char in units.spread(text)] == utf16(text)


@given(texts)
def test_spread_works_without_the_short_cut_too(text: str) -> None:
    with patch.object(units, "_from_units", lambda: None):
        assert [ord(char) for char in units.spread(text)] == utf16(text)


@given(texts)
def test_joining_undoes_spreading(text: str) -> None:
    joined = units.join_surrogates(text)
    assert utf16(joined) == utf16(text)
    assert units.join_surrogates(units.spread(text)) == joined
    assert units.join_surrogates(joined) == joined


@given(texts)
def test_offsets_go_there_and_back(text: str) -> None:
    offsets = units.OffsetMap(text)
    for index in range(len(text) + 1):
        offset = units.utf16_len(text[:index])
        assert offset == len(utf16(text[:index]))
        assert units.from_utf16_offset(text, offset) == index
        assert offsets.to_utf16(index) == offset
        assert offsets.to_index(offset) == index


def test_an_offset_inside_a_pair_is_that_of_its_character() -> None:
    text = f"a{GRIN}b"
    assert units.from_utf16_offset(text, 2) == 1
    assert units.OffsetMap(text).to_index(2) == 1


@pytest.mark.parametrize(("index", "offset"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10)])
def test_utf8_offsets_count_bytes(index: int, offset: int) -> None:
    assert units.utf8_offset(f"a\xe9\ud83d{GRIN}"[:4], index) == offset


def test_the_next_astral_character_is_found() -> None:
    offsets = units.OffsetMap(f"a{GRIN}b{GRIN}")
    assert [offsets.next_astral(at) for at in range(5)] == [1, 1, 3, 3, None]
