"""Counts of hook calls, and which call an event is."""

from tests.support.made_events import leak_run
from tripscope.trace.events import HookCalled
from tripscope_gui.run_store import RunStore


def test_the_hook_of_a_call_is_known_without_its_event() -> None:
    events = leak_run()
    calls = RunStore(events).calls
    made = [event for event in events if isinstance(event, HookCalled)]
    assert made
    for call in made:
        assert calls.hook_of(call.processor or "", call.seq) == call.hook
    assert calls.hook_of(made[0].processor or "", len(events)) == ""
    assert calls.hook_of("nobody", made[0].seq) == ""
