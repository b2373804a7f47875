"""What processors may say about themselves, and that nonsense is refused where it is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.engine import agent, processor, read, text
from tripscope.trace.events import FindingMade, HookCalled, SpanEnded, Warned
from tripscope.trace.file import load

Say = Callable[[Any], Any]


async def told(path: Path, say: Say) -> Any:
    """The result of a run whose processor says that at each delta; its trace is in ``path``."""

    def hook(args: Any) -> Any:
        if args.part.type == "text-delta":
            say(args)
        return args.part

    subject = agent(text("ab"), output_processors=[processor("p", process_output_stream=hook)])
    stream = await subject.stream("hi", trace=path)
    await read(stream)
    return await stream.result()


@pytest.mark.parametrize(
    "say",
    [
        lambda args: args.probe.finding("r", 1.5, 2, "flagged"),
        lambda args: args.probe.finding("r", True, 2, "flagged"),
        lambda args: args.probe.finding(None, 1, 2, "flagged"),
        lambda args: args.probe.finding("r", 1, 2, "bad"),
        lambda args: args.probe.finding("r", 1, 2, "flagged", reported=5),
        lambda args: args.probe.finding("r", 1, 2, "flagged", reported=("a", "b")),
        lambda args: args.probe.finding("r", 1, 2, "flagged", value=5),
        lambda args: args.probe.finding("r", 1, 2, "flagged", part_index="x"),
        lambda args: args.probe.finding("r", 1, 2, "flagged", reported=(1, 2, 3)),
        lambda args: args.probe.finding("r", 1, 2, "flagged", part_index=1 << 60),
        lambda args: args.probe.finding("r", 1, 10**400, "flagged"),
        lambda args: args.probe.finding("r", -1, 2, "flagged"),
        lambda args: args.probe.finding("r", 2, 1, "flagged"),
        lambda args: args.probe.held(1 << 60),
        lambda args: args.probe.held(-1),
        lambda args: args.probe.emit([(0, 1, 0, 1 << 60, None)]),
        lambda args: args.probe.emit([(0, -1, 0, 1, None)]),
        lambda args: args.probe.held("x"),
        lambda args: args.probe.held(1.5),
        lambda args: args.probe.emit(5),
        lambda args: args.probe.emit([5]),
        lambda args: args.probe.emit([(1, 2)]),
        lambda args: args.probe.emit([(0.0, 1.0, 0, 1, None)]),
        lambda args: args.probe.emit([(0, 1, 0, 1, 7)]),
        lambda args: args.probe.warning(5),
    ],
)
async def test_nonsense_fails_the_hook_and_leaves_a_trace_that_loads(
    tmp_path: Path, say: Say
) -> None:
    path = tmp_path / "a.trace.jsonl"
    result = await told(path, say)
    assert result.status == "error"
    assert "processOutputStream of processor 'p' raised" in str(result.error)
    (errored,) = [e for e in load(path) if isinstance(e, HookCalled) and e.outcome == "errored"]
    assert errored.processor == "p"


async def test_what_has_meaning_is_on_record(tmp_path: Path) -> None:
    path = tmp_path / "a.trace.jsonl"

    def say(args: Any) -> None:
        args.probe.finding("r", 0, 2, "flagged", reported=(0, 2), value="ab", part_index=0)
        args.probe.emit([(0, 1, 0, 1, None)])
        args.probe.emit([*one] for one in ((1, 2, 1, 2, "r"),))
        args.probe.held(0)
        args.probe.warning("half of it", {"n": 1})
        args.tracing_context.current_span.child(5).end()

    assert (await told(path, say)).status == "flagged"
    events = load(path)
    (finding,) = [event for event in events if isinstance(event, FindingMade)]
    assert (finding.rule, finding.start, finding.end, finding.reported) == ("r", 0, 2, (0, 2))
    (call,) = [e for e in events if isinstance(e, HookCalled) and e.outcome == "flagged"]
    assert (call.intervals, call.held) == (((0, 1, 0, 1, None), (1, 2, 1, 2, "r")), 0)
    assert [event.message for event in events if isinstance(event, Warned)] == ["half of it"]
    assert "5" in [event.name for event in events if isinstance(event, SpanEnded)]
