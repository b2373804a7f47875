"""Where the filter differs from its golden vectors on purpose, and nowhere else.

Specification: docs/rules.md, section 5.
"""

from __future__ import annotations

from typing import Any

REFUSED_TAGS = {"unsupported-value", "js-quirk"}
"""Values outside the documented ones are refused with a clear error, not accepted in silence."""

FREE_WORDING_TAG = "engine-message"
"""The wording is the JavaScript engine's: that it is refused, and at which stage, is compared."""


def is_refused(case: dict[str, Any]) -> bool:
    """Whether the case holds a value that is refused here."""
    return not REFUSED_TAGS.isdisjoint(case.get("tags", ()))


def refuses(case: dict[str, Any], got: dict[str, Any]) -> bool:
    """Whether the value was refused with an error that says something.

    A text part whose text is null is no text and stays as it is (case messages-part-without-text);
    only in JavaScript is it the word "null", on which the reference then fails. Staying is right.
    """
    if "error" in got:
        return bool(got["error"]["message"])
    fails_in_call = case["expect"].get("error", {}).get("stage") == "call"
    return fails_in_call and _null_texts(got["messages"]) == _null_texts(case["messages"]) > 0


def _null_texts(messages: list[Any]) -> int:
    parts = [part for message in messages for part in message["content"]["parts"]]
    return sum(part == {"type": "text", "text": None} for part in parts)


def expected(case: dict[str, Any]) -> dict[str, Any]:
    """What the case expects of tripscope."""
    expect: dict[str, Any] = dict(case["expect"])
    if FREE_WORDING_TAG in case.get("tags", ()):
        expect["error"] = {"stage": expect["error"]["stage"]}
    if case["options"].get("strategy") == "warn":
        # ``warn`` also reports through onViolation; `reports_every_warning` checks that.
        expect.pop("violations", None)
    return expect


def comparable(case: dict[str, Any], got: dict[str, Any]) -> dict[str, Any]:
    """What was got, without what `expected` leaves out."""
    got = dict(got)
    if FREE_WORDING_TAG in case.get("tags", ()) and "error" in got:
        got["error"] = {"stage": got["error"]["stage"]}
    if case["options"].get("strategy") == "warn":
        got.pop("violations", None)
    return got


def reports_every_warning(case: dict[str, Any], got: dict[str, Any]) -> bool:
    """Under ``warn``: whether just what matched is told, in the right form."""
    violations = got.get("violations", [])
    well_formed = all(
        violation["detail"].keys() == {"strategy", "matches"}
        and violation["detail"]["strategy"] == "warn"
        and violation["detail"]["matches"]
        for violation in violations
    )
    return well_formed and bool(violations) == bool(case["expect"].get("warnings"))
