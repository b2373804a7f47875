"""The processors of a run as its first event describes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from tripscope.processor import HOOKS
from tripscope.wire import JSON

SIDES: Final = ("input", "output", "error")
_SIDE_OF_HOOK: Final = {
    "processInput": "input",
    "processInputStep": "input",
    "processLLMRequest": "input",
    "processAPIError": "error",
    "processOutputStream": "output",
    "processLLMResponse": "input",
    "processOutputStep": "output",
    "processToolResult": "output",
    "processOutputResult": "output",
}


class ProcessorInfo(Struct, frozen=True):
    """One processor; ``sides`` are the lists that name it, ``options`` its whole description."""

    id: str
    type: str
    sides: tuple[str, ...]
    hooks: frozenset[str]
    options: dict[str, JSON] = field(default_factory=dict)

    def runs_in(self, hook: str) -> bool:
        """Whether it has ``hook`` (wire spelling) and stands in the list that this hook goes by."""
        return hook in self.hooks and _SIDE_OF_HOOK.get(hook) in self.sides

    def rule_names(self) -> Iterator[str]:
        """Names of its rules: those of its presets, then its own."""
        presets = self.options.get("presets")
        if isinstance(presets, list):
            from tripscope.rules.presets import preset_rules

            for rule in preset_rules([name for name in presets if isinstance(name, str)]):
                yield rule.name
        rules = self.options.get("rules")
        for entry in rules if isinstance(rules, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("name"), str):
                yield entry["name"]

    @property
    def note(self) -> str:
        """What stands small beside its name: strategy and presets, or its type."""
        presets = self.options.get("presets")
        parts = [*presets] if isinstance(presets, list) else []
        strategy = self.options.get("strategy")
        if isinstance(strategy, str):
            parts.append(strategy)
        words = [str(part) for part in parts]
        if self.type != self.id and (not presets or not words):
            words.insert(0, self.type)
        return " · ".join(words)


class ChainInfo:
    """All processors of a run, each once, in the order input, output, error."""

    def __init__(self, chain: JSON = None) -> None:
        self.processors: tuple[ProcessorInfo, ...] = tuple(_read(chain))
        self._by_id = {processor.id: processor for processor in self.processors}
        self.stream: tuple[str, ...] = tuple(
            p.id for p in self.processors if p.runs_in("processOutputStream")
        )
        """Ids of the processors that stream parts pass, in order: columns of the chunks table."""

    def __iter__(self) -> Iterator[ProcessorInfo]:
        return iter(self.processors)

    def get(self, processor: str | None) -> ProcessorInfo | None:
        """The processor of that id, or None."""
        return self._by_id.get(processor) if processor is not None else None

    def rule_names(self) -> Iterator[str]:
        """Names of all rules of the chain: each processor's presets, then its own rules."""
        for processor in self.processors:
            yield from processor.rule_names()


def _read(chain: JSON) -> Iterator[ProcessorInfo]:
    found: dict[str, tuple[dict[str, JSON], list[str]]] = {}
    for side in SIDES:
        entries = chain.get(side) if isinstance(chain, dict) else None
        for entry in entries if isinstance(entries, list | tuple) else ():
            if isinstance(entry, dict) and isinstance(entry.get("id"), str):
                found.setdefault(entry["id"], (entry, []))[1].append(side)
    for id_, (entry, sides) in found.items():
        hooks = entry.get("hooks")
        names = hooks if isinstance(hooks, list | tuple) else ()
        yield ProcessorInfo(
            id=id_,
            type=str(entry.get("type", "")),
            sides=tuple(sides),
            hooks=frozenset(name for name in names if name in HOOKS),
            options=entry,
        )
