"""Patterns as rule sets have them: accepted, and run by the fast engine.

Written for this test after the formats that the vendors document for their keys, in the manner of
secret scanners and of filters for personal data.
"""

import pytest

from tripscope.patterns import PatternError, compile
from tripscope.patterns.parser import parse
from tripscope.patterns.translate import translate

ACCEPTED = [
    (r"\b(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b", "g"),
    (r"\bgh[pousr]_[0-9a-zA-Z]{36}\b", "g"),
    (r"github_pat_\w{82}", "g"),
    (r"\bglpat-[\w-]{20}\b", "g"),
    (r"xox[baprs]-(?:\d{10,13}-)*[a-zA-Z0-9-]{10,48}", "g"),
    (r"https:\/\/hooks\.slack\.com\/services\/T\w+\/B\w+\/[\w+/]{24}", "gi"),
    (r"\bsk-(?:proj-)?[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}\b", "g"),
    (r"\b[sr]k_(?:live|test|prod)_[a-zA-Z0-9]{10,99}\b", "gi"),
    (r"AIza[\w-]{35}", "g"),
    (r"-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----[\s\S-]{64,}?-----END", "gi"),
    (r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}\b", "g"),
    (
        r"[\w.-]{0,50}?(?:api|key|secret)(?:[ \t\w.-]{0,20})[\s'\"]{0,3}[:=]\s*['\"]?([\w-]{32})",
        "gi",
    ),
    (r"(?<user>[A-Za-z0-9._%+-]+)@(?<host>[A-Za-z0-9.-]+\.[A-Za-z]{2,})", "g"),
    (r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])", "g"),
    (r"\b(?:4\d{3}|5[0-5]\d{2}|3[47]\d)\d?([ -]?)\d{4}\1\d{4}\1\d{3,4}\b", "g"),
    (r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b", "g"),
    (r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$", "gm"),
    (r"(?:https?|ftp):\/\/[^\s/$.?#][^\s]*", "gi"),
    (r"([\"'])(?:password|passwd|pwd)\1\s*:\s*([\"'])((?:(?!\2).)+)\2", "gi"),
    (r"\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+", "gu"),
    (r"(?:\+\d{1,3}[ .-]?)?(?:\(\d{1,4}\)|\d{1,4})(?:[ .-]?\d{2,4}){2,4}", "g"),
]
# RE2, PCRE or Python; JavaScript has no such syntax.
OTHER_LANGUAGES = [r"(?i)secret", r"(?P<n>a)", r"a(?-i:b)", r"a++", r"(?>a)", r"(?#x)a"]


@pytest.mark.parametrize(("pattern", "flags"), ACCEPTED)
def test_rules_run_on_the_fast_engine(pattern: str, flags: str) -> None:
    compile(pattern, flags)
    for ascii_only in (True, False):
        tree = parse(pattern, flags)
        assert translate(tree, ascii_only).same_groups


@pytest.mark.parametrize("pattern", OTHER_LANGUAGES)
def test_syntax_of_other_languages_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        compile(pattern)
