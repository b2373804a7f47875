"""What a filter works out before its first text, and who shares it."""

from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.rule import RegexRule


def made() -> RegexFilterProcessor:
    return RegexFilterProcessor(rules=[RegexRule("order", r"ORD-\d{6}"), RegexRule("x", "needle")])


def test_filters_with_the_same_rules_share_what_one_of_them_prepared() -> None:
    first, second = made(), made()
    first.prepare()
    assert "prefilter" in vars(first._searcher)
    assert "prefilter" not in vars(second._searcher)
    assert second._searcher.prefilter is first._searcher.prefilter


def test_other_patterns_are_prepared_anew() -> None:
    first = made()
    other = RegexFilterProcessor(rules=[RegexRule("order", r"ORD-\d{7}")], strategy="redact")
    assert first._searcher.prefilter is not other._searcher.prefilter
    assert other.whole("ORD-1234567").text == "[REDACTED]"
