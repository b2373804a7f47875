"""Which patterns the ``regex`` module runs, and that both engines agree on them."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.patterns.generator import Generator
from tripscope.patterns import MatchTimeout, PatternError
from tripscope.patterns.parser import parse
from tripscope.patterns.pattern import Pattern
from tripscope.patterns.rewrite import NotNative
from tripscope.patterns.translate import translate


@pytest.mark.parametrize(
    ("pattern", "flags", "native"),
    [
        ("ab", "", "ab"),
        ("a.b", "", r"a[^\x0a\x0d\u2028-\u2029]b"),
        (".", "s", "(?s:.)"),
        ("[]", "", "(?!)"),
        ("^a$", "", r"\Aa\Z"),
        (r"\d\b", "", r"[0-9]\b"),
        ("{#}", "", r"\x7b\x23\x7d"),
        ("token", "i", "(?i:token)"),
        ("(a)|\\1b", "", "(?:(a)|b)"),
        ("(a)?\\1", "", r"(a)?(?(1)(?:\1)|)"),
        (r"\p{Lu}", "u", r"[\p{General_Category=Uppercase_Letter}]"),
        ("(?:a?)*", "", "a*"),
    ],
)
def test_native_source(pattern: str, flags: str, native: str) -> None:
    assert translate(parse(pattern, flags), ascii_only=False).pattern.pattern == native


@pytest.mark.parametrize("pattern", ["(?:(a)|b)*", "(?:(a*)|b)+", "(a?){3}"])
def test_groups_that_a_repetition_clears_are_left_to_the_exact_matcher(pattern: str) -> None:
    assert translate(parse(pattern, ""), ascii_only=False).groups is None


@pytest.mark.parametrize(
    ("pattern", "flags"),
    [("(?:(a)|b)*\\1", ""), ("(?<=\\1(a))", ""), ("(\xe9)\\1", "i")],
)
def test_what_regex_cannot_do_is_not_given_to_it(pattern: str, flags: str) -> None:
    with pytest.raises(NotNative):
        translate(parse(pattern, flags), ascii_only=False)


def test_groups_of_negative_lookarounds_are_unset() -> None:
    assert translate(parse("(?!(a))(b)", ""), ascii_only=True).groups == (0, 1)


@settings(max_examples=300)
@given(st.integers(0, 2**32))
def test_both_engines_find_the_same(seed: int) -> None:
    case = Generator(Random(seed)).case()
    try:
        fast, exact = Pattern(case.pattern, case.flags), Pattern(case.pattern, case.flags)
    except PatternError:
        return
    exact._natives.update({True: None, False: None})
    try:
        expected = exact.find_all(case.text, timeout=0.5)
        assert fast.find_all(case.text, timeout=0.5) == expected
    except MatchTimeout:
        return
