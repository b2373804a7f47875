"""The chain of a run as its first event describes it: ``RunStarted.chain``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tripscope.arrays import ARRAYS, Array
from tripscope.wire import JSON

NOT_OPTIONS: Final = frozenset({"id", "type", "name", "description", "hooks", "scans"})
"""What a description of a processor holds besides its options."""


def check_chain(chain: JSON) -> None:
    """See to it that what the functions here go through is there.

    Raises:
        ValueError: what is wrong, and where.
    """
    _expect(isinstance(chain, dict), "an object", chain, "chain")
    for array in ARRAYS:
        listed = chain.get(array, ())
        _expect(isinstance(listed, list | tuple), "a list", listed, f"chain.{array}")
        for number, described in enumerate(listed):
            place = f"chain.{array}[{number}]"
            _expect(isinstance(described, dict), "an object", described, place)
            for key in ("id", "type"):
                text = described.get(key)
                _expect(isinstance(text, str), "a text", text, f"{place}.{key}")
            for key, missing in (("hooks", ()), ("scans", None)):
                texts = described.get(key, missing)
                _expect(texts is missing or _are_texts(texts), "texts", texts, f"{place}.{key}")


def _expect(so: bool, what: str, value: JSON, place: str) -> None:
    if not so:
        raise ValueError(f"run-started event: {place}: expected {what}, not {value!r:.80}")


def _are_texts(value: JSON) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def described_in(chain: JSON) -> Iterator[tuple[Array, dict[str, Any]]]:
    """Each processor's array and description, array by array; one may stand in several."""
    for array in ARRAYS:
        for described in chain.get(array, ()):
            yield array, described


def rules_in(described: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The rules that stand in a description itself, not in its presets."""
    rules = described.get("rules")
    for rule in rules if isinstance(rules, list | tuple) else ():
        if isinstance(rule, dict) and isinstance(rule.get("name"), str):
            yield rule


def presets_in(described: dict[str, Any]) -> list[str]:
    """The names of its presets."""
    presets = described.get("presets")
    names = presets if isinstance(presets, list | tuple) else ()
    return [name for name in names if isinstance(name, str)]
