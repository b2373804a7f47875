from tests.support.made_events import Events, leak_run
from tripscope.chunks import Chunk, Delta, text_delta
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.chunk_looks import look_of, stacked
from tripscope_gui.store.lineage_links import lineage_of
from tripscope_gui.store.run_index import RunIndex, index_of

TWO = {
    "input": [],
    "output": [
        {"id": name, "type": "made-up", "hooks": ["processOutputStream"], "scans": ["text-delta"]}
        for name in ("one", "two")
    ],
    "error": [],
}


def ready(events: list[object]) -> RunIndex:
    index = index_of(RunStore(events))  # type: ignore[arg-type]
    index.update()
    return index


def looks(index: RunIndex, column: str) -> list[tuple[str, str, str]]:
    rows = index.store.rows
    found = [look_of(index, row, column) for row in rows]
    return [(look.edge, look.text, look.hold) for look in found]


def test_cells_of_a_hold_that_is_flushed() -> None:
    index = ready(leak_run())
    assert looks(index, "pii") == [
        ("", "passed", ""),
        ("", "Ann: ", "held 3"),
        ("", "", "held 5"),
        ("flush", "[EMAIL]", ""),
        ("", "passed", ""),
    ]
    assert looks(index, "client")[1:4] == [
        ("", "Ann: ", ""),
        ("", "\u2013", ""),
        ("changed", "[EMAIL]", ""),
    ]


def test_a_match_is_marked_in_each_chunk_that_held_it() -> None:
    index = ready(leak_run())
    rows = index.store.rows
    runs = [look_of(index, rows[n], "model").runs for n in (1, 2)]
    assert [[(r.start, r.end, r.rules) for r in found] for found in runs] == [
        [(5, 8, (0,))],
        [(0, 2, (0,))],
    ]
    box = look_of(index, rows[3], "client").runs[0]
    assert (box.start, box.end, box.kind, box.rules) == (0, 7, "box", (0,))


def two_processors() -> RunIndex:
    """``ab`` then ``cd``; the first makes XY of ``bc``, the second lets all out at the end."""
    made = Events(chain=TWO)
    made.begin_attempt()
    one, two = text_delta("ab"), text_delta("cd")
    made.chunk(0, one)
    made.hook(0, one, (text_delta("a"),), processor="one", intervals=((0, 1, 0, 1, None),), held=1)
    made.hook(0, text_delta("a"), (), processor="two", intervals=(), held=1)
    made.chunk(1, two)
    out = text_delta("XYd")
    made.hook(
        1,
        two,
        (out,),
        processor="one",
        outcome="changed",
        intervals=((1, 3, 1, 3, "r"), (3, 4, 3, 4, None)),
        held=0,
    )
    all_ = text_delta("aXYd")
    made.hook(1, out, (all_,), processor="two", intervals=((0, 4, 0, 4, None),), held=0)
    made.deliver(1, all_)
    made.end_attempt()
    made.end()
    return ready(made.all)


def test_a_replacement_keeps_its_box_on_its_way() -> None:
    index = two_processors()
    row = index.store.rows[1]
    for column, edge in (("one", "changed"), ("two", "changed"), ("client", "changed")):
        look = look_of(index, row, column)
        assert look.edge == edge
        start = 0 if column == "one" else 1
        assert [(r.start, r.end, r.kind) for r in look.runs] == [(start, start + 2, "box")]


def test_lineage_goes_both_ways() -> None:
    index = two_processors()
    block = index.store.block_of(index.store.rows[0])
    assert block is not None
    lineage = lineage_of(block, "model", 0)
    assert set(lineage.links) == {
        (("model", 0), ("one", 0)),
        (("model", 0), ("one", 1)),
        (("one", 0), ("two", 1)),
        (("one", 1), ("two", 1)),
        (("two", 1), ("client", 1)),
    }
    back = lineage_of(block, "client", 1)
    assert ("model", 0) in back.nodes
    assert ("model", 1) in back.nodes
    assert lineage_of(block, "client", 0).nodes == frozenset()


def test_text_that_no_one_scans_is_told() -> None:
    made = Events()
    made.begin_attempt()
    part = made.chunk(0, Chunk("reasoning-delta", Delta(id="r", text="hm")))
    made.hook(0, part, (part,))
    made.deliver(0, part)
    index = ready(made.all)
    row = index.store.rows[0]
    assert [look_of(index, row, c).edge for c in ("model", "pii", "client")] == [
        "unscanned",
        "unscanned",
        "",
    ]


def test_drop_block_and_what_did_not_run() -> None:
    made = Events(chain=TWO)
    made.begin_attempt()
    one = made.chunk(0, text_delta("ab"))
    made.hook(0, one, (), processor="one", outcome="changed", held=0)
    two = made.chunk(1, text_delta("cd"))
    made.hook(1, two, None, processor="one", outcome="blocked", error="no cd here")
    made.end_attempt("blocked", reason="no cd here")
    made.end("blocked")
    index = ready(made.all)
    rows = index.store.rows
    assert look_of(index, rows[0], "one").edge == "dropped"
    assert look_of(index, rows[1], "one").edge == "blocked"
    assert look_of(index, rows[1], "one").text == "no cd here"
    assert look_of(index, rows[1], "two").edge == "not-run"


def test_runs_count_code_points_and_halves_of_a_character_are_no_obstacle() -> None:
    made = Events()
    made.begin_attempt()
    one = made.chunk(0, text_delta("\U0001f980 x"))
    out = text_delta("\U0001f980 [R]")
    made.hook(
        0,
        one,
        (out,),
        outcome="changed",
        intervals=((0, 3, 0, 3, None), (3, 4, 3, 6, "r")),
        held=0,
    )
    two = made.chunk(1, text_delta("\ud83e"))
    made.hook(1, two, (two,), intervals=((4, 5, 6, 7, None),), held=0)
    index = ready(made.all)
    rows = index.store.rows
    run = look_of(index, rows[0], "pii").runs[0]
    assert (run.start, run.end) == (2, 5)
    assert look_of(index, rows[1], "pii").text == "\ud83e"


def test_a_long_chunk_is_cut_round_what_matters() -> None:
    made = Events()
    made.begin_attempt()
    text = "a" * 50_000
    one = made.chunk(0, text_delta(text + "x"))
    out = text_delta(text + "[R]")
    made.hook(
        0,
        one,
        (out,),
        outcome="changed",
        intervals=((0, 50_000, 0, 50_000, None), (50_000, 50_001, 50_000, 50_003, "r")),
        held=0,
    )
    index = ready(made.all)
    look = look_of(index, index.store.rows[0], "pii")
    assert len(look.text) < 1300
    run = look.runs[0]
    assert look.text[run.start : run.end] == "[R]"


def test_overlaps_are_cut_where_they_begin_and_end() -> None:
    runs = stacked([(0, 10, 3), (0, 4, 1)])
    assert [(r.start, r.end, r.rules) for r in runs] == [(0, 4, (3, 1)), (4, 10, (3,))]
