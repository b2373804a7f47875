from hypothesis import given
from hypothesis import strategies as st

from tests.support.made_events import HOOK, Events
from tripscope.chunks import text_delta
from tripscope.trace.events import HookCalled, StateChanged
from tripscope_gui.run_store import RunStore
from tripscope_gui.store import state_history
from tripscope_gui.store.state_history import StateHistory

changes = st.lists(
    st.tuples(st.sampled_from("abc"), st.none() | st.integers(0, 3)), min_size=1, max_size=40
)


@given(changes, st.integers(1, 5))
def test_any_moment_equals_going_through_all_changes(
    made: list[tuple[str, int | None]], apart: int
) -> None:
    events = Events()
    for key, value in made:
        events.put(StateChanged, hook=HOOK, processor="pii", changes=((key, None, value),))
    store = RunStore(events.all)
    before = state_history._APART
    state_history._APART = apart  # type: ignore[misc]
    try:
        history = StateHistory(store, "pii")
        for event in events.all:
            assert history.at(event.seq) == store.state_at("pii", event.seq)
    finally:
        state_history._APART = before  # type: ignore[misc]


def call_with(events: Events, text: str, held: int) -> int:
    """The number of a call that takes ``text`` in and lets nothing out."""
    part = text_delta(text)
    events.put(StateChanged, hook=HOOK, processor="pii", changes=(("f.heldUnits", None, held),))
    body = {"duration": 1, "outcome": "pass", "index": len(events.all), "part": part, "out": ()}
    return events.put(HookCalled, hook=HOOK, processor="pii", held=held, **body).seq


def test_held_text_is_what_the_calls_gave() -> None:
    events = Events()
    first = call_with(events, "Write to a", 10)
    second = call_with(events, "\N{GRINNING FACE}b", 5)
    other = text_delta("of another")
    events.put(
        HookCalled, hook=HOOK, processor="x", duration=1, outcome="pass", index=9, part=other
    )
    history = StateHistory(RunStore(events.all), "pii")
    assert history.at(first) == {"f.held": "Write to a", "f.heldUnits": 10}
    assert history.at(second) == {"f.held": " a\N{GRINNING FACE}b", "f.heldUnits": 5}
    assert history.at(second - 1) == history.at(second)  # the change is told before its call
    assert history.at(second + 1) == history.at(second)


def test_a_snapshot_starts_over_but_keeps_what_it_cannot_know() -> None:
    events = Events()
    events.put(
        StateChanged, processor="pii", changes=(("f.held", None, "ab"), ("f.heldUnits", None, 2),
                                                ("other", None, 1)),
    )  # fmt: skip
    events.put(StateChanged, processor="pii", snapshot=True, changes=(("f", None, {"held": ""}),))
    history = StateHistory(RunStore(events.all), "pii")
    assert history.at(1) == {"f.held": "ab", "f.heldUnits": 2, "other": 1}
    assert history.at(2) == {"f.held": "", "f.heldUnits": 2}
    assert history.changed_at(0) is None
    assert history.changed_at(9) == 2
