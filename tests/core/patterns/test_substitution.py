import pytest

from tripscope.patterns import Match, MatchTimeout, compile, expand

TEXT = "--ab--"


def match(groups: list[str | None], named: dict[str, str | None] | None = None) -> Match:
    return Match(2, 2, "ab", groups, named or {})


@pytest.mark.parametrize(
    ("template", "groups", "expected"),
    [
        ("$&", [], "ab"),
        ("$$&", [], "$&"),
        ("$`|$'", [], "--|--"),
        ("$1", [], "$1"),
        ("$1$2", ["a", None], "a"),
        ("$10", ["a"], "a0"),
        ("$01$001", ["a"], "a$001"),
        ("$0$00", ["a"], "$0$00"),
        ("$10|$11", [*"abcdefghij"], "j|a1"),
        ("$99", ["a"], "$99"),
        ("$", [], "$"),
        ("$<n>", ["a"], "$<n>"),
        ("\\$1", ["a"], "\\a"),
    ],
)
def test_templates_follow_get_substitution(
    template: str, groups: list[str | None], expected: str
) -> None:
    assert expand(match(groups), template, TEXT) == expected


@pytest.mark.parametrize(
    ("template", "expected"), [("$<n>", "a"), ("$<m>", ""), ("$<x>", ""), ("$<n", "$<n")]
)
def test_names_count_only_where_the_pattern_has_names(template: str, expected: str) -> None:
    assert expand(match(["a", None], {"n": "a", "m": None}), template, TEXT) == expected


def test_offsets_are_utf16_units() -> None:
    text = "\U0001f600a\U0001f600"
    assert expand(Match(2, 1, "a", [], {}), "$`$'", text) == "\U0001f600\U0001f600"


def test_a_half_is_cut_from_its_pair() -> None:
    assert expand(Match(1, 1, "\ude00", [], {}), "$`", "\U0001f600") == "\ud83d"


def test_what_javascript_has_no_string_for_is_not_made() -> None:
    text = "a" * 60_000
    with pytest.raises(MatchTimeout, match="longer than a string"):
        compile("a", "g").replace(text, "b" * 9_000)
    with pytest.raises(MatchTimeout, match="longer than a string"):
        compile("a+").replace(text, "$&" * 9_000)
    assert len(compile("a+").replace(text, "$&" * 10)) == 600_000


def test_text_that_grows_with_its_square_is_stopped_by_the_budget() -> None:
    with pytest.raises(MatchTimeout, match="more time"):
        compile("", "g").replace("a" * 40_000, "$`", timeout=0.05)
