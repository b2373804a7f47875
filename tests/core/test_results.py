"""Sums of usage, and accessors of a result."""

from __future__ import annotations

import pytest

from tripscope.chunks import Usage
from tripscope.results import Answered, RunResult, add_usage, is_known


def test_counts_that_nobody_told_stay_unknown() -> None:
    assert not is_known(Usage())
    assert is_known(Usage(input_tokens=0))
    assert add_usage(Usage(), Usage(input_tokens=1)) == Usage(input_tokens=1)
    assert add_usage(Usage(input_tokens=1), Usage(input_tokens=2, total_tokens=3)) == Usage(
        input_tokens=3, total_tokens=3
    )


def test_a_providers_own_counts_are_summed() -> None:
    one = Usage(input_tokens=1, extra={"cachedInputTokens": 2, "details": {"a": 1}})
    more = Usage(input_tokens=1, extra={"cachedInputTokens": 3, "reasoningTokens": 4})
    assert add_usage(one, more).extra == {
        "cachedInputTokens": 5,
        "reasoningTokens": 4,
        "details": {"a": 1},
    }


def test_broken_result_raises_from_everything_but_error_and_status() -> None:
    error = ValueError("boom")
    result = RunResult(Answered(), "error", error=error, broken=True)
    assert (result.status, result.error, result.messages_as_they_stood) == ("error", error, [])
    for name in ("text", "finish_reason", "usage", "steps", "tool_calls", "tool_results"):
        with pytest.raises(ValueError, match="boom"):
            getattr(result, name)
