import asyncio
from typing import Any

from tripscope.session import session_from_wire, start_run
from tripscope.trace.chain_diff import Chain, chain_diff
from tripscope.trace.diff import compare
from tripscope.trace.events import AnyEvent, RunStarted
from tripscope.trace.reasons import reason

PHONE = {"name": "phone", "pattern": r"\d{3}", "replacement": "[PHONE]"}


def session_wire(**more: Any) -> dict[str, Any]:
    return {
        "format": "tripscope-session",
        "version": 1,
        "name": "small",
        "model": {"use": "scripted", "script": [{"text": ["Mail ann@exa", "mple.test now."]}]},
        "chain": [filter_(PHONE)],
        "prompts": ["How?"],
    } | more


def run(**more: Any) -> list[AnyEvent]:
    events: list[AnyEvent] = []

    async def drive() -> None:
        session = session_from_wire(session_wire(**more))
        stream = await start_run(session, trace=events.append, real_time=False)
        await stream.result()

    asyncio.run(drive())
    return events


def filter_(*rules: dict[str, Any], id: str = "pii", **options: Any) -> dict[str, Any]:
    options = {"strategy": "redact"} | options
    return {"id": id, "type": "regex-filter", "options": options, "rules": list(rules)}


def started(events: list[AnyEvent]) -> RunStarted:
    first = events[0]
    assert isinstance(first, RunStarted)
    return first


def edits(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str, tuple[Any, ...]]]:
    found = chain_diff(started(run(**before)), started(run(**after)))
    return [(edit.name, edit.note, edit.lines) for edit in found]


def test_the_same_session_was_not_edited() -> None:
    assert edits({}, {}) == []


def test_a_rule_edited_a_rule_added_and_an_option() -> None:
    order = {"name": "order-id", "pattern": "ORD-\\d{6}", "replacement": "[ORDER_ID]"}
    phone = PHONE | {"pattern": r"\d{3,4}", "replacement": "[PHONE_NUMBER]"}
    found = edits(
        {"chain": [filter_(PHONE)]}, {"chain": [filter_(phone, order, streamCarryoverSize=256)]}
    )
    assert found == [
        (
            "phone",
            "pii, regex-filter",
            (
                ("-", r"/\d{3}/g"),
                ("+", r"/\d{3,4}/g"),
                ("-", "replacement [PHONE]"),
                ("+", "replacement [PHONE_NUMBER]"),
            ),
        ),
        ("order-id", "pii, regex-filter, new", (("+", r"/ORD-\d{6}/g  →  [ORDER_ID]"),)),
        (
            "streamCarryoverSize",
            "pii",
            (("-", "streamCarryoverSize 128"), ("+", "streamCarryoverSize 256")),
        ),
    ]


def test_processors_their_order_and_the_prompt() -> None:
    one, other = filter_(PHONE, id="one"), filter_(id="other", presets=["pii"])
    found = edits({"chain": [one, other]}, {"chain": [other, one], "prompts": ["Else?"]})
    assert [name for name, *_ in found] == ["order", "prompt"]
    found = edits({"chain": [one]}, {"chain": [one, other]})
    assert found[0][:2] == ("other", "regex-filter, new")
    assert ("+", 'presets ["pii"]') in found[0][2]


def why(before: dict[str, Any], after: dict[str, Any]) -> dict[str, tuple[str, str]]:
    one, other = run(chain=[before]), run(chain=[after])
    diff = compare(one, other)
    chains = Chain(started(one)), Chain(started(other))
    return {
        (change.after or change.before).rule: (change.change, reason(change, *chains))  # type: ignore[union-attr]
        for change in diff.findings
    }


def test_why_a_finding_came_or_went() -> None:
    mail = {"name": "mail", "pattern": r"\S+@\S+"}
    none = {"name": "none", "pattern": "nowhere"}
    assert why(filter_(none), filter_(none, mail)) == {"mail": ("added", "new rule")}
    assert why(filter_(none, mail), filter_(none)) == {"mail": ("removed", "rule removed")}
    edited = mail | {"pattern": r"\S+@nowhere"}
    assert why(filter_(mail), filter_(edited)) == {"mail": ("removed", "pattern edited")}
    assert why(filter_(mail), filter_(mail | {"replacement": "X"})) == {
        "mail": ("replaced", "replacement edited")
    }
    assert why(filter_(none), filter_(presets=["pii"]))["email"] == ("added", "new rule")
    assert why(filter_(mail), filter_(mail, strategy="warn"))["mail"][1] in (
        "strategy is warn now",
        "pattern edited",
    )


def test_why_it_moved() -> None:
    first, longer = ({"name": "m", "pattern": "Mail", "replacement": r} for r in ("[M]", "[MAIL!]"))
    behind = filter_({"name": "now", "pattern": "now"}, id="behind")
    one = run(chain=[filter_(first, id="front"), behind])
    other = run(chain=[filter_(longer, id="front"), behind])
    diff = compare(one, other)
    (moved,) = [change for change in diff.findings if change.change == "moved"]
    chains = Chain(started(one)), Chain(started(other))
    assert reason(moved, *chains) == "longer text before it"
