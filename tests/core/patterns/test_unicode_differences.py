"""Our Unicode tables beside V8's: they differ only where the list says so."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

LIST: dict[str, Any] = json.loads((Path(__file__).parent / "unicode_differences.json").read_text())
# What Unicode changed for characters that Python's tables know already; all else is new there.
_AMENDED = {0xB83, 0x1CF5, 0x1CF6, 0x19B, 0x264, 0x277, 0x27C, 0xAB4B, 0xAB4C}


def codes(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split():
        low, _, high = part.partition("-")
        found.extend(range(int(low, 16), int(high or low, 16) + 1))
    return found


def assigned(code: int) -> bool:
    return unicodedata.ucd_3_2_0.category(chr(code)) != "Cn"


@pytest.mark.parametrize("flags", ["i", "iu"])
def test_case_differs_only_for_characters_newer_than_python(flags: str) -> None:
    for pair in LIST["case"][flags]:
        assert any(not assigned(code) or code in _AMENDED for code in codes(pair)), pair


def test_no_character_of_unicode_3_2_has_another_category_or_script() -> None:
    for name, difference in LIST["properties"].items():
        if name.startswith("Script=") or name in {"Letter", "Number", "Punctuation", "Mark"}:
            old = [code for text in difference.values() for code in codes(text) if assigned(code)]
            assert [code for code in old if code not in _AMENDED] == [], name
