"""A run written by hand, event by event, for tests of what the window makes of a trace."""

from typing import Any

from tripscope.chunks import BlockEdge, Chunk, Finish, Usage, text_delta
from tripscope.trace.events import (
    AnyEvent,
    AttemptEnded,
    AttemptStarted,
    Delivered,
    FindingMade,
    HookCalled,
    MessagesChanged,
    ModelChunk,
    ModelRequested,
    RunEnded,
    RunStarted,
    StateChanged,
)

CHAIN = {
    "input": [{"id": "unicode", "type": "unicode-normalizer", "hooks": ["processInput"]}],
    "output": [
        {
            "id": "pii",
            "type": "regex-filter",
            "hooks": ["processInput", "processOutputStream", "processOutputResult"],
            "scans": ["text-delta"],
            "strategy": "redact",
            "presets": ["pii"],
            "rules": [{"name": "email", "pattern": "x"}, {"name": "phone", "pattern": "y"}],
        }
    ],
    "error": [],
}
HOOK = "processOutputStream"


class Events:
    """Numbers events and moves their clock by 1 ms each."""

    def __init__(self, run_id: str = "r1", chain: object = None) -> None:
        self.all: list[AnyEvent] = []
        self.step: int | None = None
        self.attempt: int | None = None
        self.started(run_id, CHAIN if chain is None else chain)

    def put(
        self, kind: Any, *, hook: str | None = None, processor: str | None = None, **body: Any
    ) -> Any:
        head = (len(self.all), len(self.all) * 1_000_000, self.step, self.attempt, hook, processor)
        event = kind(*head, **body)
        self.all.append(event)
        return event

    def started(self, run_id: str, chain: object) -> None:
        self.put(
            RunStarted,
            run_id=run_id,
            mode="scripted",
            method="stream",
            agent="a",
            model="scripted/scripted",
            instructions=(),
            prompt=({"role": "user", "content": "hi"},),
            chain=chain,
            chain_hash="abc123",
            tools=(),
            settings={"maxSteps": 5, "maxProcessorRetries": 3},
            started_at="2026-11-29T10:00:00+00:00",
        )

    def begin_attempt(self, step: int = 0, attempt: int = 0) -> None:
        self.step, self.attempt = step, attempt
        self.put(AttemptStarted)
        self.put(ModelRequested, call=step, model="scripted/scripted", prompt=())

    def chunk(self, index: int, chunk: Chunk) -> Chunk:
        self.put(ModelChunk, call=self.step or 0, index=index, chunk=chunk)
        return chunk

    def hook(
        self,
        index: int,
        part: Chunk,
        out: tuple[Chunk, ...],
        processor: str | None = "pii",
        **more: Any,
    ) -> Any:
        more.setdefault("outcome", "pass")
        return self.put(
            HookCalled,
            hook=HOOK,
            processor=processor,
            duration=1000,
            index=index,
            part=part,
            out=out,
            **more,
        )

    def deliver(self, index: int, chunk: Chunk) -> None:
        self.put(Delivered, index=index, chunk=chunk)

    def end_attempt(self, outcome: str = "pass", **more: Any) -> None:
        self.put(AttemptEnded, outcome=outcome, **more)

    def end(self, status: str = "changed", text: str = "", **more: Any) -> None:
        self.step = self.attempt = None
        self.put(RunEnded, status=status, text=text, **more)


def leak_run() -> list[AnyEvent]:
    """``Ann: ann@x`` in two deltas; the address is held, then replaced; five rows."""
    made = Events()
    made.begin_attempt()
    start = made.chunk(0, Chunk("text-start", BlockEdge(id="t1")))
    made.hook(0, start, (start,), held=0)
    made.deliver(0, start)
    one = made.chunk(1, text_delta("Ann: ann"))
    let = text_delta("Ann: ")
    made.hook(1, one, (let,), held=3, intervals=((0, 5, 0, 5, None),))
    made.deliver(1, let)
    two = made.chunk(2, text_delta("@x"))
    made.hook(2, two, (), held=5, intervals=())
    end = made.chunk(3, Chunk("text-end", BlockEdge(id="t1")))
    flushed = text_delta("[EMAIL]")
    made.put(
        FindingMade,
        hook=HOOK,
        processor="pii",
        rule="email",
        start=5,
        end=10,
        outcome="changed",
        replacement="[EMAIL]",
        value="ann@x",
        block="t1",
        index=3,
    )
    made.hook(
        3, end, (flushed, end), outcome="changed", held=0, intervals=((5, 10, 5, 12, "email"),)
    )
    made.deliver(3, flushed)
    made.deliver(3, end)
    finish = made.chunk(4, Chunk("finish", Finish(reason="stop", usage=Usage(input_tokens=7))))
    made.hook(4, finish, (finish,), held=0)
    made.put(StateChanged, hook=HOOK, processor="pii", changes=(("length", 3, 0),))
    made.put(MessagesChanged, order=(("m1@1", "input"),), versions=(("m1@1", {"role": "user"}),))
    made.end_attempt()
    made.end(text="Ann: [EMAIL]", usage={"inputTokens": 7, "outputTokens": 4})
    return made.all
