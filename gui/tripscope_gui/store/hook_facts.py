"""What each processor did in each of the nine hooks, and what the rest of the run did."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from tripscope.processor import HOOKS, Outcome
from tripscope.wire import JSON
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.chain import ProcessorInfo

FACTS: Final = ("model", "tools", "memory", "client")
_PHASES: Final = {
    "processInput": "input", "processOutputStream": "output", "processOutputResult": "output",
}  # fmt: skip


class HookFact(Struct, frozen=True):
    """One cell. ``outcome`` None: not called yet, or the processor has no such hook (``absent``).

    ``duration`` in ns over all ``calls``; ``seq`` of the first call with that outcome.
    """

    outcome: Outcome | None
    calls: int = 0
    duration: int = 0
    seq: int | None = None
    absent: bool = False
    why: str = ""


class Fact(Struct, frozen=True):
    """One line about something that is no processor; ``quoted`` is text of a model or rule."""

    outcome: Outcome | None
    words: str
    detail: str = ""
    quoted: str = ""
    mono: bool = False


def hook_fact(store: RunStore, processor: ProcessorInfo, hook: str) -> HookFact:
    """What ``processor`` did in ``hook`` so far."""
    tally = store.calls.get(processor.id, hook)
    off = _phase_off(processor, hook)
    if tally is not None and not (off and tally.outcome == "pass"):
        worst = tally.outcome
        seq = tally.firsts.get(worst)
        return HookFact(worst, tally.count, tally.duration, seq)
    if not processor.runs_in(hook):
        return HookFact(None, absent=True, why="no such hook")
    if off:
        seq = tally.seqs[0] if tally is not None else None
        phase = processor.options.get("phase")
        return HookFact("skipped", seq=seq, why=f"its phase is {phase}")
    if not store.over:
        return HookFact(None, why="not called yet")
    return HookFact("not-run", why=_why_not(store, hook))


def counts(store: RunStore) -> tuple[int, int]:
    """How many (processor, hook) pairs ran, and how many had to wait in vain."""
    ran = waited = 0
    for processor in store.chain:
        for hook in HOOKS:
            fact = hook_fact(store, processor, hook)
            ran += fact.calls > 0
            waited += fact.outcome == "not-run"
    return ran, waited


def fact(store: RunStore, name: str) -> Fact:
    """The line of one of `FACTS`."""
    return _FACTS[name](store)


def _model(store: RunStore) -> Fact:
    totals = store.totals
    if not store.requests:
        return Fact("not-run" if store.over else None, _not_yet(store), "no request sent")
    count = len(store.requests)
    tokens = ""
    if totals.tokens_in is not None:
        tokens = f", {totals.tokens_in:,} tokens in, {totals.tokens_out or 0:,} out"
    words = f"{count} request{'s' if count > 1 else ''}"
    detail = f"{totals.model_chunks:,} model chunks{tokens}"
    return Fact(None, words, detail, store.requests[-1].model)


def _tools(store: RunStore) -> Fact:
    runs = store.tools
    if not runs:
        return Fact("not-run" if store.over else None, _not_yet(store), "no calls")
    failed = sum(run.ended is not None and run.ended.error is not None for run in runs)
    spent = sum(run.ended.duration for run in runs if run.ended is not None) / 1e6
    names = ", ".join(dict.fromkeys(run.started.tool_name for run in runs))
    detail = f"{spent:,.0f} ms" + (f", {failed} failed" if failed else "")
    words = f"{len(runs)} call{'s' if len(runs) > 1 else ''}"
    return Fact("errored" if failed else None, words, detail, names)


def _memory(store: RunStore) -> Fact:
    if store.ended is None:
        return Fact(None, "not stored yet")
    if store.ended.stored:
        return Fact(None, "stored", "prompt and answer")
    if store.ended.status in ("blocked", "error", "cancelled"):
        return Fact("not-run", "not run", "prompt and answer not stored")
    return Fact(None, "not stored", "this run keeps no memory")


def _client(store: RunStore) -> Fact:
    ended = store.ended
    count = store.totals.delivered
    chunks = f"{count} chunk{'s' if count != 1 else ''}"
    if ended is None:
        return Fact(None, chunks, "so far")
    reason = f"finishReason {ended.finish_reason}" if ended.finish_reason else ""
    if ended.tripwire is not None:
        return Fact("blocked", "tripwire", reason, _text(ended.tripwire, "reason"), mono=True)
    if ended.error is not None:
        return Fact("errored", "error", reason, _text(ended.error, "message"), mono=True)
    status: dict[str, Outcome] = {"passed": "pass", "changed": "changed", "flagged": "flagged"}
    return Fact(status.get(ended.status), chunks, reason)


_FACTS: Final = {"model": _model, "tools": _tools, "memory": _memory, "client": _client}


def _text(value: JSON, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else value
    return found if isinstance(found, str) else ""


def _not_yet(store: RunStore) -> str:
    return "not run" if store.over else "nothing yet"


def _phase_off(processor: ProcessorInfo, hook: str) -> bool:
    phase = processor.options.get("phase")
    wanted = _PHASES.get(hook)
    return phase in ("input", "output") and wanted is not None and wanted != phase


def _why_not(store: RunStore, hook: str) -> str:
    if hook == "processAPIError":
        return "no provider call failed"
    if hook == "processToolResult" and not store.tools:
        return "no tool was called"
    return "the run ended before it"
