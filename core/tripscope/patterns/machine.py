"""A backtracking matcher with exactly the semantics of ECMA-262 22.2.2.

It keeps its own stack, so no pattern or text exhausts Python's, and counts its steps, so that a
time budget holds. It is slower than the ``regex`` module by far and runs only what that can't.
"""

from collections.abc import Callable
from time import thread_time
from typing import Any

from tripscope.patterns.errors import MatchTimeout
from tripscope.patterns.opcodes import (
    BACKREF,
    BACKREF_BACK,
    BOUNDARY,
    CHAR,
    CHAR_BACK,
    CLOSE,
    CLOSE_BACK,
    END,
    ENTER,
    JUMP,
    LOOK,
    LOOK_END,
    LOOP,
    LOOP_END,
    LOOP_INIT,
    NOT_LOOK,
    NOT_LOOK_END,
    OPEN,
    RUN,
    RUN_BACK,
    SPLIT,
    START,
)
from tripscope.patterns.program import Program

_STEPS_PER_LOOK_AT_CLOCK = 1000
_MAX_STACK = 4_000_000

Registers = list[int]


class Machine:
    """Runs one program; ``fold`` maps a character to its canonical form, or is None."""

    __slots__ = ("_fold", "_program")

    def __init__(self, program: Program, fold: Callable[[str], str] | None) -> None:
        """Keep what does not change between calls."""
        self._program = program
        self._fold = fold

    def match(self, text: str, start: int, clock: "Clock") -> Registers | None:
        """The registers of the match that begins at ``start``, or None.

        Registers 0 and 1 hold its span. Raises MatchTimeout.
        """
        registers = [-1] * self._program.registers
        end = _run(self._program.code, registers, text, start, self._fold, clock)
        if end < 0:
            return None
        registers[0], registers[1] = start, end
        return registers


class Clock:
    """A time budget shared by the attempts of one call; ``deadline`` as `thread_time`, or None."""

    __slots__ = ("deadline", "left")

    def __init__(self, deadline: float | None) -> None:
        """Start with no steps made."""
        self.deadline = deadline
        self.left = _STEPS_PER_LOOK_AT_CLOCK

    @staticmethod
    def of(timeout: float | None) -> "Clock":
        """A clock that starts now; ``timeout`` in seconds, or None for no end."""
        return Clock(None if timeout is None else thread_time() + timeout)

    def seconds_left(self) -> float | None:
        """For an engine with a budget of its own; raises MatchTimeout if there is nothing left."""
        if self.deadline is None:
            return None
        left = self.deadline - thread_time()
        if left <= 0:
            raise MatchTimeout
        return left

    def check(self, height: int) -> None:
        """Look at the clock and at the height of the stack."""
        self.left = _STEPS_PER_LOOK_AT_CLOCK
        if self.deadline is not None and thread_time() > self.deadline:
            raise MatchTimeout
        if height > _MAX_STACK:
            raise MatchTimeout("the match took more memory than it is given")


