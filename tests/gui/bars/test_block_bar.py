from tests.support.made_events import HOOK, Events
from tripscope.chunks import text_delta
from tripscope.trace.events import FindingMade, HookCalled
from tripscope_gui.bars.block_bar import deciding_call, deciding_finding, text_of, title_of
from tripscope_gui.run_store import RunStore


def blocked_input() -> RunStore:
    made = Events()
    for outcome, rule in (("changed", "email"), ("blocked", "aws-key")):
        made.put(
            FindingMade,
            hook="processInput",
            processor="pii",
            rule=rule,
            start=1,
            end=3,
            outcome=outcome,
        )
    made.put(HookCalled, hook="processInput", processor="pii", duration=1, outcome="blocked")
    made.end("blocked", tripwire={"reason": "no", "processorId": "pii"})
    return RunStore(made.all)


def test_a_block_before_the_model() -> None:
    store = blocked_input()
    assert title_of(store) == "Blocked by pii in processInput"
    assert text_of(store) == (
        "Rule aws-key matched once in the prompt. The model was not called, no tokens were used,"
        " no text was sent to the client, nothing was stored."
    )
    finding = deciding_finding(store)
    assert finding is not None
    assert finding.rule == "aws-key"


def test_a_block_in_the_stream_says_what_had_left() -> None:
    made = Events()
    made.begin_attempt()
    part = made.chunk(0, text_delta("Hello \U0001f600"))
    made.hook(0, part, (part,), held=0)
    made.deliver(0, part)
    last = made.chunk(1, text_delta("secret"))
    made.hook(1, last, (), outcome="blocked")
    made.end("blocked", tripwire={"reason": "bad words", "processorId": "pii"}, stored=True)
    store = RunStore(made.all)
    assert title_of(store) == f"Blocked by pii in {HOOK}"
    assert text_of(store) == "bad words 8 UTF-16 units of text had reached the client."


def test_an_error_is_not_worded_as_a_block() -> None:
    made = Events()
    made.begin_attempt()
    made.put(HookCalled, hook="processOutputStep", processor="pii", duration=1, outcome="errored")
    made.end("error", error={"message": "it broke", "processorId": "pii", "hook": "x"})
    store = RunStore(made.all)
    assert title_of(store) == "Error in pii in x"
    assert text_of(store).startswith("it broke. ")
    call = deciding_call(store)
    assert call is not None
    assert call.outcome == "errored"


def test_a_good_run_was_ended_by_no_call() -> None:
    made = Events()
    made.end("passed")
    assert deciding_call(RunStore(made.all)) is None


def test_an_error_of_the_model_is_told_from_others() -> None:
    for error, title in (
        ({"name": "APIError", "message": "busy", "statusCode": 503}, "the model call, status 503"),
        ({"name": "APIError", "message": "cut off"}, "the model call"),
        ({"name": "OSError", "message": "disk full"}, "the run"),
    ):
        made = Events()
        made.begin_attempt()
        made.end("error", error=error)
        store = RunStore(made.all)
        assert title_of(store) == f"Error in {title}"
        assert text_of(store).startswith(f"{error['message']}. ")
