"""What a regex filter of a session is set to, also where its options leave that out."""

from __future__ import annotations

from typing import Final

from tripscope.rules.options import CARRYOVER
from tripscope.session.model import ProcessorSpec, Session

FILTER: Final = "regex-filter"
"""The type of such a processor."""


def filter_of(session: Session, processor: str) -> ProcessorSpec | None:
    """The filter of that id; None if the chain has none."""
    chain = session.chain
    return next((spec for spec in chain if spec.id == processor and spec.type == FILTER), None)


def window_of(spec: ProcessorSpec) -> int:
    """How much text the filter holds back, in UTF-16 units."""
    window = spec.options.get("streamCarryoverSize")
    return window if isinstance(window, int) else CARRYOVER


def holds_until_decided(spec: ProcessorSpec) -> bool:
    """Whether text waits until every rule is certain of it (``streamHold``); no window counts."""
    return spec.options.get("streamHold") == "complete"
