"""What the timeline makes of the examples' runs."""

from tests.support.example_runs import example_events
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.leaks import Leaks
from tripscope_gui.widgets.timeline.data import TimelineData


def data(name: str) -> TimelineData:
    return TimelineData(RunStore(example_events(name)))


def test_lanes_stand_in_the_order_of_the_chain() -> None:
    assert [lane.id for lane in data("support-agent").lanes] == [
        "model", "unicode-normalizer", "regex-filter", "secrets", "quality-guardrail", "tools",
        "client",
    ]  # fmt: skip


def test_a_tripwire_before_the_model_ends_the_run_there() -> None:
    made = data("secret-in-prompt")
    ending = made.ending()
    assert ending is not None
    assert (ending.call.processor, ending.call.hook) == ("secrets", "processInput")
    why = {lane.id: made.not_run_words(lane) for lane in made.lanes}
    assert why["model"] == "not called, no request was sent"
    assert why["quality-guardrail"] == "would have waited for processOutputStep"
    assert why["tools"] == "no calls"
    assert why["secrets"] is None
    assert made.fit("sequence")[1] > 1.5 * ending.seq


def test_a_run_with_a_retry_goes_on_and_has_no_ending() -> None:
    made = data("support-agent")
    assert made.ending() is None
    rejected = next(attempt for attempt in made.store.attempts if attempt.rejected)
    call = made.store.event(made.rejected_at(rejected, "sequence"))
    assert call is not None
    assert (call.processor, call.hook) == ("quality-guardrail", "processOutputStep")
    assert call.attempt == rejected.attempt


def test_how_long_the_client_waited_is_told_once_per_attempt() -> None:
    made = data("support-agent")
    last = made.waits[-1]
    first = next(
        row.model.time
        for row in made.store.rows
        if row.attempt == 1 and row.type == "text-delta" and row.model is not None
    )
    assert last.time - last.length == first
    assert last.length > 10_000_000


def test_what_left_too_early_is_marked_where_the_client_got_it() -> None:
    made = data("support-agent")
    leaks = Leaks(made.store)
    leaks.update()
    made.set_early(leaks)
    assert made.early.units > 0
    rows = [made.store.rows.of_index(getattr(made.store.event(seq), "index", None))
            for seq in made.early.seqs]  # fmt: skip
    assert {(row.step, row.attempt) for row in rows if row is not None} == {(1, 0)}


def test_findings_become_marks_of_their_processor() -> None:
    made = data("support-agent")
    lane = made.lane("regex-filter")
    assert lane is not None
    findings = [f for f in made.store.findings if f.processor == "regex-filter"]
    assert list(lane.marks.seqs) == [f.seq for f in findings]
    assert list(lane.marks.rules) == [made.store.rules.number(f.rule) for f in findings]


def test_both_axes_hold_the_same_spans() -> None:
    for lane in data("tool-loop").lanes:
        by_time, by_sequence = lane.spans["time"], lane.spans["sequence"]
        assert len(by_time) == len(by_sequence)
        assert list(by_sequence.starts) == sorted(by_sequence.starts)
        assert len(lane.holds["time"]) == len(lane.holds["sequence"]) == len(lane.lane.holds.starts)
        assert all(end >= start for start, end in zip(
            lane.holds["sequence"].starts, lane.holds["sequence"].ends, strict=True))  # fmt: skip


def test_a_run_that_grew_can_be_drawn_before_it_is_caught_up_with() -> None:
    events = example_events("support-agent")
    store = RunStore(events[: len(events) // 4])
    made = TimelineData(store)
    store.extend(events[len(events) // 4 :])
    held = [lane.holds["sequence"] for lane in made.lanes if lane.lane.holds.starts]
    assert held
    for track in held:
        row, _ = track.pixels(0, 1, len(store.events))
        assert row.count(0) > 0
