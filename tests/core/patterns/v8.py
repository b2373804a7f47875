"""V8 as the authority on patterns: node where it is installed, else mini-racer (a newer V8)."""

import json
import shutil
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

_HERE = Path(__file__).parent
_SECONDS = 0.5
# How tests/support/leaks.py knows threads that outlive a test.
_SHARED_POOL = "tripscope-pool"


@dataclass(frozen=True)
class Case:
    """A pattern on a text, with a replacement and a lastIndex to try."""

    pattern: str
    flags: str
    text: str
    replacement: str = "<$&>"
    last_index: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "p": self.pattern,
            "f": self.flags,
            "t": self.text,
            "r": self.replacement,
            "at": self.last_index,
        }


class Engine(Protocol):
    """Answers cases; each answer holds error, gaveUp, or matches, replaced, from and source."""

    name: str
    is_node: bool

    def ask(self, cases: list[Case], seconds: float = _SECONDS) -> list[dict[str, Any]]:
        """V8's answers; it may give a case up after so long, other work on the machine included."""
        ...

    def close(self) -> None: ...


class Node:
    """One node process, asked over its pipes."""

    is_node = True

    def __init__(self) -> None:
        self._process = self._start()
        version = subprocess.run(
            ["node", "-p", "'node ' + process.version + ', V8 ' + process.versions.v8"],
            capture_output=True,
            text=True,
            check=True,
        )
        self.name = version.stdout.strip()

    def _start(self) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(shutil.which("node")), str(_HERE / "v8_node.js")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="ascii",
        )

    def ask(self, cases: list[Case], seconds: float = _SECONDS) -> list[dict[str, Any]]:
        try:
            return self._ask(cases)
        except (OSError, ValueError):
            # Some patterns exhaust the memory of node: it ends, a new one answers the others.
            self._process.communicate()
            self._process = self._start()
        if len(cases) == 1:
            return [{"gaveUp": "node ended"}]
        half = len(cases) // 2
        return self.ask(cases[:half]) + self.ask(cases[half:])

    def _ask(self, cases: list[Case]) -> list[dict[str, Any]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([case.as_json() for case in cases]) + "\n")
        self._process.stdin.flush()
        answers: list[dict[str, Any]] = json.loads(self._process.stdout.readline())
        return answers

    def close(self) -> None:
        self._process.communicate()


class Racer:
    """V8 inside this process."""

    is_node = False

    def __init__(self) -> None:
        from py_mini_racer import MiniRacer

        before = set(threading.enumerate())
        self._racer = MiniRacer()
        # Its thread serves all tests of the module.
        for thread in set(threading.enumerate()) - before:
            thread.name = f"{_SHARED_POOL} v8"
        self._racer.eval((_HERE / "v8.js").read_text())
        self.name = f"mini-racer, V8 {self._racer.v8_version}"

    def ask(self, cases: list[Case], seconds: float = _SECONDS) -> list[dict[str, Any]]:
        return [self._one(case, seconds) for case in cases]

    def _one(self, case: Case, seconds: float) -> dict[str, Any]:
        line = json.dumps(json.dumps(case.as_json()))
        try:
            answer = self._racer.eval(f"tripscopeCase({line})", timeout=int(seconds * 1000))
        except Exception as error:  # mini-racer's timeout class moved between its versions
            return {"gaveUp": str(error)}
        found: dict[str, Any] = json.loads(str(answer))
        return found

    def close(self) -> None:
        self._racer.close()


def start() -> Engine:
    """The engine that is to be had here."""
    return Node() if shutil.which("node") else Racer()
