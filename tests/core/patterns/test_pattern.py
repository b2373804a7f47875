from contextlib import suppress
from time import process_time

import pytest

from tests.core.patterns import cases
from tripscope.patterns import Match, MatchTimeout, PatternError, compile
from tripscope.patterns.units import join_surrogates


def shown(matches: list[Match]) -> list[tuple[int | str | None, ...]]:
    return [(match.index, match.text, *match.groups) for match in matches]


@pytest.mark.parametrize(("pattern", "flags", "text", "expected"), cases.STANDARD + cases.V8_ONLY)
def test_matches_are_those_of_the_standard(
    pattern: str, flags: str, text: str, expected: list[tuple[int | str | None, ...]]
) -> None:
    assert shown(compile(pattern, flags).find_all(text)) == expected


@pytest.mark.parametrize(
    ("pattern", "position"),
    [(r"a[\w--\q{b|K}]", 1), (r"[\q{b|K|a}--\q{a}]", 0), (r"[\w&&\q{b|K}]", 0)],
)
def test_operands_that_v8_takes_apart_are_refused(pattern: str, position: int) -> None:
    with pytest.raises(PatternError, match="unless they stand in ascending order") as refused:
        compile(pattern, "v")
    assert refused.value.position == position


@pytest.mark.parametrize(("pattern", "flags", "position"), cases.REFUSED)
def test_refused_patterns_name_the_place(pattern: str, flags: str, position: int) -> None:
    with pytest.raises(PatternError) as refused:
        compile(pattern, flags)
    assert refused.value.position == position
    assert refused.value.reason
    assert refused.value.reason in str(refused.value)


@pytest.mark.parametrize("flags", ["x", "gg", "uv", "G", "i m"])
def test_flags_that_do_not_exist_are_refused(flags: str) -> None:
    with pytest.raises(PatternError, match=r"[Ff]lag"):
        compile("a", flags)


def test_flags_come_in_the_order_of_javascript() -> None:
    assert compile("a", "yusmigd").flags == "dgimsuy"


def test_the_same_arguments_give_the_same_object() -> None:
    assert compile("a(b)", "g") is compile("a(b)", "g")


def test_lengths_count_utf16_units() -> None:
    (match,) = compile("..", "u").find_all(f"{cases.GRIN}a")
    assert (match.index, match.length, match.end) == (0, 3, 3)


def test_named_groups_keep_their_order() -> None:
    (match,) = compile("(?<b>x)|(?<a>y)").find_all("y")
    assert list(match.named.items()) == [("b", None), ("a", "y")]


def test_a_match_cannot_be_changed() -> None:
    (match,) = compile("a").find_all("a")
    with pytest.raises(AttributeError):
        match.index = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("flags", "last_index", "index"),
    [("", 2, 0), ("g", 1, 3), ("g", 3, 3), ("g", 4, None), ("y", 1, None), ("y", 3, 3)],
)
def test_search_from_heeds_last_index_as_exec_does(
    flags: str, last_index: int, index: int | None
) -> None:
    found = compile("a", flags).search_from("abca", last_index)
    assert (found and found.index) == index if index is None else found is not None


def test_search_from_finds_the_index_it_says() -> None:
    found = compile("a", "g").search_from("abca", 1)
    assert found is not None
    assert found.index == 3


def test_search_from_beyond_the_end_finds_nothing() -> None:
    assert compile("", "g").search_from("ab", 3) is None
    assert compile("", "g").search_from("ab", 2) is not None


def test_search_from_inside_a_pair_steps_back() -> None:
    found = compile(".", "gu").search_from(cases.GRIN, 1)
    assert found is not None
    assert (found.index, found.text) == (0, cases.GRIN)


def test_search_from_sees_what_is_before_it() -> None:
    found = compile("(?<=a)b", "g").search_from("ab", 1)
    assert found is not None
    assert compile("^b", "g").search_from("ab", 1) is None


def test_two_halves_in_a_text_are_one_character() -> None:
    text = "\ud83d" + "\ude00"
    assert shown(compile(".", "gu").find_all(text)) == [(0, cases.GRIN)]
    assert len(compile(".", "g").find_all(text)) == 2


def test_a_lone_half_is_searched_like_any_other_unit() -> None:
    assert shown(compile("[^a]", "gu").find_all("a\ud83d")) == [(1, "\ud83d")]


@pytest.mark.parametrize(
    ("pattern", "flags", "text", "template", "expected"),
    [
        ("(a)(b)?", "g", "abac", "[$2$1]", "[ba][a]c"),
        ("a", "", "aa", "b", "ba"),
        ("x*", "g", "ab", "-", "-a-b-"),
        ("b", "g", "abc", "<$`|$'>", "a<a|c>c"),
        ("(?<n>a)", "g", "ab", "$<n>$<m>!", "a!b"),
        ("\\ude00", "g", cases.GRIN, "$`", "\ud83d\ud83d"),
        ("", "g", cases.GRIN, "", cases.GRIN),
        ("a", "gy", "aaba", "x", "xxba"),
    ],
)
def test_replace_is_that_of_string_prototype(
    pattern: str, flags: str, text: str, template: str, expected: str
) -> None:
    assert compile(pattern, flags).replace(text, template) == expected


