"""The processors of a run as its first event describes them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from tripscope.arrays import ARRAY_OF_HOOK
from tripscope.processor import HOOKS
from tripscope.trace.described_chain import described_in, presets_in, rules_in
from tripscope.wire import JSON


class ProcessorInfo(Struct, frozen=True):
    """One processor; ``sides`` are the lists that name it, ``options`` its whole description."""

    id: str
    type: str
    sides: tuple[str, ...]
    hooks: frozenset[str]
    options: dict[str, JSON] = field(default_factory=dict)

    def runs_in(self, hook: str) -> bool:
        """Whether it has ``hook`` (wire spelling) and stands in the list that this hook goes by."""
        return hook in self.hooks and ARRAY_OF_HOOK.get(hook) in self.sides

    def rule_names(self) -> Iterator[str]:
        """Names of its rules: those of its presets, then its own."""
        if presets := presets_in(self.options):
            from tripscope.rules.presets import preset_rules

            for rule in preset_rules(presets):
                yield rule.name
        for entry in rules_in(self.options):
            yield entry["name"]

    @property
    def note(self) -> str:
        """What stands small beside its name: strategy and presets, or its type."""
        presets = words = presets_in(self.options)
        strategy = self.options.get("strategy")
        if isinstance(strategy, str):
            words = [*presets, strategy]
        if self.type != self.id and not presets:
            words = [self.type, *words]
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
    for side, entry in described_in(chain or {}):
        found.setdefault(entry["id"], (entry, []))[1].append(side)
    for id_, (entry, sides) in found.items():
        yield ProcessorInfo(
            id=id_,
            type=str(entry.get("type", "")),
            sides=tuple(sides),
            hooks=frozenset(name for name in entry.get("hooks", ()) if name in HOOKS),
            options=entry,
        )
