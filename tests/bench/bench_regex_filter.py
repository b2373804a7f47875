"""RegexFilterProcessor beside the class it follows, on the same texts in the same run.

Both sides go through the public hook with a reporting sink set; nobody traces. They take turns, so
that a machine that is busy for a while is busy for both; of each the best turn counts. A growing
token has a limit of its own: the reference takes the cube of its length.
"""

import asyncio
import json
import random
import sys
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any, cast

from tests.bench.node import HERE, talk
from tests.bench.rows import Row
from tripscope.chunks import BlockEdge, Chunk, Delta
from tripscope.messages import text_message
from tripscope.processor import Violation
from tripscope.processors.regex_filter import RegexFilterProcessor

RULES = Path(__file__).with_name("rules.json")
PRESETS = ["pii", "secrets", "urls"]
GOAL = {"ASCII": 0.5, "emoji": 1.0}
_WORDS = """the of and to in is that it was for on are as with his they at be this from have or by
one had not but what all were when we there can an your which their said if do will each about how
up out them then she many some so these would other into has more two like him see time could no
make than first been its who now people my made over did down only way find use may water long
little very after words called just where most know get through back much before go good new write
our used me man too any day same right look think also around another came come work three word must
because does part even place well such here take why things help put years different away again off
went old number great tell men say small every found still between name should""".split()  # noqa: SIM905 - a list of a hundred strings is no clearer
_HITS = [
    "ann.lee@example.test",
    "415-555-0132",
    "123-45-6789",
    "4111 1111 1111 1111",
    "api_key=abcd1234abcd1234abcd1234",
    "Bearer abc.def-ghi_jkl",
    "AKIAIOSFODNN7EXAMPLE",
    "https://example.test/a?b=c",
]


class _Untraced:
    """What hooks are given when nobody traces."""

    silent = True

    def finding(self, *_: object, **__: object) -> None: ...

    def emit(self, _: object) -> None: ...

    def held(self, _: int) -> None: ...

    def warning(self, *_: object) -> None: ...


def prose(size: int, *, emoji: bool = False, hits: int = 0) -> str:
    """Words, numbers, punctuation, the same each time; ``hits`` of the presets spread over it."""
    chance = random.Random(11)
    out: list[str] = []
    length, told = 0, 0
    while length < size:
        word = chance.choice(_WORDS)
        kind = chance.random()
        if kind < 0.01:
            word = str(chance.randrange(3000))
        elif kind < 0.09:
            word += chance.choice(".,;:")
        elif kind < 0.12:
            word = word.capitalize()
        elif emoji and kind < 0.15:
            word = "\U0001f600"
        if hits and length >= (told + 1) * size // hits:
            word = _HITS[told % len(_HITS)]
            told += 1
        out.append(word)
        length += len(word) + 1
    return " ".join(out)[:size]


def _job() -> dict[str, Any]:
    rules = json.loads(RULES.read_text("utf-8"))["rules"]
    options = {
        "presets": {"presets": PRESETS, "strategy": "redact"},
        "presets, block": {"presets": PRESETS, "strategy": "block"},
        "20 rules": {"rules": rules, "strategy": "redact"},
        "20 rules, block": {"rules": rules, "strategy": "block"},
    }
    texts: dict[str, str] = {}
    work: list[dict[str, Any]] = []
    for kind in GOAL:
        emoji = kind == "emoji"
        texts |= {
            f"100 KB {kind}": prose(100_000, emoji=emoji),
            f"1 MB {kind}": prose(1_000_000, emoji=emoji),
            f"1 MB {kind}, 500 hits": prose(1_000_000, emoji=emoji, hits=500),
            f"200 chars {kind}": prose(200, emoji=emoji),
        }
        for rule_set in ("presets", "20 rules"):
            for size in (4, 20):
                for length, times in (("100 KB", 9), ("1 MB", 2)):
                    work.append(
                        {"kind": "stream", "options": rule_set, "text": f"{length} {kind}",
                         "size": size, "times": times, "repeat": 1, "goal": GOAL[kind],
                         "name": f"stream {length} {kind}, {size}-char chunks, {rule_set}"}
                    )  # fmt: skip
            for hits in ("", ", 500 hits"):
                work.append(
                    {"kind": "whole", "options": rule_set, "text": f"1 MB {kind}{hits}",
                     "times": 12, "repeat": 1, "goal": GOAL[kind],
                     "name": f"message 1 MB {kind}{hits or ', clean'}, {rule_set}"}
                )  # fmt: skip
            work.append(
                {"kind": "whole", "options": f"{rule_set}, block", "text": f"200 chars {kind}",
                 "times": 20, "repeat": 2000, "goal": GOAL[kind],
                 "name": f"block on 200 chars {kind}, {rule_set}"}
            )  # fmt: skip
    return {"options": options, "texts": texts, "work": work}


