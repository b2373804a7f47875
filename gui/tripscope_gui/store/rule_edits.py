"""Rules of a session: the rows that a person sees, and edits that make a changed copy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from msgspec import Struct

from tripscope import patterns
from tripscope.rules.presets import PRESETS
from tripscope.session.filters import holds_until_decided, window_of
from tripscope.session.model import ProcessorSpec, RuleTest, Session, SessionRule
from tripscope.session.rule_tests import RuleTestResult, run_rule_test

Key: TypeAlias = tuple[str, str]
"""(processor, rule)."""
WITH_RULES: Final = ("regex-filter", "redact-tool-result")
"""Types of the processors that work by rules."""


class RuleRow(Struct, frozen=True):
    """One rule of one processor. ``preset``: the set that it comes from; those are read only.

    ``place`` is its place among the processor's own rules.
    """

    processor: str
    rule: SessionRule
    preset: str | None = None
    place: int = -1

    @property
    def key(self) -> Key:
        """What the rule is known by."""
        return self.processor, self.rule.name

    @property
    def tests(self) -> tuple[int, int]:
        """(passed, all); they run when first asked for, as a table does for what it shows."""
        results = test_results(self.rule)
        return sum(result.passed for result in results), len(results)


def processors_with_rules(session: Session) -> list[ProcessorSpec]:
    """The processors of the chain that work by rules, in its order."""
    return [spec for spec in session.chain if spec.type in WITH_RULES]


def processor_title(spec: ProcessorSpec) -> str:
    """``pii · redact``: its id, and its strategy if it names one."""
    strategy = spec.options.get("strategy")
    return f"{spec.id} \u00b7 {strategy}" if strategy else spec.id


def rule_rows(spec: ProcessorSpec, before: Sequence[RuleRow] = ()) -> list[RuleRow]:
    """Rules of the processor's presets, then its own, in the order in which they run.

    Rows of ``before``, the processor's former ones, stay the same objects where nothing changed.
    """
    rows = [
        row for name in spec.options.get("presets") or () for row in _preset_rows(spec.id, name)
    ]
    old = [row for row in before if row.place >= 0]
    rows += [
        old[place]
        if place < len(old) and old[place].rule is rule
        else RuleRow(spec.id, rule, place=place)
        for place, rule in enumerate(spec.rules)
    ]
    return rows


@lru_cache(maxsize=256)
def _preset_rows(processor: str, preset: str) -> tuple[RuleRow, ...]:
    return tuple(
        RuleRow(
            processor,
            SessionRule(name=r.name, pattern=r.source, flags=r.flags, replacement=r.replacement),
            preset=preset,
        )
        for r in PRESETS.get(preset, ())
    )


def test_results(rule: SessionRule) -> list[RuleTestResult]:
    """The outcome of each test of the rule; kept, since most edits leave most rules as they are."""
    key = (rule.pattern, rule.flags, rule.replacement)
    return [
        _result(key, (test.text, test.match, test.span, test.replacement)) for test in rule.tests
    ]


@lru_cache(maxsize=4096)
def _result(rule: tuple[str, str, str | None], test: tuple[Any, ...]) -> RuleTestResult:
    pattern, flags, replacement = rule
    text, match, span, replaced = test
    return run_rule_test(
        SessionRule(name="", pattern=pattern, flags=flags, replacement=replacement),
        RuleTest(text=text, match=match, span=span, replacement=replaced),
    )


def cuts_at_window(spec: ProcessorSpec) -> bool:
    """Whether the filter lets out, of a stream, what does not fit its window."""
    return spec.options.get("strategy") == "redact" and not holds_until_decided(spec)


def outgrows_window(spec: ProcessorSpec, rule: SessionRule) -> int | None:
    """The rule's shortest match in UTF-16 units, if the filter's window cannot hold it."""
    if not cuts_at_window(spec):
        return None
    try:
        shortest = patterns.compile(rule.pattern, rule.flags).facts.shortest
    except patterns.PatternError:
        return None
    return shortest if shortest > window_of(spec) else None


def with_processor(session: Session, spec: ProcessorSpec) -> Session:
    """``session`` with its processor of that id replaced."""
    chain = [spec if old.id == spec.id else old for old in session.chain]
    return session.model_copy(update={"chain": chain})


def with_rules(session: Session, spec: ProcessorSpec, rules: Sequence[SessionRule]) -> Session:
    """``session`` with other rules of one processor."""
    return with_processor(session, spec.model_copy(update={"rules": list(rules)}))


def with_option(session: Session, spec: ProcessorSpec, name: str, value: Any) -> Session:
    """``session`` with one option of one processor set."""
    return with_processor(
        session, spec.model_copy(update={"options": {**spec.options, name: value}})
    )


def changed_rule(session: Session, spec: ProcessorSpec, place: int, **changes: Any) -> Session:
    """``session`` with fields of one rule changed."""
    rules = list(spec.rules)
    rules[place] = rules[place].model_copy(update=changes)
    return with_rules(session, spec, rules)


def added_rule(session: Session, spec: ProcessorSpec, rule: SessionRule) -> Session:
    """``session`` with one more rule, under a name that the processor does not use yet."""
    names = {row.rule.name for row in rule_rows(spec)}
    name, number = rule.name, 2
    while name in names:
        name, number = f"{rule.name}-{number}", number + 1
    return with_rules(session, spec, [*spec.rules, rule.model_copy(update={"name": name})])


def copied_preset(session: Session, spec: ProcessorSpec, preset: str) -> Session:
    """``session`` with the rules of a preset as the processor's own, in front, to be edited.

    The preset itself is no longer among the processor's presets.
    """
    own = {rule.name for rule in spec.rules}
    copies = [
        SessionRule(name=r.name, pattern=r.source, flags=r.flags, replacement=r.replacement)
        for r in PRESETS.get(preset, ())
        if r.name not in own
    ]
    presets = [name for name in spec.options.get("presets") or () if name != preset]
    options = {**spec.options, "presets": presets}
    if not presets:
        del options["presets"]
    rules = [*copies, *spec.rules]
    return with_processor(session, spec.model_copy(update={"options": options, "rules": rules}))


def removed_rule(session: Session, spec: ProcessorSpec, place: int) -> Session:
    """``session`` without one rule."""
    return with_rules(session, spec, [r for at, r in enumerate(spec.rules) if at != place])


def moved_rule(session: Session, spec: ProcessorSpec, place: int, to: int) -> Session:
    """``session`` with one rule at another place of its processor."""
    rules = list(spec.rules)
    rules.insert(to, rules.pop(place))
    return with_rules(session, spec, rules)
