import pytest

from tripscope_gui.bars import formats


@pytest.mark.parametrize(
    ("ns", "words"),
    [
        (0, "0.0 ms"),
        (1_900_000, "1.9 ms"),
        (9_990_000, "10.0 ms"),
        (270_000_000, "270 ms"),
        (3_310_000_000, "3.31 s"),
        (125_400_000_000, "2 min 5 s"),
    ],
)
def test_times_have_a_unit(ns: int, words: str) -> None:
    assert formats.duration(ns) == words


def test_counts() -> None:
    assert formats.count(1284) == "1,284"
    assert formats.count(None) == "\u2013"
    assert formats.of(2, 5) == "2 of 5"
    assert formats.of(2, None) == "2"
