"""The options of a filter: read, checked, written back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from tripscope.rules.budget import Budget
from tripscope.rules.presets import PRESETS, preset_rules
from tripscope.rules.rule import RegexRule
from tripscope.wire import JSON

Strategy: TypeAlias = Literal["block", "redact", "warn"]
Phase: TypeAlias = Literal["input", "output", "all"]
StreamHold: TypeAlias = Literal["window", "complete"]

DEFAULT_ID: Final = "regex-filter"
CARRYOVER: Final = 128
_MAX_SAFE_INTEGER: Final = 2**53 - 1


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """Checked options of a ``RegexFilterProcessor``; `rules` are its own, `all_rules` with presets.

    Raises:
        ValueError: an option has no meaning; the message names it and what it may be.
    """

    rules: tuple[RegexRule, ...]
    presets: tuple[str, ...]
    strategy: Strategy
    phase: Phase
    include_redacted_values: bool
    stream_carryover_size: int
    stream_hold: StreamHold
    id: str
    budget: Budget

    def __post_init__(self) -> None:
        for preset in self.presets:
            _is_a("presets", preset, str, "a list of names")
        if not self.all_rules:
            raise ValueError("RegexFilterProcessor requires at least one rule or preset")
        size = self.stream_carryover_size
        if type(size) is not int or not 1 <= size <= _MAX_SAFE_INTEGER:
            raise ValueError(
                "RegexFilterProcessor streamCarryoverSize must be a positive safe integer"
            )
        _one_of("strategy", self.strategy, Strategy)
        _one_of("phase", self.phase, Phase)
        _one_of("streamHold", self.stream_hold, StreamHold)
        _is_a("includeRedactedValues", self.include_redacted_values, bool, "true or false")
        _is_a("id", self.id or None, str, "a string that is not empty")

    @property
    def all_rules(self) -> tuple[RegexRule, ...]:
        """The presets' rules in the order of the presets, then the own ones."""
        return (*preset_rules(list(self.presets)), *self.rules)

    @property
    def unknown_presets(self) -> tuple[str, ...]:
        """Names that add no rule; the reference passes over them in silence."""
        return tuple(name for name in self.presets if name not in PRESETS)

    def to_wire(self) -> dict[str, JSON]:
        """The options that are not at their default, spelled as on the wire, without the id."""
        wire: dict[str, JSON] = {}
        if self.presets:
            wire["presets"] = list(self.presets)
        if self.rules:
            wire["rules"] = [rule.to_wire() for rule in self.rules]
        wire |= {"strategy": self.strategy, "phase": self.phase}
        wire["includeRedactedValues"] = self.include_redacted_values
        wire["streamCarryoverSize"] = self.stream_carryover_size
        wire["streamHold"] = self.stream_hold
        return wire


KEYS: Final = (
    "rules",
    "presets",
    "strategy",
    "phase",
    "includeRedactedValues",
    "streamCarryoverSize",
    "streamHold",
)


def arguments_from_wire(options: dict[str, JSON]) -> dict[str, Any]:
    """Constructor arguments of a filter from its options as files spell them; null is the default.

    Raises:
        ValueError: a key is not known, a list is none, or a rule cannot be read (its place is
        named).
    """
    if unknown := [key for key in options if key not in KEYS]:
        raise ValueError(f"regex-filter has no option {unknown[0]!r}; it knows {', '.join(KEYS)}")
    given = {key: value for key, value in options.items() if value is not None}
    for key in ("rules", "presets"):
        if not isinstance(given.get(key, []), list | tuple):
            raise ValueError(f"{key} must be a list, not {given[key]!r:.60}")
    arguments: dict[str, Any] = {
        "rules": _rules_from_wire(given.pop("rules", [])),
        "presets": given.pop("presets", []),
    }
    spelled = {"includeRedactedValues": "include_redacted_values"}
    spelled |= {"streamCarryoverSize": "stream_carryover_size", "streamHold": "stream_hold"}
    return arguments | {spelled.get(key, key): value for key, value in given.items()}


def _rules_from_wire(wires: list[JSON]) -> list[RegexRule]:
    rules = []
    for place, wire in enumerate(wires):
        try:
            rules.append(RegexRule.from_wire(wire))
        except ValueError as error:
            name = wire.get("name") if isinstance(wire, dict) else None
            where = f"rules[{place}]" + (f" ({name!r:.60})" if isinstance(name, str) else "")
            error.add_note(f"in {where}")
            raise
    return rules


def _one_of(key: str, value: object, literal: Any) -> None:
    allowed = get_args(literal)
    if value not in allowed:
        raise ValueError(
            f"RegexFilterProcessor {key} must be one of {', '.join(allowed)}, not {value!r:.60}"
        )


def _is_a(key: str, value: object, wanted: type, told: str) -> None:
    if not isinstance(value, wanted):
        raise ValueError(f"RegexFilterProcessor {key} must be {told}, not {value!r:.60}")
