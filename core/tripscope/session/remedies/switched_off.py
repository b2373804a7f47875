"""What is switched off in a filter, so that it does not look at text as it could."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tripscope.session.model import ProcessorSpec


class SwitchedOff(NamedTuple):
    """Something that is off.

    Attributes:
        words: that it is off, without a full stop.
        link: what can be done, and ``edit`` what that is called in an undo list.
        on: the filter with it on.
        rules: those that look at text then and did not before; None: all.
    """

    words: str
    link: str
    edit: str
    on: ProcessorSpec
    rules: set[str] | None = None


def switched_off(spec: ProcessorSpec) -> Iterator[SwitchedOff]:
    """The filter itself, or its phase, or each of its rules that is off."""
    if not spec.enabled:
        on = spec.model_copy(update={"enabled": True})
        yield SwitchedOff(f"{spec.id} is switched off", "switch it on", f"switch {spec.id} on", on)
        return
    if spec.options.get("phase") == "input":
        on = spec.model_copy(update={"options": {**spec.options, "phase": "all"}})
        words, edit = f"{spec.id} looks at input only", f"set phase of {spec.id} to all"
        yield SwitchedOff(words, "set its phase to all", edit, on)
        return
    for place, rule in enumerate(spec.rules):
        if not rule.enabled:
            rules = list(spec.rules)
            rules[place] = rule.model_copy(update={"enabled": True})
            on = spec.model_copy(update={"rules": rules})
            words, edit = f"Rule {rule.name} is switched off", f"switch {rule.name} on"
            yield SwitchedOff(words, "switch it on", edit, on, {rule.name})
