"""What is offered against text that left too early, and that each offer holds when it is run."""

from __future__ import annotations

from typing import Any

import pytest

from tripscope.session import start_run
from tripscope.session.model import Session
from tripscope.session.remedies import Advice, for_leak
from tripscope.trace.blocks import Block, BlockCollector
from tripscope.trace.checks import DECIDED, JOINED, run_checks
from tripscope.trace.events import AnyEvent, RunStarted
from tripscope.trace.recorder import EventLog

KEY = "-----BEGIN " + "x" * 200 + " END-----"
LONG_KEY = {"name": "key", "pattern": "-----BEGIN [ x]{150,}END-----", "replacement": "[KEY]"}
ORDER = {"name": "order", "pattern": r"ORD-\d{6}", "replacement": "[ORDER]"}


def session(text: list[str], *rules: dict[str, Any], **options: Any) -> Session:
    return Session.model_validate(
        {
            "name": "s",
            "model": {"script": [{"text": text}]},
            "chain": [
                {"id": "f", "type": "regex-filter", "options": options, "rules": list(rules)}
            ],
            "prompts": ["hi"],
        }
    )


async def run(subject: Session) -> list[AnyEvent]:
    log = EventLog()
    stream = await start_run(subject, trace=log, real_time=False)
    async for _chunk in stream.full_stream:
        pass
    await stream.aclose()
    return list(log)


def only_block(events: list[AnyEvent]) -> Block:
    (block,) = BlockCollector(events).blocks.values()
    return block


async def verdicts(subject: Session) -> dict[str, str]:
    return {check.name: check.verdict for check in run_checks(await run(subject))}


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


async def test_a_match_longer_than_the_window_is_held_by_a_wider_one_or_to_its_end() -> None:
    subject = session(cut(f"It is {KEY}.", 20), LONG_KEY, strategy="redact")
    block = only_block(await run(subject))
    advice = await for_leak(subject, block, "f", ("key", 6, 6 + len(KEY)))
    assert advice.why == f"This match is {len(KEY)} UTF-16 units long, the window 128."
    window, hold = advice.remedies
    assert (window.before, window.link) == ("Raise the window of f from 128", "to 256")
    assert hold.link == "set streamHold to complete"
    for remedy in advice.remedies:
        assert remedy.session is not None
        found = await verdicts(remedy.session)
        assert (found[DECIDED], found[JOINED]) == ("pass", "pass")
        assert "nothing of it leaves" in remedy.after


@pytest.mark.parametrize("strategy", ["block"])
async def test_a_match_in_several_chunks_is_not_seen_chunk_by_chunk(strategy: str) -> None:
    subject = session(["see ORD-2", "044", "17 now"], ORDER, strategy=strategy)
    block = only_block(await run(subject))
    advice = await for_leak(subject, block, "f", ("order", 4, 14))
    assert advice.why == "Under block each chunk is searched alone; this match came in 3 chunks."
    (hold,) = advice.remedies
    assert hold.link == "set streamHold to complete"
    assert "blocked before any of it leaves" in hold.after
    assert hold.session is not None
    assert (await verdicts(hold.session))[DECIDED] == "pass"


async def test_context_that_the_window_cuts_off_is_named() -> None:
    behind = {"name": "after", "pattern": r"(?<=key: {20})\d{4}", "replacement": "[N]"}
    subject = session(
        [*"key:" + " " * 20 + "1234"], behind, strategy="redact", streamCarryoverSize=4
    )
    events = await run(subject)
    assert any(c.name == DECIDED and c.verdict == "fail" for c in run_checks(events))
    advice = await for_leak(subject, only_block(events), "f", ("after", 24, 28))
    assert "looks at text outside its match" in advice.why
    assert [r.link for r in advice.remedies][-1] == "set streamHold to complete"
    for remedy in advice.remedies:
        assert remedy.session is not None
        assert (await verdicts(remedy.session))[DECIDED] == "pass"


async def test_a_chain_that_was_mended_since_needs_a_replay_only() -> None:
    subject = session(cut(f"It is {KEY}.", 20), LONG_KEY, strategy="redact")
    block = only_block(await run(subject))
    mended = session(cut(f"It is {KEY}.", 20), LONG_KEY, strategy="redact", streamCarryoverSize=512)
    advice = await for_leak(mended, block, "f", ("key", 6, 6 + len(KEY)))
    (replay,) = advice.remedies
    assert (replay.link, replay.session) == ("replay", None)


async def test_what_does_not_help_is_not_offered() -> None:
    subject = session(cut(f"It is {KEY}.", 20), LONG_KEY, strategy="redact")
    block = only_block(await run(subject))
    # the rule was edited since and matches nothing of it: there is nothing left to keep in
    edited = session([], LONG_KEY | {"enabled": False}, ORDER, strategy="redact")
    advice = await for_leak(edited, block, "f", ("key", 6, 6 + len(KEY)))
    assert all(one.session is None or "256" in one.link for one in advice.remedies)
    assert await for_leak(subject, block, "gone", ("key", 6, 9)) == Advice()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"enabled": False}, "f is switched off now:"),
        ({"options": {"strategy": "redact", "streamCarryoverSize": 512, "phase": "input"}},
         "f looks at input only now:"),
    ],
)  # fmt: skip
async def test_a_filter_that_does_not_look_any_more_is_brought_back(
    change: dict[str, Any], words: str
) -> None:
    subject = session(
        cut(f"It is {KEY}.", 20), LONG_KEY, strategy="redact", streamCarryoverSize=512
    )
    block = only_block(await run(subject))
    off = subject.model_copy(update={"chain": [subject.chain[0].model_copy(update=change)]})
    advice = await for_leak(off, block, "f", ("key", 6, 6 + len(KEY)))
    (on,) = advice.remedies
    assert on.before == words
    assert on.session is not None
    assert (await verdicts(on.session))[DECIDED] == "pass"


async def test_a_stream_that_differs_from_its_whole_is_mended_too() -> None:
    # "ab" is let out before the lookahead could see what follows
    rule = {"name": "front", "pattern": "ab(?!.{6}c)", "replacement": "[F]"}
    subject = session([*"..ab123456c.."], rule, strategy="redact", streamCarryoverSize=2)
    events = await run(subject)
    assert any(c.name == JOINED and c.verdict == "fail" for c in run_checks(events))
    advice = await for_leak(subject, only_block(events), "f", None)
    assert advice.remedies
    for remedy in advice.remedies:
        assert remedy.session is not None
        assert (await verdicts(remedy.session))[JOINED] == "pass"
        assert "equals its whole" in remedy.after


async def test_trying_runs_no_model_and_no_prompt() -> None:
    subject = session(cut(f"It is {KEY}.", 20), LONG_KEY, strategy="redact")
    events = await run(subject)
    before = [e for e in events if isinstance(e, RunStarted)]
    advice = await for_leak(subject, only_block(events), "f", ("key", 6, 6 + len(KEY)))
    for remedy in advice.remedies:
        assert remedy.session is not None
        assert remedy.session.prompts == subject.prompts
    assert len(before) == 1
