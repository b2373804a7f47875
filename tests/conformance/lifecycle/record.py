"""What happened in one call of a scenario."""

from __future__ import annotations

from typing import Any

from tests.conformance.lifecycle.digest import Digest


class Record:
    """Collects hook entries and provider calls; emptied before each call of the scenario."""

    def __init__(self) -> None:
        self.hooks: list[dict[str, Any]] = []
        self.model_calls: list[dict[str, Any]] = []
        self.digest: Digest | None = None

    def begin(self, digest: Digest) -> None:
        """Start on another call."""
        self.hooks = []
        self.model_calls = []
        self.digest = digest
