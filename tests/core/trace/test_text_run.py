"""Places in a text that arrives in pieces."""

from tripscope.trace.text_run import TextRun


def test_a_place_is_found_by_the_part_that_it_came_with() -> None:
    run = TextRun()
    assert (run.index_at(0), run.units(0, 1), run.has(0), run.indexes_of(0, 1)) == (
        -1,
        "",
        False,
        [],
    )
    run.add(3, "a\ud83d")
    run.add(7, "\udcb3b")
    assert run.text == "a\U0001f4b3b"
    assert [run.index_at(at) for at in range(run.length)] == [3, 3, 7, 7]
    assert run.units(1, 3) == "\ud83d\udcb3"
