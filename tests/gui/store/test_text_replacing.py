"""One text becomes another by replacements: the text, and what became of which stretch."""

from hypothesis import given
from hypothesis import strategies as st

from tests.support.made_events import Events
from tripscope.patterns.units import from_utf16_offset, utf16_len
from tripscope.trace.events import FindingMade
from tripscope_gui.store.text_replacing import intervals_between, replaced_text

TEXT = "\U0001f4b3 ann@x, bo@y"


def findings(*spans: tuple[int, int, str | None, str | None]) -> list[FindingMade]:
    made = Events()
    for start, end, replacement, winner in spans:
        made.put(
            FindingMade,
            hook="processToolResult",
            processor="p",
            rule="r",
            start=start,
            end=end,
            outcome="changed",
            replacement=replacement,
            winner=winner,
        )
    return [event for event in made.all if isinstance(event, FindingMade)]


def test_replacements_are_told_stretch_by_stretch() -> None:
    made = findings((3, 8, "[A]", None), (10, 14, "[B]", None), (10, 12, "[C]", "r"))
    after = replaced_text(TEXT, made)
    assert after == "\U0001f4b3 [A], [B]"
    assert intervals_between(TEXT, after, made) == [
        (0, 3, 0, 3, None),
        (3, 8, 3, 6, "r"),
        (8, 10, 6, 8, None),
        (10, 14, 8, 11, "r"),
    ]


def test_what_findings_do_not_explain_is_one_change() -> None:
    assert intervals_between("one two", "one 2", []) == [(0, 4, 0, 4, None), (4, 7, 4, 5, "")]
    assert intervals_between("same", "same", []) == [(0, 4, 0, 4, None)]


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30))))
def test_every_unit_is_accounted_for(text: str, spans: list[tuple[int, int]]) -> None:
    whole = utf16_len(text)
    cuts = {0, whole, *(utf16_len(text[: from_utf16_offset(text, at)]) for s in spans for at in s)}
    inside = [(a, b) for a, b in spans if a < b and {a, b} <= cuts]
    made = findings(*((a, b, "[X]", None) for a, b in inside))
    after = replaced_text(text, made)
    told = intervals_between(text, after, made)
    assert sum(i[1] - i[0] for i in told) == whole
    assert sum(i[3] - i[2] for i in told) == utf16_len(after)
