"""What a person changed between two runs: patterns, replacements, options, processors, prompt.

Told from the first events of both runs, so for any two runs, whoever edited what.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from tripscope.rules.options import CARRYOVER
from tripscope.rules.presets import preset_rules
from tripscope.trace.described_chain import NOT_OPTIONS, described_in, presets_in, rules_in
from tripscope.trace.events import RunStarted
from tripscope.wire import JSON

Sign: TypeAlias = Literal["-", "+"]
_NO_OPTION: Final = NOT_OPTIONS | {"rules"}
_DEFAULTS: Final = {"streamCarryoverSize": CARRYOVER, "strategy": "block", "phase": "all"}


class Edit(Struct, frozen=True):
    """What changed of one thing: a rule, an option, a processor, the prompt.

    ``lines``: (sign, text) with what was (``-``) and what is (``+``). ``note``: where it is, in
    words. ``kind`` is ``rule``, ``option``, ``processor`` or ``run``.
    """

    kind: Literal["rule", "option", "processor", "run"]
    name: str
    processor: str
    note: str
    lines: tuple[tuple[Sign, str], ...]

    @property
    def words(self) -> str:
        """``rule email changed``, ``processor pii new``, ``prompt changed``."""
        how = self.note.rpartition(", ")[2]
        kind = "" if self.kind == "run" else f"{self.kind} "
        return f"{kind}{self.name} {how if how in ('new', 'removed') else 'changed'}"

    def to_wire(self) -> dict[str, JSON]:
        """As files spell it."""
        lines = [[sign, text] for sign, text in self.lines]
        return {"kind": self.kind, "name": self.name, "note": self.note, "lines": lines}


class Chain:
    """The processors of a run by id, and the rules of each by name."""

    def __init__(self, started: RunStarted | None) -> None:
        self.processors: dict[str, dict[str, Any]] = {}
        self.order: list[str] = []
        for array, described in described_in(started.chain if started is not None else {}):
            self.processors.setdefault(described["id"], described)
            self.order.append(f"{array}: {described['id']}")

    def rules(self, processor: str) -> dict[str, dict[str, Any]]:
        """Own rules of a processor and those of its presets, by name."""
        presets = presets_in(self.processors.get(processor, {}))
        found = {rule.name: rule.to_wire() for rule in preset_rules(presets)}
        return found | self.own_rules(processor)

    def own_rules(self, processor: str) -> dict[str, dict[str, Any]]:
        """Rules that stand in the processor's own list, by name."""
        return {rule["name"]: rule for rule in rules_in(self.processors.get(processor, {}))}

    def option(self, processor: str, name: str) -> JSON:
        """An option as it holds, also where it is left out."""
        return self.processors.get(processor, {}).get(name, _DEFAULTS.get(name))


def chain_diff(before: RunStarted | None, after: RunStarted | None) -> list[Edit]:
    """All that differs in what the two runs were made of; rules first."""
    old, new = Chain(before), Chain(after)
    edits: list[Edit] = []
    for identity in {**old.processors, **new.processors}:
        edits += _of_processor(identity, old, new)
    if old.processors.keys() == new.processors.keys() and old.order != new.order:
        lines = _pair(", ".join(old.order), ", ".join(new.order))
        edits.append(Edit("processor", "order", "", "chain", lines))
    order = ("rule", "option", "processor", "run")
    edits.sort(key=lambda edit: order.index(edit.kind))
    return [*edits, *_of_run(before, after)]


def _of_processor(identity: str, old: Chain, new: Chain) -> Iterator[Edit]:
    was, now = old.processors.get(identity), new.processors.get(identity)
    if was is None or now is None:
        described = was or now or {}
        sign: Sign = "-" if now is None else "+"
        note = f"{described.get('type')}, {'removed' if now is None else 'new'}"
        options = {key: described[key] for key in described if key not in _NO_OPTION}
        told = [(sign, f"{key} {_short(value)}") for key, value in options.items()]
        rules = (old if now is None else new).own_rules(identity).values()
        told += [(sign, _spell(rule)) for rule in rules]
        yield Edit("processor", identity, identity, note, tuple(told))
        return
    yield from _of_rules(identity, str(now.get("type")), old, new)
    for key in {**was, **now}:
        one, other = old.option(identity, key), new.option(identity, key)
        if key not in _NO_OPTION and one != other:
            yield Edit(
                "option",
                key,
                identity,
                identity,
                _pair(f"{key} {_short(one)}", f"{key} {_short(other)}"),
            )


def _of_rules(identity: str, kind: str, old: Chain, new: Chain) -> Iterator[Edit]:
    was, now = old.own_rules(identity), new.own_rules(identity)
    note = identity if identity == kind else f"{identity}, {kind}"
    for name in {**was, **now}:
        one, other = was.get(name), now.get(name)
        if one is None:
            assert other is not None
            yield Edit("rule", name, identity, f"{note}, new", (("+", _spell(other)),))
        elif other is None:
            yield Edit("rule", name, identity, f"{note}, removed", (("-", _spell(one)),))
        elif one != other:
            lines: list[tuple[Sign, str]] = []
            if _pattern(one) != _pattern(other):
                lines += _pair(_pattern(one), _pattern(other))
            if one.get("replacement") != other.get("replacement"):
                lines += _pair(f"replacement {_put(one)}", f"replacement {_put(other)}")
            yield Edit("rule", name, identity, note, tuple(lines))
    order = [name for name in was if name in now], [name for name in now if name in was]
    if order[0] != order[1]:
        lines_ = _pair(", ".join(order[0]), ", ".join(order[1]))
        yield Edit("option", "order of rules", identity, identity, lines_)


def _of_run(before: RunStarted | None, after: RunStarted | None) -> Iterator[Edit]:
    if before is None or after is None:
        return
    for name in ("model", "instructions", "prompt", "tools", "settings"):
        one, other = getattr(before, name), getattr(after, name)
        if name == "prompt":
            one, other = _prompt(one), _prompt(other)
        # a replay keeps the model's name, and says that it is one in its mode
        if one != other:
            yield Edit("run", name, "", "run", _pair(_short(one), _short(other)))


def _prompt(messages: Any) -> list[JSON]:
    return [
        {"role": message.get("role"), "content": _content(message.get("content"))}
        if isinstance(message, dict)
        else message
        for message in messages
    ]


def _content(content: JSON) -> JSON:
    """The text of a message, without ids and times, which differ in every run."""
    if isinstance(content, dict) and isinstance(parts := content.get("parts"), list):
        texts = [part.get("text") for part in parts if isinstance(part, dict)]
        return " ".join(str(text) for text in texts if text)
    return content


def _pair(one: str, other: str) -> tuple[tuple[Sign, str], ...]:
    return (("-", one), ("+", other))


def _pattern(rule: Mapping[str, Any]) -> str:
    return f"/{rule.get('pattern')}/{rule.get('flags', 'g')}"


def _put(rule: Mapping[str, Any]) -> str:
    replacement = rule.get("replacement")
    return "[REDACTED] (default)" if replacement is None else str(replacement)


def _spell(rule: Mapping[str, Any]) -> str:
    replacement = rule.get("replacement")
    arrow = "" if replacement is None else f"  \N{RIGHTWARDS ARROW}  {replacement}"
    return f"{_pattern(rule)}{arrow}"


def _short(value: JSON) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
