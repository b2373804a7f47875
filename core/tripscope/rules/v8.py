"""Asks V8 itself, where ``tripscope[js]`` is installed, what an attack costs."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from math import log
from typing import Final

from msgspec import Struct

from tripscope.patterns.units import spread, utf16_len
from tripscope.rules.blow_up import Attack
from tripscope.rules.rule import RegexRule

# V8 cannot be stopped in mid-match without leaving a thread behind: it runs in a child that ends
# itself.
_CHILD: Final = """
import json, os, sys, threading, time
from py_mini_racer import MiniRacer
job = json.load(sys.stdin)
context = MiniRacer()
context.eval(job["rule"])
def watch(begun=time.process_time()):
    while time.process_time() - begun < job["seconds"]:
        time.sleep(0.02)
    os._exit(9)
threading.Thread(target=watch, daemon=True).start()
for turns in job["turns"]:
    context.eval("var text = prefix + pump.repeat(%d) + suffix; text.charCodeAt(0)" % turns)
    took = 1e9
    for _ in range(3):
        begun = time.process_time()
        context.eval("rule.lastIndex = 0; rule.test(text)")
        took = min(took, time.process_time() - begun)
        if took > job["enough"] / 4:
            break
    print(json.dumps([turns, took]), flush=True)
    if took > job["enough"]:
        break
os._exit(0)
"""
_STARTING_SECONDS: Final = 20
_PATIENCE: Final = 4
_BUSY: Final = 4
"""By how much a busy machine may stretch the time on the wall."""
_SHORT: Final = 0.004
"""Seconds under which a time is not told from that of the call and of the compiler."""
_POWER: Final = 1.5
"""From there on growth is more than linear, whatever the noise."""
_FIRST: Final = 8.0
_LONGEST: Final = 400_000


class Measured(Struct, frozen=True):
    """What V8 took for an attack: (UTF-16 units of the text, seconds), shortest text first.

    The seconds are processor time, so a busy machine changes little.

    ``gave_up``: units of a text on which it was stopped; None if it was done with all.
    """

    points: tuple[tuple[int, float], ...]
    gave_up: int | None = None

    @property
    def power(self) -> float | None:
        """The power of the length with which the time grows; None if it is too short to tell."""
        told = [point for point in self.points if point[1] >= _SHORT]
        if len(told) < 2:
            return None
        (units, took), (more, longer) = told[0], told[-1]
        return log(longer / took) / log(more / units)

    @property
    def confirms(self) -> bool:
        """Whether V8 is slow as well: it was stopped, or the time grows more than the length."""
        return self.gave_up is not None or (self.power or 0) > _POWER


def v8_is_there() -> bool:
    """Whether V8 can be asked."""
    return importlib.util.find_spec("py_mini_racer") is not None


def measure_in_v8(rule: RegexRule, attack: Attack, *, seconds: float = 1.0) -> Measured | None:
    """How long V8 takes on attacks that get longer, until one takes a quarter of ``seconds``.

    It is stopped after four times that many in all; seconds are processor time. None if V8 is not
    to be had. Runs a child process; not for an event loop's thread.
    """
    if not v8_is_there():
        return None
    turns = list(_turns(attack))
    names = ("pattern", "flags", "prefix", "pump", "suffix")
    texts = (rule.pattern, rule.flags, attack.prefix, attack.pump, attack.suffix)
    script = "".join(
        f"var {name} = {_js_string(text)};" for name, text in zip(names, texts, strict=True)
    )
    # A pattern is compiled to machine code at its second use.
    script += "var rule = new RegExp(pattern, flags);" + "rule.test(prefix);" * 2
    job = {"seconds": _PATIENCE * seconds, "enough": seconds / 4, "rule": script, "turns": turns}
    try:
        done = subprocess.run(
            [sys.executable, "-c", _CHILD],
            input=json.dumps(job),
            text=True,
            capture_output=True,
            timeout=_BUSY * _PATIENCE * seconds + _STARTING_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode not in (0, 9):
        return None
    found = [json.loads(line) for line in done.stdout.splitlines()]
    points = tuple((utf16_len(attack.text(count)), took) for count, took in found)
    stopped = done.returncode == 9 and len(found) < len(turns)
    return Measured(points, utf16_len(attack.text(turns[len(found)])) if stopped else None)


def _turns(attack: Attack) -> Iterator[int]:
    """The lengths to try: one turn more where time doubles, else ever more by a half."""
    if attack.degree is None:
        yield from range(4, 4 * attack.turns)
        return
    turns = _FIRST
    while turns * len(attack.pump) <= _LONGEST:
        yield round(turns)
        turns *= 2**0.5


def _js_string(text: str) -> str:
    return '"' + "".join(f"\\u{ord(unit):04x}" for unit in spread(text)) + '"'