def _run(  # noqa: C901 - one loop: a call per instruction would double its cost
    code: tuple[tuple[Any, ...], ...],
    regs: Registers,
    text: str,
    pos: int,
    fold: Callable[[str], str] | None,
    clock: Clock,
) -> int:
    """Where the match from ``pos`` ends, or -1."""
    size = len(text)
    stack: list[tuple[int, int, int, int]] = []  # pc, position, trail height, last position
    trail: list[tuple[int, int]] = []  # register, what it held
    pc = 0
    left = clock.left
    while True:
        left -= 1
        if left <= 0:
            clock.check(len(stack) + len(trail))
            left = clock.left
        step = code[pc]
        op = step[0]
        pc += 1
        if op == CHAR:
            if pos < size and step[1][text[pos]]:
                pos += 1
                continue
        elif op == RUN:
            stop = size if step[3] is None else min(size, pos + step[3])
            test = step[1]
            low = pos + step[2]
            at = pos
            while at < stop and test[text[at]]:
                at += 1
            if at >= low:
                if at > low:
                    stack.append((pc, at - 1, len(trail), low))
                left -= (at - pos) >> 3
                pos = at
                continue
        elif op == SPLIT:
            stack.append((step[1], pos, len(trail), pos))
            continue
        elif op == JUMP:
            pc = step[1]
            continue
        elif op in (OPEN, LOOP_INIT):
            at = step[1]
            trail.append((at, regs[at]))
            regs[at] = pos if op == OPEN else 0
            continue
        elif op in (CLOSE, CLOSE_BACK):
            at = step[2]
            other = regs[step[1]]
            trail.append((at, regs[at]))
            trail.append((at + 1, regs[at + 1]))
            regs[at], regs[at + 1] = (other, pos) if op == CLOSE else (pos, other)
            continue
        elif op == LOOP:
            count = regs[step[1]]
            if count < step[2]:
                continue
            if step[3] is not None and count >= step[3]:
                pc = step[5]
            elif step[4]:
                stack.append((step[5], pos, len(trail), pos))
            else:
                stack.append((pc, pos, len(trail), pos))
                pc = step[5]
            continue
        elif op == ENTER:
            at = step[1]
            trail.append((at, regs[at]))
            regs[at] = pos
            for at in range(step[2], step[3]):
                if regs[at] >= 0:
                    trail.append((at, regs[at]))
                    regs[at] = -1
            continue
        elif op == LOOP_END:
            at = step[1]
            count = regs[at]
            if pos != regs[step[2]] or count < step[3]:
                trail.append((at, count))
                regs[at] = count + 1
                pc = step[4]
                continue
        elif op == LOOK:
            at = step[1]
            trail.append((at, regs[at]))
            regs[at] = len(stack)
            at = step[2]
            trail.append((at, regs[at]))
            regs[at] = pos
            continue
        elif op == LOOK_END:
            del stack[regs[step[1]] :]
            pos = regs[step[2]]
            continue
        elif op == NOT_LOOK:
            at = step[1]
            trail.append((at, regs[at]))
            regs[at] = len(stack)
            stack.append((step[2], pos, len(trail), pos))
            continue
        elif op == NOT_LOOK_END:
            del stack[regs[step[1]] + 1 :]
            stack.pop()
        elif op == BOUNDARY:
            test = step[1]
            before = pos > 0 and test[text[pos - 1]]
            after = pos < size and test[text[pos]]
            if (before != after) == step[2]:
                continue
        elif op == START:
            if pos == 0 or (step[1] is not None and step[1][text[pos - 1]]):
                continue
        elif op == END:
            if pos == size or (step[1] is not None and step[1][text[pos]]):
                continue
        elif op == CHAR_BACK:
            if pos > 0 and step[1][text[pos - 1]]:
                pos -= 1
                continue
        elif op == RUN_BACK:
            stop = 0 if step[3] is None else max(0, pos - step[3])
            test = step[1]
            low = pos - step[2]
            at = pos
            while at > stop and test[text[at - 1]]:
                at -= 1
            if at <= low:
                if at < low:
                    stack.append((pc, at + 1, len(trail), low))
                pos = at
                continue
        elif op == BACKREF:
            at = regs[step[1]]
            if at < 0:
                continue
            wanted = text[at : regs[step[1] + 1]]
            found = text[pos : pos + len(wanted)]
            if found == wanted or (
                fold is not None
                and len(found) == len(wanted)
                and all(fold(a) == fold(b) for a, b in zip(found, wanted, strict=True))
            ):
                pos += len(wanted)
                continue
        elif op == BACKREF_BACK:
            at = regs[step[1]]
            if at < 0:
                continue
            wanted = text[at : regs[step[1] + 1]]
            found = text[max(0, pos - len(wanted)) : pos]
            if found == wanted or (
                fold is not None
                and len(found) == len(wanted)
                and all(fold(a) == fold(b) for a, b in zip(found, wanted, strict=True))
            ):
                pos -= len(wanted)
                continue
        else:
            clock.left = left
            return pos
        # Nothing continued: go back to the last choice.
        if not stack:
            clock.left = left
            return -1
        pc, pos, height, last = stack.pop()
        if pos != last:
            stack.append((pc, pos - 1 if pos > last else pos + 1, height, last))
        while len(trail) > height:
            at, value = trail.pop()
            regs[at] = value
