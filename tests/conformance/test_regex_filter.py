"""One test per case of the RegexFilterProcessor: what it did equals what the reference did."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.exceptions import (
    comparable,
    expected,
    is_refused,
    refuses,
    reports_every_warning,
)
from tests.conformance.lifecycle.compare import first_difference
from tests.conformance.regex_filter.case import run_case
from tests.conformance.regex_filter.decode import as_utf16


async def test_case(filter_case: dict[str, Any]) -> None:
    got = as_utf16(await run_case(filter_case))
    if is_refused(filter_case):
        assert refuses(filter_case, got), f"accepted: {got}"
        return
    difference = first_difference(as_utf16(expected(filter_case)), comparable(filter_case, got))
    if difference:
        pytest.fail(f"{filter_case['id']}: {filter_case['note']}\n{difference}", pytrace=False)
    if filter_case["options"].get("strategy") == "warn":
        assert reports_every_warning(filter_case, got)
