"""The arrays of processors that an agent has, and the one by which each hook is called."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

Array: TypeAlias = Literal["input", "output", "error"]
ARRAYS: Final[tuple[Array, ...]] = get_args(Array)

ARRAY_OF_HOOK: Final[Mapping[str, Array]] = MappingProxyType(
    {
        "processInput": "input",
        "processInputStep": "input",
        "processLLMRequest": "input",
        "processLLMResponse": "input",
        "processOutputStream": "output",
        "processOutputStep": "output",
        "processToolResult": "output",
        "processOutputResult": "output",
        "processAPIError": "error",
    }
)
"""docs/rules.md, section 2, 1; hooks are spelled as on the wire."""
