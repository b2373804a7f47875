"""A chain in a file is checked where it is read, so that nobody behind that need doubt it."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.made_events import Events
from tripscope.errors import SessionError
from tripscope.trace.described_chain import described_in, presets_in, rules_in
from tripscope.trace.file import load, save

FILTER = {"id": "f", "type": "regex-filter", "hooks": ["processOutputStream"]}


@pytest.mark.parametrize(
    ("chain", "place"),
    [
        ([], r"chain: expected an object, not \[\]"),
        ({"output": {}}, r"chain\.output: expected a list"),
        ({"output": ["f"]}, r"chain\.output\[0\]: expected an object, not 'f'"),
        ({"error": [FILTER, {"type": "regex-filter"}]}, r"chain\.error\[1\]\.id: .* not None"),
        ({"output": [FILTER | {"id": 5}]}, r"\.id: expected a text"),
        ({"output": [FILTER | {"type": []}]}, r"\.type: expected a text"),
        ({"output": [FILTER | {"hooks": None}]}, r"\.hooks: expected texts"),
        ({"output": [FILTER | {"scans": [1]}]}, r"\.scans: expected texts"),
    ],
)
def test_a_chain_of_another_shape_is_told_with_its_place(
    chain: Any, place: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.trace.jsonl"
    save(path, Events(chain=chain).all)
    with pytest.raises(SessionError, match=f"line 2: run-started event: .*{place}"):
        load(path)


def test_what_only_a_processor_knows_is_not_judged(tmp_path: Path) -> None:
    foreign = FILTER | {
        "rules": [5, {"name": 6}, {"name": "a"}],
        "presets": "none",
        "scans": None,
        "\ud83d": 1,
    }
    path = tmp_path / "a.trace.jsonl"
    save(path, Events(chain={"output": [foreign], "more": [FILTER]}).all)
    [(array, described)] = described_in(load(path)[0].chain)  # type: ignore[union-attr]
    assert (array, described) == ("output", foreign)
    assert (list(rules_in(described)), presets_in(described)) == ([{"name": "a"}], [])
