import pytest

from tests.support.made_events import leak_run
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.chunk_query import All, Key, Not, QueryError, Word, parse
from tripscope_gui.store.run_index import RunIndex, index_of


@pytest.fixture
def index() -> RunIndex:
    made = index_of(RunStore(leak_run()))
    made.update()
    return made


def rows(index: RunIndex, query: str) -> list[int]:
    test = index.facts.test(parse(query))
    return [row.number for row in index.store.rows if test is None or test(row)]


def test_an_empty_query_lets_every_row_by(index: RunIndex) -> None:
    assert parse("  ") is None
    assert rows(index, "") == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("changed", [3]),
        ("held", [1, 2]),
        ("flush", [3]),
        ("edge", [0, 4]),
        ("!edge", [1, 2, 3]),
        ("type:text-delta", [1, 2]),
        ("type:text-*", [0, 1, 2, 3]),
        # a rule is told of the chunks that held its match, and of the one that let it out
        ("rule:email", [1, 2, 3]),
        ("rule:email !changed", [1, 2]),
        ("rule:email & held", [1, 2]),
        ("changed | type:finish", [3, 4]),
        ("(changed | held) !type:text-end", [1, 2]),
        ("!(changed | held)", [0, 4]),
        ("/ann(?!:)/", [1]),
        ("/ANN/i chunk:1-2", [1]),
        ('"ANN"', [1]),
        ("chunk:2-3", [1, 2]),
        ("step:0 attempt:1", [0, 1, 2, 3, 4]),
        ("attempt:2", []),
        ("by:pii", [3]),
        ("block:t1", [0, 1, 2, 3]),
        ("delivered", [0, 1, 3]),
        ("drop", []),
        ("marked", []),
    ],
)
def test_terms(index: RunIndex, query: str, expected: list[int]) -> None:
    assert rows(index, query) == expected


def test_terms_side_by_side_bind_closer_than_or() -> None:
    assert parse("changed held | !drop") == parse("(changed & held) | (!drop)")
    assert parse("rule:email changed") == All((Key("rule", "email"), Word("changed")))
    assert parse("!!held") == Not(Not(Word("held")))


@pytest.mark.parametrize(
    ("query", "start", "end", "part"),
    [
        ("changed hedl", 8, 12, "did you mean held?"),
        ("rul:email", 0, 9, "did you mean rule?"),
        ("changed (held", 8, 9, "not closed"),
        ("held )", 5, 6, "closes nothing"),
        ("held |", 5, 6, "missing"),
        ("| held", 0, 1, "missing"),
        ("type:", 0, 5, "value is missing"),
        ("step:one", 0, 8, "a number"),
        ("held /a(/", 7, 9, ""),
        ("/never", 0, 6, "closing /"),
        ('held "never', 5, 11, 'closing "'),
        ("(" * 4000, 50, 51, "within terms"),
        ("!" * 4000 + "held", 50, 51, "within terms"),
        ("chunk:" + "9" * 5000, 0, 5006, "too large"),
        ("zzzzzz", 0, 6, 'for text write "zzzzzz"'),
    ],
)
def test_errors_name_their_place(query: str, start: int, end: int, part: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(query)
    assert (caught.value.start, caught.value.end) == (start, end)
    assert part in caught.value.reason
    assert str(caught.value).startswith("at ")


def test_slashes_in_a_class_and_escaped_ones_do_not_end_a_pattern(index: RunIndex) -> None:
    assert rows(index, r"/[/A]nn|\/x/") == [1]


def test_a_slow_pattern_does_not_stop_the_window(index: RunIndex) -> None:
    test = index.facts.test(parse("/(a|aa)+$/"))
    assert test is not None
    row = index.store.rows[1]
    assert row.model is not None
    row.model.chunk.payload.text = "a" * 60 + "!"
    assert test(row) in (True, False)


def test_marks_and_comments_are_terms(index: RunIndex) -> None:
    index.notes.toggle_mark(2)
    index.notes.set_comment(4, "  look here ")
    assert rows(index, "marked") == [2]
    assert rows(index, "comment") == [4]
    assert list(index.notes.rows()) == [2, 4]
    assert index.notes.next_from(4) == 2
    assert index.notes.next_from(2, back=True) == 4
    index.notes.set_comment(4, "")
    assert not index.notes.toggle_mark(2)
    assert not index.notes
