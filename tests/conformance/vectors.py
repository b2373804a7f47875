"""The golden vectors, from the copies beside this file or from ``--vectors DIR``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

COPIES = Path(__file__).parent / "vectors"


def load(config: pytest.Config, folder: str) -> list[Any]:
    """Every case in the JSON files of a folder, as test parameters named by the case's id.

    Raises:
        pytest.UsageError: the folder is missing, a file has no cases, or an id occurs twice.
    """
    directory = Path(config.getoption("vectors", str(COPIES))) / folder
    files = sorted(directory.glob("*.json"))
    if not files:
        raise pytest.UsageError(
            f"no vectors in {directory}: give --vectors a DIR that has {folder}/"
        )
    seen: dict[str, Path] = {}
    params = []
    for file in files:
        for case in json.loads(file.read_text(encoding="utf-8")):
            if case["id"] in seen:
                raise pytest.UsageError(f"{case['id']} is in {seen[case['id']]} and in {file}")
            seen[case["id"]] = file
            params.append(pytest.param(case, id=case["id"]))
    return params
