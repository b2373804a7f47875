"""Hypothesis strategies: rules, texts that they may match, and cuts of them."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tripscope.patterns import PatternError
from tripscope.rules.presets import preset_rules
from tripscope.rules.rule import RegexRule

PRESET_RULES = preset_rules(["pii", "secrets", "urls"])

_CHARS = ["a", "b", "0", "-", "@", "k", " ", "ab", "a0", r"\."]
_CLASSES = ["[ab]", "[a-z]", r"\d", r"\w", "[^@]", ".", r"\s", "[A-Z0-9]", r"[\w-]", r"[\s\S]"]
_ANCHORS = [r"\b", r"\B", "^", "$", "(?=a)", "(?!b)", "(?<=0)", "(?<!-)"]
_QUANTIFIERS = ["", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?", "??"]
_FRAGMENTS = [
    "ann.lee@example.test", "415-555-0132", "123-45-6789", "4111 1111 1111 1111",
    "api_key=abcd1234abcd1234abcd1234", "Bearer abc.def-ghi_jkl", "AKIAIOSFODNN7EXAMPLE",
    "https://example.test/a?b=c", " ", "word", "@", "1", "-", "api", "key=", "Bearer ", "://",
    "x" * 30, "9" * 12, "é", "\U0001f600", "\n", "k0-", "b@a", "ab", "0",
]  # fmt: skip


@st.composite
def _pattern(draw: DrawFn, depth: int = 1) -> str:
    options = []
    for _ in range(draw(st.sampled_from([1, 1, 2]))):
        parts = []
        for _ in range(draw(st.integers(1, 4))):
            kind = draw(st.integers(0, 9))
            if kind <= 3:
                part = draw(st.sampled_from(_CHARS))
            elif kind <= 6:
                part = draw(st.sampled_from(_CLASSES))
            elif kind == 7:
                parts.append(draw(st.sampled_from(_ANCHORS)))
                continue
            else:
                part = f"(?:{draw(_pattern(depth - 1))})" if depth else "b"
            parts.append(part + draw(st.sampled_from(_QUANTIFIERS)))
        options.append("".join(parts))
    return "|".join(options)


@st.composite
def rules(draw: DrawFn) -> list[RegexRule]:
    """One to five rules, some of them from the presets."""
    chosen = draw(st.lists(st.sampled_from(PRESET_RULES), max_size=3, unique_by=id))
    for number in range(draw(st.integers(0 if chosen else 1, 2))):
        flags = draw(st.sampled_from(["g", "g", "gi", "gm", "gs", "", "gu"]))
        replacement = draw(st.sampled_from([None, "", "<$&>", "[$1]", "R"]))
        try:
            chosen.append(RegexRule(f"r{number}", draw(_pattern()), flags, replacement))
        except PatternError:
            chosen.append(RegexRule(f"r{number}", "ab", flags, replacement))
    return chosen


texts = st.lists(
    st.one_of(st.sampled_from(_FRAGMENTS), st.text("aAbB01-.@ k\n", max_size=6)), max_size=30
).map("".join)

cut_sizes = st.sampled_from([1, 2, 3, 4, 10, 40])
