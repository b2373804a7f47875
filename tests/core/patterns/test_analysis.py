import pytest

from tripscope.patterns import compile
from tripscope.patterns.analysis import first_chars
from tripscope.patterns.parser import parse


@pytest.mark.parametrize(
    ("pattern", "flags", "shortest", "longest"),
    [
        ("abc", "", 3, 3),
        ("a|bc", "", 1, 2),
        ("a*", "", 0, None),
        ("a{2,5}", "", 2, 5),
        ("(?:ab?){3}", "", 3, 6),
        ("(?=abc)a", "", 1, 1),
        (".", "", 1, 1),
        (".", "u", 1, 2),
        ("\U0001f600", "u", 2, 2),
        ("\U0001f600", "", 2, 2),
        ("[\\q{abc|d}]", "v", 1, 3),
        ("", "", 0, 0),
        ("a{0}", "", 0, 0),
        ("(ab)\\1", "", 2, 4),
        ("(a+)\\1", "", 1, None),
        ("\\1(ab)", "", 2, 2),
        ("(?:^)*a", "", 1, 1),
    ],
)
def test_lengths_are_in_utf16_units(
    pattern: str, flags: str, shortest: int, longest: int | None
) -> None:
    facts = compile(pattern, flags).facts
    assert (facts.shortest, facts.longest) == (shortest, longest)


@pytest.mark.parametrize(
    ("pattern", "empty"),
    [("a*", True), ("a", False), ("a|", True), ("^", True), ("(?:a?){2}", True), ("a+", False)],
)
def test_can_be_empty(pattern: str, empty: bool) -> None:
    assert compile(pattern).facts.can_be_empty is empty


@pytest.mark.parametrize(
    ("pattern", "context"),
    [
        ("abc", ()),
        ("^a$", ("^", "$")),
        (r"\ba\B", (r"\b", r"\B")),
        ("(?<=a)b(?!c)", ("lookbehind", "negative lookahead")),
        ("(?=^a)a|^b", ("lookahead", "^")),
        ("(?:(?<!x)a)+", ("negative lookbehind",)),
    ],
)
def test_context_names_what_looks_outside(pattern: str, context: tuple[str, ...]) -> None:
    assert compile(pattern).facts.context == context


@pytest.mark.parametrize(
    ("pattern", "chars"),
    [
        ("abc", "a"),
        ("a?b", "ab"),
        ("(?:a|b)c", "abc"[:2]),
        (r"\bx*y", "xy"),
        ("(a)+", "a"),
        ("a?", None),
        ("(?=b)", None),
        (r"(a)?\1b", None),
    ],
)
def test_first_chars(pattern: str, chars: str | None) -> None:
    found = first_chars(parse(pattern, "").root)
    assert (None if found is None else "".join(map(chr, found))) == chars
