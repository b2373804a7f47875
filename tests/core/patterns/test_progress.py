"""Where a pattern that does not match stops."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tripscope.patterns import MatchTimeout, PatternError, Stop, compile, stop_of
from tripscope.patterns.progress import MOST_PARTS


def stopped(pattern: str, text: str, flags: str = "g") -> tuple[str, str, str | None] | None:
    """(what stands before, the part, what of the text stands for the first) at UTF-16 places."""
    stop = stop_of(pattern, flags, text)
    if stop is None:
        return None

    def cut(of: str, start: int, end: int) -> str:
        units = of.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end]
        return units.decode("utf-16-le", "surrogatepass")

    got = cut(text, *stop.matched) if stop.matched is not None else None
    return cut(pattern, 0, stop.start), cut(pattern, stop.start, stop.end), got


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("key-[0-9]{4}", "a key-12x", ("key-", "[0-9]{4}", "key-")),
        (r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b", "AKIA12", (r"\b(?:AKIA|ASIA)", "[A-Z0-9]{16}", "AKIA")),
        ("abc", "xay", ("a", "b", "a")),
        ("abc", "xyz", ("", "a", None)),
        (r"\d+$", "12 ", (r"\d+", "$", "12")),
        # the longest match of what stands before, not the first
        (r"\w+@\w+", "a bcd e", (r"\w+", "@", "bcd")),
        ("(a)(b)c", "ab", ("(a)(b)", "c", "ab")),
        # a group that is not reached yet is unset in what stands before
        (r"x\2(a)(b)", "xa", (r"x\2(a)", "(b)", "xa")),
        (r"(?<n>a)-\k<n>!", "a-b", ("(?<n>a)-", r"\k<n>", "a-")),
        (r"(?<n>a)x\1", "ay", ("(?<n>a)", "x", "a")),
        (r"a(?=b)c", "ab", ("a(?=b)", "c", "a")),
        ("(?:ab)cd", "abc", ("(?:ab)c", "d", "abc")),
        ("a{2,3}b", "aab"[:2], ("a{2,3}", "b", "aa")),
    ],
)
def test_the_part_at_which_it_stops(
    pattern: str, text: str, expected: tuple[str, str, str | None]
) -> None:
    assert stopped(pattern, text) == expected


@pytest.mark.parametrize("flags", ["g", "gu", "gv"])
def test_no_part_is_half_an_emoji(flags: str) -> None:
    assert stopped("😀a💳b", "😀a💴b", flags) == ("😀a", "💳", "😀a")
    assert stop_of("😀a💳b", flags, "😀a💴b") == Stop(3, 5, (0, 3))


def test_a_sticky_pattern_stops_where_it_must_begin() -> None:
    assert stopped("ab", "ba", "y") == ("", "a", None)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("ab|cd", "a"), ("", "a"), ("abc", "xabc"), ("a" * (MOST_PARTS + 1), "a")],
)
def test_what_cannot_be_told(pattern: str, text: str) -> None:
    assert stop_of(pattern, "", text) is None


def test_a_search_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(MatchTimeout):
        stop_of("(a|aa)+$x", "", "a" * 60 + "!", timeout=0.05)
    with pytest.raises(PatternError):
        stop_of("(", "", "a")


PARTS = st.sampled_from(
    ["a", "b", "[ab]", "a?", "b*", "(a)", "(?:b|a)", "(ab)?", r"\1", "^", "$", r"\b", "(?=a)",
     "(?<!b)", "(a|b)+", "a{2}", "."]
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(PARTS, min_size=1, max_size=6), st.text("ab ", max_size=6))
def test_it_stops_where_each_longer_beginning_fails(parts: list[str], text: str) -> None:
    """Told beside the truth, found one beginning after the other."""
    if not any("(a" in part or "(?:" in part for part in parts):
        parts = ["(a)?", *parts]
    source = "".join(parts)
    # kept at the end, so that the numbers of groups mean the same in a beginning
    matching = [
        n
        for n in range(len(parts) + 1)
        if compile(("".join(parts[:n]) or "(?:)") + "(?:()()()()()()())?").test(text)
    ]
    assert matching == list(range(len(matching)))
    stop = stop_of(source, "", text)
    if len(matching) == len(parts) + 1:
        assert stop is None
        return
    reached = "".join(parts[: len(matching) - 1])
    assert stop is not None
    # a part may be more than one token
    assert source[: stop.start].startswith(reached)
    assert stop.start < len("".join(parts[: len(matching)]))
