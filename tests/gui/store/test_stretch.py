"""What comes with every chunk is taken together, and gives what it gives one by one."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.made_events import Events, leak_run
from tripscope.chunks import Chunk, Finish, text_delta
from tripscope.trace.events import AnyEvent, HeldDropped, RawFrameReceived, StateChanged
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.stretch import Stretch, pieces


def two_attempts() -> list[AnyEvent]:
    """Held text that a rejected attempt drops, calls outside the stream, raw frames, states."""
    made = Events()
    for attempt in range(2):
        made.begin_attempt(0, attempt)
        made.put(HeldDropped, units=0, reason="nothing was held", processor="pii")
        for index in range(4 * attempt, 4 * attempt + 3):
            made.put(RawFrameReceived, call=attempt, data="{}")
            part = made.chunk(index, text_delta("abc"))
            made.hook(index, part, () if index % 2 else (part,), held=index % 3)
            made.put(StateChanged, processor="pii", changes=(("heldUnits", 0, index),))
            made.hook(index, part, (part,), processor="keys", outcome="flagged")
            if index % 2 == 0:
                made.deliver(index, part)
        finish = made.chunk(4 * attempt + 3, Chunk("finish", Finish(reason="stop")))
        made.hook(4 * attempt + 3, finish, (finish,), held=0 if attempt else 5)
        made.put(HeldDropped, units=5, reason="the attempt was rejected", processor="pii")
        made.end_attempt("pass" if attempt else "blocked")
    made.end()
    return made.all


RUNS = [leak_run(), two_attempts()]


def facts(store: RunStore) -> Any:
    """All that stretches go into."""
    lanes = [*store.lanes.all, store.lanes.requests]
    return (
        [
            (list(a), list(b), list(c), list(d), list(codes), lane.total)
            for lane in lanes
            for a, b, c, d, codes in [
                (lane.starts, lane.ends, lane.seqs, lane.end_seqs, lane.codes),
            ]
        ],
        [(list(lane.holds.starts), list(lane.holds.ends)) for lane in lanes],
        {
            key: (tally.duration, dict(tally.outcomes), tally.firsts, list(tally.seqs))
            for key, tally in store.calls.tallies.items()
        },
        [(row.index, row.seqs) for row in store.rows],
        [
            store.rows.held_before(name, event.seq)
            for name in ("pii", "keys")
            for event in store.events
        ],
        store.totals,
        store.attempts.all,
        store.raw_frames,
        store.states,
        store.findings,
    )


@given(st.sampled_from(RUNS), st.lists(st.integers(1, 9)))
def test_a_run_is_the_same_however_its_events_come(run: list[AnyEvent], sizes: list[int]) -> None:
    one_by_one = RunStore()
    for event in run:
        one_by_one.append(event)
    in_batches = RunStore()
    at = 0
    for size in sizes:
        in_batches.extend(run[at : at + size])
        at += size
    in_batches.extend(run[at:])
    assert facts(in_batches) == facts(one_by_one) == facts(RunStore(run))


def test_every_event_is_in_one_piece_at_its_place() -> None:
    for run in RUNS:
        seqs: list[int] = []
        for piece in pieces(run, 7):
            if isinstance(piece, Stretch):
                calls = [call for calls in piece.calls.values() for call in calls]
                inside = sorted(e.seq for e in [*piece.chunks, *calls, *piece.deliveries])
                assert [run[place - 7].seq for place in piece.places] == inside
                assert [getattr(run[place - 7], "index", None) for place in piece.places] == (
                    piece.indexes
                )
                seqs += inside
            else:
                seqs.append(piece.seq)
        assert sorted(seqs) == [event.seq for event in run]


def test_what_a_live_model_sends_with_each_chunk_ends_no_stretch() -> None:
    frames = [e for e in two_attempts() if isinstance(e, RawFrameReceived)]
    stretches = [piece for piece in pieces(two_attempts(), 0) if isinstance(piece, Stretch)]
    assert len(frames) == 6
    assert len(stretches) == 2


def test_a_lane_has_a_span_for_each_call_and_holds_end_where_text_is_dropped() -> None:
    store = RunStore(two_attempts())
    pii = store.lanes.get("pii")
    assert pii is not None
    assert len(pii) == len(pii.ends) == len(pii.end_seqs) == len(pii.codes) == 8
    dropped = [event for event in store.events if isinstance(event, HeldDropped)]
    assert pii.holds.end_seqs[-1] < dropped[-1].seq
    assert dropped[1].seq in pii.holds.end_seqs
    assert store.rows.held_before("pii", dropped[1].seq) == 5
