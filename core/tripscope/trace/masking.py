"""Masks matched text, so that a report of a run can be handed on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from tripscope.patterns.units import join_surrogates, spread
from tripscope.processor import RuleBased
from tripscope.trace.events import AnyEvent, FindingMade
from tripscope.trace.rebuild import rebuild_processors
from tripscope.wire import JSON

MASK: Final = "\N{BULLET}"
_LEAST: Final = 3
"""Shorter values are masked only where their rule matches: they stand in other words too."""


class Masker:
    """Hides what any rule of a run matches, and whatever value a finding tells.

    A text on which a rule takes too long is hidden as a whole, and all texts of a run whose rules
    are not known here.
    """

    def __init__(self, events: Sequence[AnyEvent]) -> None:
        self._rules: list[RuleBased] | None
        try:
            rebuilt = rebuild_processors(events).values()
            self._rules = [processor for processor in rebuilt if isinstance(processor, RuleBased)]
        except ValueError:
            self._rules = None
        told = {event.value for event in events if isinstance(event, FindingMade) and event.value}
        values = sorted((v for v in told if len(v) >= _LEAST), key=len, reverse=True)
        self._values = re.compile("|".join(map(re.escape, values))) if values else None

    def text(self, text: str) -> str:
        """The text with a bullet for each UTF-16 unit of a match."""
        units = list(spread(text))
        if self._rules is None:
            return MASK * len(units)
        try:
            for processor in self._rules:
                for _, start, end in processor.whole(text).matches:
                    units[start:end] = MASK * (end - start)
        except Exception:  # a time budget that is used up, or a rule that fails on this text
            return MASK * len(units)
        masked = join_surrogates("".join(units))
        if self._values is not None:
            masked = self._values.sub(lambda found: MASK * len(found[0]), masked)
        return masked

    def json(self, value: JSON) -> JSON:
        """A JSON value with all its texts masked; keys stay."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self.json(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.json(item) for item in value]
        return value


class NoMasker(Masker):
    """Hides nothing: somebody asked for raw text."""

    def __init__(self, events: Iterable[AnyEvent] = ()) -> None:
        pass

    def text(self, text: str) -> str:
        """The text itself."""
        return text
