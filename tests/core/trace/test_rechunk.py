import asyncio
from typing import Any

import pytest

from tests.support.engine import processor
from tests.support.example_runs import example_events
from tripscope.chunks import delta_text
from tripscope.processors.regex_filter import RegexFilterProcessor
from tripscope.rules.rule import RegexRule
from tripscope.trace.events import Delivered, RunEnded
from tripscope.trace.rebuild import rebuild_processors
from tripscope.trace.rechunk import BlockResult, blocks_to_check, cut_events, rechunk

KEY = (0, 0, "text", "t1")


def filter_of(pattern: str, strategy: str, *, window: int = 128, **more: Any) -> Any:
    rule = RegexRule(name="r", pattern=pattern, **more)
    return RegexFilterProcessor(
        rules=[rule], strategy=strategy, stream_carryover_size=window, id=f"f-{strategy}"
    )  # type: ignore[arg-type]


async def check(text: str, *processors: Any) -> BlockResult:
    (result,) = await rechunk([(KEY, text)], processors)
    return result


async def test_a_window_that_is_wide_enough_passes_every_cutting() -> None:
    result = await check(f"{'a ' * 40}id-12345, {'b ' * 40}", filter_of(r"id-\d{5}", "redact"))
    assert result.passed
    assert result.made == result.planned > 100
    assert result.first is None


async def test_a_match_longer_than_the_window_fails_under_redact() -> None:
    text = f"before KEY{'x' * 60}END after"
    result = await check(text, filter_of("KEYx{60}END", "redact", window=16, replacement="[K]"))
    assert not result.passed
    assert result.failed > 20
    first = result.first
    assert first is not None
    assert first.cutting.simple
    assert first.processor == "f-redact"
    assert first.why == "differs from UTF-16 unit 7 of what leaves"


async def test_block_looks_at_each_chunk_alone() -> None:
    text = "my secret word"
    result = await check(text, filter_of("secret", "block"))
    failing = {cut.cutting.at[0] for cut in result.failures if cut.cutting.simple}
    assert failing == set(range(4, 9))
    assert result.first is not None
    assert result.first.why == "r: 6 of 6 UTF-16 units left"


async def test_a_part_of_a_match_that_leaves_before_the_tripwire_fails_under_block() -> None:
    result = await check("aabb", filter_of("a+b|b", "block"))
    (cut,) = [cut for cut in result.failures if cut.cutting.at == (1,)]
    assert cut.why == "r: 1 of 3 UTF-16 units left"


async def test_a_tripwire_without_a_match_of_the_whole_fails_under_block() -> None:
    result = await check("a 12", filter_of(r"^\d+", "block"))
    (cut,) = [cut for cut in result.failures if cut.cutting.at == (2,)]
    assert cut.why == "a tripwire came, and nothing matches the whole text"


async def test_no_match_and_no_tripwire_passes_under_block() -> None:
    assert (await check("nothing here", filter_of("secret", "block"))).passed


async def test_another_set_of_findings_fails_under_warn() -> None:
    result = await check("tell 1234 now", filter_of(r"\d+", "warn"))
    whys = {cut.cutting.at: cut.why for cut in result.failures if cut.cutting.simple}
    assert set(whys) == {(6,), (7,), (8,)}
    assert whys[(7,)] == ("r at 5-9 UTF-16 not found; r at 5-7 UTF-16 and 1 more found too")


async def test_a_processor_behind_a_redaction_is_held_against_what_it_is_given() -> None:
    first = filter_of("alpha", "redact", replacement="secret")
    behind = filter_of("secret", "block")
    result = await check("say alpha.", first, behind)
    assert result.failures == []
    assert result.passed


async def test_what_stands_behind_a_tripwire_is_not_blamed() -> None:
    result = await check("stop alpha", filter_of("stop", "block"), filter_of("alpha", "redact"))
    assert {cut.processor for cut in result.failures} <= {"f-block"}


async def test_half_emojis() -> None:
    result = await check("a\U0001f980b \ud83e c", filter_of("\U0001f980", "redact", flags="gu"))
    assert result.passed, result.failures


async def test_what_cannot_be_checked_is_not_passed() -> None:
    result = await check("text", processor("mine", process_output_stream=lambda args: args.part))
    assert not result.passed
    assert result.not_made == "no processor with rules comes first on the stream"
    assert result.unchecked == ("mine",)
    assert result.made == 0


async def test_a_hook_that_raises_is_a_failure() -> None:
    class Fragile(RegexFilterProcessor):
        def process_output_stream(self, args: Any) -> Any:
            if delta_text(args.part) == "ab":
                raise RuntimeError("no ab")
            return super().process_output_stream(args)

    result = await check("abc", Fragile(presets=["pii"], strategy="redact"))
    (why,) = {cut.why for cut in result.failures}
    assert why.endswith("RuntimeError: no ab")


async def test_progress_and_cancel() -> None:
    told: list[tuple[int, int]] = []
    turns, going = 0, asyncio.Event()

    async def pace() -> None:
        nonlocal turns
        turns += 1
        going.set()
        await asyncio.sleep(0)

    filter_ = filter_of("x", "redact")
    await rechunk([(KEY, "a" * 30)], [filter_], progress=lambda *p: told.append(p), pace=pace)
    assert told[-1][0] == told[-1][1] == len(told)
    assert turns > len(told)
    task = asyncio.get_running_loop().create_task(
        rechunk([(KEY, "a" * 30_000)], [filter_], pace=pace)
    )
    going.clear()
    await going.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_failing_cut_as_a_run_to_look_at() -> None:
    secret = filter_of("secret", "block")
    result = await check("my secret word", secret)
    (cut,) = [cut for cut in result.failures if cut.cutting.name == "cut at 4"]
    events = await cut_events(result.text, cut.cutting, [secret])
    ended = events[-1]
    assert isinstance(ended, RunEnded)
    # the final message is looked at as a whole, when its text has left
    assert ended.status == "blocked"
    given = [delta_text(e.chunk) for e in events if isinstance(e, Delivered)]
    assert [text for text in given if text] == ["my s", "ecret word"]


def test_the_example_fails_where_its_window_is_too_small() -> None:
    events = example_events("support-agent")
    blocks = [(block.key, block.model.text) for block in blocks_to_check(events)]
    assert len(blocks) > 1
    chain = list(rebuild_processors(events).values())
    results = asyncio.run(rechunk(blocks, chain))
    assert [bool(result.failed) for result in results].count(True) >= 1
    failed = next(result for result in results if result.failed)
    assert failed.first is not None
    assert failed.first.processor == "secrets"
