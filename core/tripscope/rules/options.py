"""The options of a filter: read, checked, written back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import Struct

from tripscope.options import given_options
from tripscope.patterns import PatternError
from tripscope.rules.budget import DEFAULT_BUDGET, Budget
from tripscope.rules.presets import preset_rules
from tripscope.rules.rule import RegexRule
from tripscope.wire import JSON

Strategy: TypeAlias = Literal["block", "redact", "warn"]
Phase: TypeAlias = Literal["input", "output", "all"]
StreamHold: TypeAlias = Literal["window", "complete"]

DEFAULT_ID: Final = "regex-filter"
CARRYOVER: Final = 128
_MAX_SAFE_INTEGER: Final = 2**53 - 1


class FilterOptions(Struct, frozen=True):
    """Checked options of a ``RegexFilterProcessor``; `rules` are its own, `all_rules` with presets.

    Raises:
        ValueError: an option has no meaning; the message names it and what it may be.
    """

    rules: tuple[RegexRule, ...] = ()
    presets: tuple[str, ...] = ()
    strategy: Strategy = "block"
    phase: Phase = "all"
    include_redacted_values: bool = False
    stream_carryover_size: int = CARRYOVER
    stream_hold: StreamHold = "window"
    id: str = DEFAULT_ID
    budget: Budget = DEFAULT_BUDGET
    processor: str = "RegexFilterProcessor"

    def __post_init__(self) -> None:
        for preset in self.presets:
            self._is_a("presets", preset, str, "a list of names")
        if not self.all_rules:
            raise ValueError(f"{self.processor} requires at least one rule or preset")
        size = self.stream_carryover_size
        if type(size) is not int or not 1 <= size <= _MAX_SAFE_INTEGER:
            raise ValueError(
                f"{self.processor} streamCarryoverSize must be a positive safe integer"
            )
        self._one_of("strategy", self.strategy, Strategy)
        self._one_of("phase", self.phase, Phase)
        self._one_of("streamHold", self.stream_hold, StreamHold)
        self._is_a("includeRedactedValues", self.include_redacted_values, bool, "true or false")
        self._is_a("id", self.id or None, str, "a string that is not empty")

    def _one_of(self, key: str, value: object, literal: Any) -> None:
        allowed = get_args(literal)
        if value not in allowed:
            told = ", ".join(allowed)
            raise ValueError(f"{self.processor} {key} must be one of {told}, not {value!r:.60}")

    def _is_a(self, key: str, value: object, wanted: type, told: str) -> None:
        if not isinstance(value, wanted):
            raise ValueError(f"{self.processor} {key} must be {told}, not {value!r:.60}")

    @property
    def all_rules(self) -> tuple[RegexRule, ...]:
        """The presets' rules in the order of the presets, then the own ones."""
        return (*preset_rules(list(self.presets)), *self.rules)

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


def arguments_from_wire(
    options: dict[str, JSON], keys: Sequence[str] = KEYS, kind: str = DEFAULT_ID
) -> dict[str, Any]:
    """Constructor arguments of a filter from its options as files spell them; null is the default.

    ``id`` and ``type``, which a description has too, are passed over.

    Raises:
        ValueError: a key is not known, a list is none, or a rule cannot be read (its place is
        named).
    """
    given = given_options(options, keys, kind)
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
        except PatternError as error:
            name = wire["name"]
            told = f"rules[{place}] {name!r:.60}: {error.reason}"
            raise PatternError(told, error.position) from error
        except ValueError as error:
            raise ValueError(f"rules[{place}]: {error}") from error
    return rules
