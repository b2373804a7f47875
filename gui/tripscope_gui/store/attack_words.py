"""What is said of a text that makes a rule slow in JavaScript, and the test that keeps it."""

from __future__ import annotations

from typing import Final

from tripscope.patterns import MatchTimeout
from tripscope.patterns.units import utf16_len
from tripscope.rules.blow_up import Attack
from tripscope.rules.rule import RegexRule
from tripscope.rules.v8 import Measured
from tripscope.session.model import RuleTest
from tripscope.session.rule_tests import BUDGET_SECONDS
from tripscope_gui.bars.formats import duration
from tripscope_gui.delegates.texts import one_line

_MOST_UNITS: Final = 2_000
"""Length of a test: a session file is read by people."""
_PIECE: Final = 24
_NS: Final = 1e9


def notice_words(attack: Attack) -> tuple[str, str]:
    """Title and text of the warning."""
    if attack.degree is None:
        return "Can blow up in JavaScript", "time doubles with each turn; fast here"
    if attack.degree > 2:
        return "Slow in JavaScript", f"time grows {attack.growth}"
    return "Slow on long texts in JavaScript", "time grows with the square of the length"


def pieces(attack: Attack) -> str:
    """``"aa" 32 times, then "!"``."""
    words = [_quoted(attack.prefix)] if attack.prefix else []
    words.append(f"{_quoted(attack.pump)} {attack.turns:,} times")
    if attack.suffix:
        words.append(_quoted(attack.suffix))
    return ", then ".join(words)


def verdict(measured: Measured, attack: Attack) -> str:
    """What V8 took, in words."""
    if measured.gave_up is not None:
        return f"V8 was stopped on {measured.gave_up:,} UTF-16 units"
    if not measured.points:
        return "V8 gave no answer"
    units, took = measured.points[-1]
    words = f"V8 needs {duration(round(took * _NS))} for {units:,} UTF-16 units"
    if not measured.confirms:
        return f"{words}: not slow there"
    if attack.degree is not None and measured.power is not None:
        return f"{words}; time grows with the power {measured.power:.1f}"
    return words


def attack_test(rule: RegexRule, attack: Attack) -> RuleTest:
    """A test on a short form of the attack, that expects what the rule finds in it now.

    So it fails once the rule finds something else there, or takes longer than a test may.
    """
    turns = min(attack.turns, max(1, _MOST_UNITS // max(1, utf16_len(attack.pump))))
    text = attack.text(turns)
    try:
        found = rule.compiled.find_all(text, timeout=BUDGET_SECONDS)
    except MatchTimeout:
        found = []
    return RuleTest(text=text, match=bool(found))


def _quoted(text: str) -> str:
    shown = one_line(text[:_PIECE])
    return f'"{shown}\u2026"' if len(text) > _PIECE else f'"{shown}"'
