"""Rules that are off, and tool results that nobody looks at."""

from typing import Any

import pytest

from tripscope.session.build import build_processor
from tripscope.session.model import Session
from tripscope.session.remedies import Advice, for_off, for_tool_results

ORDER = {"name": "order", "pattern": r"ORD-\d{6}"}
LEFT = ["see ORD-204417", "and ORD-204418, ORD-204419"]


def session(*chain: dict[str, Any]) -> Session:
    return Session.model_validate({"name": "s", "chain": list(chain)})


def spec(**more: Any) -> dict[str, Any]:
    return {"id": "f", "type": "regex-filter", "rules": [ORDER]} | more


@pytest.mark.parametrize(
    ("off", "words", "link"),
    [
        (spec(enabled=False), "f is switched off and matches 3 times in what left:",
         "switch it on"),
        (spec(options={"phase": "input"}),
         "f looks at input only and matches 3 times in what left:", "set its phase to all"),
        (spec(rules=[ORDER | {"enabled": False}, {"name": "x", "pattern": "x"}]),
         "Rule order is switched off and matches 3 times in what left:", "switch it on"),
    ],
)  # fmt: skip
def test_what_is_off_and_would_match_is_named(off: dict[str, Any], words: str, link: str) -> None:
    (remedy,) = for_off(session(off), LEFT).remedies
    assert (remedy.before, remedy.link) == (words, link)
    assert remedy.session is not None
    on = build_processor(remedy.session.chain[0])
    assert remedy.session.chain[0].enabled
    assert len(on.whole(LEFT[1]).matches) == 2
    assert "text-delta" in on.scans


def test_the_change_is_called_after_what_is_off() -> None:
    """Also where its name reads like the words around it."""
    odd = [ORDER | {"name": "Rule is input only", "enabled": False}, {"name": "x", "pattern": "x"}]
    (remedy,) = for_off(session(spec(rules=odd)), LEFT).remedies
    assert (remedy.link, remedy.edit) == ("switch it on", "switch Rule is input only on")
    (remedy,) = for_off(session(spec(id="a is b", enabled=False)), LEFT).remedies
    assert remedy.edit == "switch a is b on"


def test_what_is_off_and_matches_nothing_is_not_named() -> None:
    assert for_off(session(spec(enabled=False)), ["nothing here"]) == Advice()
    assert for_off(session(spec()), LEFT) == Advice()


def test_tool_results_in_which_rules_match_get_a_processor_of_their_own() -> None:
    results = [{"mail": ["ORD-204417", {"more": "ORD-204418"}], "n": 3}]
    (remedy,) = for_tool_results(session(spec()), results).remedies
    assert "the rules of f match 2 times" in remedy.before
    assert remedy.session is not None
    added = build_processor(remedy.session.chain[-1])
    assert added.scans == ("tool-result",)
    assert [rule.name for rule in added.rules] == ["order"]
    assert for_tool_results(remedy.session, results) == Advice()
    assert for_tool_results(session(spec()), [{"a": "nothing"}]) == Advice()


def test_a_result_that_spells_json_is_read_as_the_processor_reads_it() -> None:
    """Matches are counted in its strings, not in their escapes and not across them."""
    results = ['{"mail": "caf\\u00e9", "next": "x"}']
    rule = {"name": "cafe", "pattern": "caf\u00e9"}
    (remedy,) = for_tool_results(session(spec(rules=[rule])), results).remedies
    assert "match once" in remedy.before
    across = {"name": "across", "pattern": "mail.*next"}
    assert for_tool_results(session(spec(rules=[across])), results) == Advice()
