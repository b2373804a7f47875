"""Asks V8 itself, where ``tripscope[v8]`` is installed, whether an attack works."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from typing import Final

from tripscope.patterns.units import spread
from tripscope.rules.blow_up import Attack
from tripscope.rules.rule import RegexRule

# V8 cannot be stopped in mid-match without leaving a thread behind: it runs in a child that ends
# itself.
_CHILD: Final = """
import json, os, sys, threading
from py_mini_racer import MiniRacer
job = json.load(sys.stdin)
context = MiniRacer()
context.eval("1")
timer = threading.Timer(job["seconds"], os._exit, (9,))
timer.daemon = True
timer.start()
context.eval(job["script"])
os._exit(0)
"""
_STARTING_SECONDS: Final = 20


def confirm_in_v8(rule: RegexRule, attack: Attack, *, seconds: float = 1.0) -> bool | None:
    """Whether V8 needs longer than that for the attack; None if V8 is not to be had.

    Runs a child process; not for an event loop's thread.
    """
    if importlib.util.find_spec("py_mini_racer") is None:
        return None
    pattern, flags, text = map(_js_string, (rule.pattern, rule.flags, attack.text()))
    job = {"seconds": seconds, "script": f"new RegExp({pattern}, {flags}).test({text})"}
    try:
        done = subprocess.run(
            [sys.executable, "-c", _CHILD],
            input=json.dumps(job),
            text=True,
            capture_output=True,
            timeout=seconds + _STARTING_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {0: False, 9: True}.get(done.returncode)


def _js_string(text: str) -> str:
    return '"' + "".join(f"\\u{ord(unit):04x}" for unit in spread(text)) + '"'