def test_replace_joins_halves_that_come_to_meet() -> None:
    replaced = compile("x", "g").replace("\ud83dx\ude00", "")
    assert replaced == cases.GRIN
    assert replaced == join_surrogates(replaced)


HOSTILE = "(?:(a)|aa|b)*\\1$"


def test_the_exact_matcher_heeds_its_budget() -> None:
    with pytest.raises(MatchTimeout):
        compile(HOSTILE).find_all("a" * 60 + "c", timeout=0.05)


def test_the_native_matcher_heeds_its_budget() -> None:
    with pytest.raises(MatchTimeout):
        compile("(?:a|aa)+$", "g").find_all("a" * 60 + "c", timeout=0.05)


def test_all_calls_take_a_budget() -> None:
    pattern = compile(HOSTILE)
    text = "a" * 60 + "c"
    for call in (
        lambda: pattern.test(text, timeout=0.02),
        lambda: pattern.search_from(text, 0, timeout=0.02),
        lambda: pattern.replace(text, "", timeout=0.02),
    ):
        with pytest.raises(MatchTimeout):
            call()


def test_long_texts_exhaust_no_stack() -> None:
    text = "ab" * 50_000
    (match,) = compile("(?:(a)|(b))*").find_all(text)
    assert match.length == len(text)
    assert match.groups == [None, "b"]


def test_deep_nesting_is_refused_with_a_reason_and_less_works() -> None:
    assert compile("(" * 50 + "a" + ")" * 50).test("a")
    with pytest.raises(PatternError, match="nested"):
        compile("(" * 5_000 + "a" + ")" * 5_000)


def test_patterns_that_take_seconds_to_read_are_refused_with_a_reason() -> None:
    words = "|".join(f"word{number}" for number in range(5_000))
    assert compile(words, "g").test("a word4999")
    begun = process_time()
    with pytest.raises(PatternError, match="more than 65536 UTF-16 units") as refused:
        compile("a" * 1_000_000)
    assert refused.value.position == 65_536
    assert process_time() - begun < 2


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("(?:a(?:b|", ")*c|d)*"),
        ("(a|b(", ")?c)*"),
        ("(a(b", ")+c)+"),
        ("(?:x?(?:y?", ")*z?)*"),
        ("((?=x?(?<=y?", "z?)w?)v?)*"),
        ("(?:(?:a?){8}", "b?){8}"),
    ],
)
def test_nested_repetitions_do_not_blow_up(begin: str, end: str) -> None:
    depth = 50 // begin.count("(")
    pattern = compile(begin * depth + "q" + end * depth, "g")
    for text in ("xq", "\xe9q"):
        with suppress(MatchTimeout):
            pattern.find_all(text, timeout=0.2)
    assert pattern.facts.shortest >= 0


@pytest.mark.parametrize(
    ("pattern", "flags"),
    [
        ("ab" * 2000, "g"),
        ("ak" * 2000, "gi"),
        ("a" * 4000, "giu"),
        ("(?:a)" * 4000, "g"),
        ("a" * 4000 + "[a-f]|" + "a" * 4000 + "b?", "g"),
    ],
    ids=["plain", "either case", "unicode", "groups", "common start"],
)
def test_long_strings_take_no_time_that_no_budget_stops(pattern: str, flags: str) -> None:
    compiled = compile(pattern, flags)
    begun = process_time()
    found = compiled.find_all("ab" * 2100 + "AK" * 4100 + "a" * 8001 + "b")
    assert len(found) in (1, 2)
    assert process_time() - begun < 2  # a table of the whole string takes eight


def test_huge_counts_compile() -> None:
    assert not compile("a{99999999999}").test("aaa")
    assert compile("(?:a{0,99999999999}){2}b").test("aab")


def test_test_is_true_only_for_a_match() -> None:
    assert compile("b").test("ab")
    assert not compile("c").test("ab")


def test_a_pattern_shows_itself_as_a_literal() -> None:
    assert repr(compile("a/b", "g")) == "/a\\/b/g"


@pytest.mark.parametrize(
    ("pattern", "native"),
    [
        ("(?:(?:(?:a{100}){100}){100}){100}", False),
        ("(?:(?:a|bc){1000}){1000}", False),
        ("(?:a{300}){300}", True),
        ("a{65535}", True),
        ("\\w{65535}", True),
    ],
)
def test_what_would_fill_the_memory_is_left_to_our_own_matcher(pattern: str, native: bool) -> None:
    made = compile(pattern, "g")
    assert (made.native(ascii_only=True) is not None) is native
    assert not made.test("a" * 300)


def test_classes_that_take_long_to_spell_out_are_left_to_our_own_matcher() -> None:
    few, many = (compile("\\p{L}" * count, "gv") for count in (3, 150))
    assert few.native(ascii_only=False) is not None
    assert many.native(ascii_only=False) is None
    assert len(many.find_all("\u00e9" * 150)) == 1
    assert many.native(ascii_only=True) is not None
    repeated = compile("\\p{L}{65535}", "gv")
    assert repeated.native(ascii_only=False) is None
    assert repeated.native(ascii_only=True) is not None
