import pytest

from tripscope.patterns.properties import is_property_of_strings, lookup


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("L", "a\u4e00", "1 "),
        ("Lu", "A", "a"),
        ("gc=Lu", "A", "a"),
        ("General_Category=Uppercase_Letter", "A", "a"),
        ("Script=Greek", "\u03b1", "a"),
        ("sc=Grek", "\u03b1", "a"),
        ("scx=Deva", "\u0915\u0964", "a"),
        ("ASCII", "\x00\x7f", "\x80"),
        ("Any", "a\U0010ffff", ""),
        ("Emoji", "\U0001f600#", "a"),
        ("White_Space", " \x85", "\ufeff"),
        ("Changes_When_NFKC_Casefolded", "A\xad\ufb01", "a1"),
        ("Lowercase", "a\xaa", "A"),
    ],
)
def test_properties_hold_what_they_say(name: str, inside: str, outside: str) -> None:
    found = lookup(name)
    assert found is not None
    assert all(ord(char) in found.chars for char in inside)
    assert not any(ord(char) in found.chars for char in outside)


@pytest.mark.parametrize(
    "name",
    ["", "l", "lu", "L ", "Greek", "gc", "gc=", "gc=l", "Script=greek", "sc=Nope", "^L", "IsL",
     "Block=ASCII", "L=Lu", "Emoji=Yes", "White Space", "whitespace", "Full_Composition_Exclusion"],
)  # fmt: skip
def test_names_are_strict(name: str) -> None:
    assert lookup(name) is None


def test_properties_of_strings_are_known_apart() -> None:
    assert is_property_of_strings("RGI_Emoji")
    assert not is_property_of_strings("Emoji")
