from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tripscope.patterns.charset import ANY, LAST, CharSet

codes = st.sets(st.integers(0, 40))


def members(chars: CharSet) -> set[int]:
    return {code for code in range(60) if code in chars}


@given(codes, codes)
def test_operations_are_those_of_sets(left: set[int], right: set[int]) -> None:
    one, two = CharSet.chars(left), CharSet.chars(right)
    assert members(one | two) == left | right
    assert members(one & two) == left & right
    assert members(one - two) == left - right
    assert set(one) == left
    assert len(one) == len(left)


@given(codes)
def test_the_complement_holds_all_others(some: set[int]) -> None:
    chars = CharSet.chars(some)
    assert members(chars.complement()) == set(range(60)) - some
    assert chars.complement().complement() == chars
    assert chars | chars.complement() == ANY


@given(codes)
def test_ranges_are_sorted_and_apart(some: set[int]) -> None:
    ranges = CharSet.chars(some).ranges
    assert all(high + 1 < low for (_, high), (low, _) in pairwise(ranges))


def test_single_is_the_only_member() -> None:
    assert CharSet.chars((5,)).single == 5
    assert CharSet.of((5, 6)).single is None
    assert CharSet().single is None
    assert LAST in ANY
