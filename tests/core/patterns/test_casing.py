import pytest

from tripscope.patterns.casing import canonical_point, canonical_unit, close_over
from tripscope.patterns.charset import CharSet


@pytest.mark.parametrize(
    ("char", "canonical"),
    [("a", "A"), ("\xdf", "\xdf"), ("\u017f", "\u017f"), ("\u0131", "\u0131"), ("\xff", "\u0178"),
     ("\u1fb3", "\u1fb3"), ("\u212a", "\u212a"), ("\u0149", "\u0149")],
)  # fmt: skip
def test_units_map_to_one_upper_case_unit(char: str, canonical: str) -> None:
    assert canonical_unit(ord(char)) == ord(canonical)


@pytest.mark.parametrize(
    ("char", "canonical"),
    [("A", "a"), ("\xdf", "\xdf"), ("\u1e9e", "\xdf"), ("\u017f", "s"), ("\u212a", "k"),
     ("\u0130", "\u0130"), ("\u1f88", "\u1f80"), ("\U00010400", "\U00010428"),
     ("\u1fd3", "\u0390"), ("\ufb05", "\ufb06"), ("\u0345", "\u03b9")],
)  # fmt: skip
def test_points_fold_simply(char: str, canonical: str) -> None:
    assert canonical_point(ord(char)) == ord(canonical)


def test_closing_is_complete_and_stable() -> None:
    closed = close_over(CharSet.chars((ord("k"),)), unicode=True)
    assert set(closed) == {ord("k"), ord("K"), 0x212A}
    assert close_over(closed, unicode=True) == closed
    everything = CharSet.chars((ord("K"),)).complement()
    assert len(close_over(everything, unicode=False)) == 0x110000


def test_closing_in_ascii_is_what_canonicalize_says() -> None:
    forms = {code: canonical_unit(code) for code in range(0x10000)}
    for code in range(0x80):
        same = {other for other, form in forms.items() if form == forms[code]}
        assert set(close_over(CharSet.chars((code,)), unicode=False)) == same
    assert not close_over(CharSet(), unicode=False).ranges
