import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripscope.trace.text_diff import text_diff

TEXT = st.text("ab \n\U0001f600\ud83d", max_size=30)


@given(TEXT, TEXT)
def test_it_covers_both_texts(before: str, after: str) -> None:
    for by in ("words", "characters"):
        ops = text_diff(before, after, by=by)  # type: ignore[arg-type]
        assert "".join(before[a:b] for _, a, b, _, _ in ops) == before
        assert "".join(after[c:d] for _, _, _, c, d in ops) == after
        assert all(before[a:b] == after[c:d] for what, a, b, c, d in ops if what == "equal")


def changed(before: str, after: str, by: str) -> list[tuple[str, str]]:
    ops = text_diff(before, after, by=by)  # type: ignore[arg-type]
    return [(before[a:b], after[c:d]) for what, a, b, c, d in ops if what != "equal"]


def test_by_words_no_word_is_cut() -> None:
    assert changed("say [PHONE] now", "say [PHONE_NUMBER] now", "words") == [
        ("PHONE", "PHONE_NUMBER")
    ]
    assert changed("say [PHONE] now", "say [PHONE_NUMBER] now", "characters") == [("", "_NUMBER")]


@pytest.mark.parametrize("by", ["words", "characters"])
def test_it_takes_no_time_on_texts_that_have_nothing_in_common(by: str) -> None:
    start = time.process_time()
    ops = text_diff("a b " * 100_000, "b c " * 100_000, by=by)  # type: ignore[arg-type]
    assert time.process_time() - start < 10  # comparing each with each takes days
    assert ops
