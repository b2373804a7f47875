import pytest

from tripscope.patterns import compile


@pytest.mark.parametrize(
    ("pattern", "source"),
    [
        ("", "(?:)"),
        ("/", "\\/"),
        ("[/]", "[/]"),
        ("\\/", "\\/"),
        ("\n", "\\n"),
        ("\\\n", "\\n"),
        ("\u2028", "\\u2028"),
        ("[\\]/]/", "[\\]/]\\/"),
        ("\U0001f600", "\U0001f600"),
    ],
)
def test_source_reads_as_in_javascript(pattern: str, source: str) -> None:
    assert compile(pattern).source == source
