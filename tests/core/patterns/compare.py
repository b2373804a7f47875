"""Our answer to a case beside V8's."""

from typing import Any

from tests.core.patterns.v8 import Case
from tripscope.patterns import Match, MatchTimeout, PatternError, compile
from tripscope.patterns.syntax import Char, Seq
from tripscope.patterns.units import join_surrogates, spread

_SECONDS = 0.5


def ours(case: Case) -> dict[str, Any]:
    """The same answer as V8's, from our patterns."""
    try:
        pattern = compile(case.pattern, case.flags)
    except PatternError as error:
        return {"error": error.reason}
    try:
        matches = pattern.find_all(case.text, timeout=_SECONDS)
        replaced = pattern.replace(case.text, case.replacement, timeout=_SECONDS)
        found = pattern.search_from(case.text, case.last_index, timeout=_SECONDS)
    except MatchTimeout as error:
        return {"gaveUp": str(error)}
    return {
        "matches": [_shown(match) for match in matches],
        "replaced": replaced,
        "from": None if found is None else _shown(found),
        "source": pattern.source,
    }


def _shown(match: Match) -> list[Any]:
    return [match.index, match.text, match.groups, match.named]


def verdict(case: Case, theirs: dict[str, Any]) -> str:
    """``same``, ``refused: why`` (only we refuse), ``gave up``, or how they differ."""
    mine = ours(case)
    if "gaveUp" in theirs:
        return "gave up there"
    if "error" in mine:
        if "error" in theirs:
            return "same"
        return f"refused: {mine['error']}"
    if "error" in theirs:
        return f"accepted, they refuse: {theirs['error']}"
    if "gaveUp" in mine:
        return "gave up here"
    for key in ("matches", "replaced", "from", "source"):
        if key == "replaced" and theirs["split"]:
            continue
        if key == "from" and _literal_from_half(case):
            continue
        if _plain(mine[key]) != _plain(theirs[key]):
            return f"{key}: {_plain(mine[key])!a}, they {_plain(theirs[key])!a}"
    return "same, but their replace is at odds with their exec" if theirs["split"] else "same"


def _literal_from_half(case: Case) -> bool:
    """A literal sought from the middle of a pair: V8 takes a short cut and doesn't step back."""
    units = spread(case.text)
    middle = units[max(case.last_index - 1, 0) : case.last_index + 1]
    if not set(case.flags) & {"u", "v"} or len(join_surrogates(middle)) != 1 or len(middle) == 1:
        return False
    root = compile(case.pattern, case.flags).tree.root
    return isinstance(root, Char) or (
        isinstance(root, Seq) and all(isinstance(item, Char) for item in root.items)
    )


def _plain(value: Any) -> Any:
    """Joined strings, so that only the units count."""
    if isinstance(value, str):
        return join_surrogates(value)
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {_plain(key): _plain(one) for key, one in value.items()}
    return value