def _filter(options: dict[str, Any]) -> RegexFilterProcessor:
    made = RegexFilterProcessor.from_options(options)

    def ignore(_: Violation) -> None: ...

    made.on_violation = ignore
    return made


def _cut(text: str, size: int) -> list[Chunk]:
    units = text.encode("utf-16-le", "surrogatepass")
    parts = [
        units[at : at + 2 * size].decode("utf-16-le", "surrogatepass")
        for at in range(0, len(units), 2 * size)
    ]
    chunks = [Chunk("text-delta", Delta(id="t1", text=part), "r") for part in parts]
    return [*chunks, Chunk("text-end", BlockEdge(id="t1"), "r")]


def _args(**more: Any) -> Any:
    return SimpleNamespace(retry_count=0, probe=_Untraced(), abort=None, **more)


async def _stream(made: RegexFilterProcessor, chunks: list[Chunk]) -> float:
    args = _args(state={}, part=None, stream_parts=())
    hook = cast("Callable[[Any], Any]", made.process_output_stream)
    begun = perf_counter()
    for chunk in chunks:
        args.part = chunk
        answer = hook(args)
        # As the engine does: most answers need no waiting.
        if type(answer) is not Chunk and answer is not None and isawaitable(answer):
            await answer
    return perf_counter() - begun


async def _whole(made: RegexFilterProcessor, text: str, repeat: int) -> float:
    messages = [text_message("user", text, id="m1")]
    hook = cast("Callable[[Any], Awaitable[Any] | list[Any]]", made.process_input)
    args = _args(state={}, messages=messages, system_messages=[])
    begun = perf_counter()
    for _ in range(repeat):
        args.state = {}
        answer = hook(args)
        if type(answer) is not list and isawaitable(answer):
            await answer
    return (perf_counter() - begun) / repeat


async def _measure(
    job: dict[str, Any], reference: Callable[[str], str] | None
) -> list[tuple[float, float | None]]:
    """Microseconds of each piece of work, ours and the reference's, the best of its times."""
    took: list[tuple[float, float | None]] = []
    for number, work in enumerate(job["work"]):
        made = _filter(job["options"][work["options"]])
        text = job["texts"][work["text"]]
        chunks = _cut(text, work["size"]) if work["kind"] == "stream" else []
        ours: list[float] = []
        theirs: list[float] = []
        for _ in range(work["times"]):
            if chunks:
                ours.append(await _stream(made, chunks) * 1e6)
            else:
                ours.append(await _whole(made, text, work["repeat"]) * 1e6)
            if reference is not None:
                theirs.append(float(reference(str(number))))
        took.append((min(ours), min(theirs, default=None)))
    return took


async def _growing(size: int) -> float:
    """Milliseconds for one bearer token of ``size`` characters in 4-char chunks, all presets."""
    chance = random.Random(3)
    token = "".join(chance.choice("abcdefghijklmnopqrstuvwxyz0123456789-_.") for _ in range(size))
    chunks = _cut(f"Authorization: Bearer {token} end", 4)
    made = _filter({"presets": PRESETS, "strategy": "redact"})
    return min([await _stream(made, chunks) for _ in range(3)]) * 1e3


def rows() -> list[Row]:
    """All lines; a line has no reference where node is missing."""
    job = _job()
    with talk(HERE / "regex_filter.mjs", json.dumps(job)) as reference:
        took = asyncio.run(_measure(job, reference))
    lines = [
        Row(work["name"], ours, "µs", theirs, work["goal"])
        for work, (ours, theirs) in zip(job["work"], took, strict=True)
    ]
    long, half = asyncio.run(_growing(100_000)), asyncio.run(_growing(50_000))
    lines.append(
        Row("growing token of 100 KB, 4-char chunks", long, "ms", goal=100, against_value=True)
    )
    lines.append(Row("growing token: 100 KB against 50 KB", long, "ms", half, goal=2.5))
    return lines


if __name__ == "__main__":
    from tests.bench.rows import table

    sys.stdout.write(table(rows()) + "\n")
