from hypothesis import given
from hypothesis import strategies as st

from tripscope.patterns.units import join_surrogates, spread
from tripscope.trace.cuttings import MOST_SINGLE, SEEDS, SPREAD, Cutting, cuttings

TEXT = st.text("ab \U0001f980\u00e9\ud83e", max_size=60).map(join_surrogates)


@given(text=TEXT, start=st.integers(-5, 50), length=st.integers(0, 9))
def test_the_pieces_of_every_cutting_join_to_the_text(text: str, start: int, length: int) -> None:
    for cutting in cuttings(text, [(start, start + length)], window=4):
        pieces = cutting.pieces(text)
        assert join_surrogates("".join(pieces)) == text
        assert all(pieces)
        assert list(cutting.at) == sorted(set(cutting.at))
        assert len(pieces) == len(cutting.at) + 1


def test_an_emoji_is_cut_in_two_by_a_position_and_not_by_characters() -> None:
    assert Cutting("", (2,)).pieces("a\U0001f980b") == ["a\ud83e", "\udd80b"]
    single = cuttings("a\U0001f980b")[0]
    assert single.pieces("a\U0001f980b") == ["a", "\U0001f980", "b"]


def test_every_position_within_two_windows_of_a_match_and_200_more() -> None:
    found = cuttings("x" * 5000, [(2000, 2010)], window=30)
    at = [cutting.at[0] for cutting in found if cutting.simple]
    near = set(range(1940, 2071))
    assert near <= set(at)
    assert len(set(at) - near) == SPREAD
    assert len(at) == len(set(at))
    far = sorted(set(at) - near)
    assert far[0] < 50
    assert far[-1] > 4900
    assert sum(cutting.name.startswith("random") for cutting in found) == SEEDS


def test_a_short_text_is_cut_at_every_position() -> None:
    at = [cutting.at[0] for cutting in cuttings("x" * 150) if cutting.simple]
    assert at == list(range(1, 150))


def test_of_a_long_text_only_the_beginning_is_sent_one_character_at_a_time() -> None:
    single = cuttings("x" * (2 * MOST_SINGLE))[0]
    assert len(single.at) == MOST_SINGLE
    assert len(single.pieces("x" * (2 * MOST_SINGLE))[-1]) == MOST_SINGLE


def test_the_same_seed_cuts_the_same() -> None:
    assert cuttings("x" * 500) == cuttings("x" * 500)
    random = {cutting.at for cutting in cuttings("x" * 500) if cutting.name.startswith("random")}
    assert len(random) == SEEDS


def test_nothing_to_cut() -> None:
    assert cuttings("") == []
    assert cuttings("a") == []
    assert len(spread("\U0001f980")) == 2
    assert [cutting.at for cutting in cuttings("\U0001f980") if cutting.simple] == [(1,)]
