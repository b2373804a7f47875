"""Generated JSON: objects that look like ours in part, with every kind of wrong value in them."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]

# Half a surrogate pair is real traffic: a provider cuts an emoji in two.
TEXT = st.text('ab1 "\\\n\x00é\u2028🦀\ud83e\udd80', max_size=5)
SCALAR = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**40), 2**40), st.floats(allow_nan=False), TEXT
)


@st.composite
def values(draw: Draw, depth: int = 0) -> Any:
    """Any JSON value, two levels deep at most."""
    shape = draw(st.sampled_from(["scalar", "list", "object"] if depth < 2 else ["scalar"]))
    if shape == "list":
        return draw(st.lists(values(depth + 1), max_size=2))
    if shape == "object":
        return draw(st.dictionaries(TEXT, values(depth + 1), max_size=2))
    return draw(SCALAR)


@st.composite
def objects(draw: Draw, keys: Sequence[str], likely: dict[str, Any] | None = None) -> Any:
    """An object with some of ``keys``; each value is ``likely[key]``'s, or anything."""
    likely = likely or {}
    wire: dict[str, Any] = {}
    for key in draw(st.lists(st.sampled_from(list(keys)), unique=True)):
        strategy = likely.get(key, values())
        wire[key] = draw(strategy if draw(st.integers(0, 3)) else values())
    if draw(st.booleans()):
        wire |= draw(st.dictionaries(TEXT, values(), max_size=1))
    return wire


def spelled(value: Any) -> str:
    """The JSON text: tells 1 from true and 1.0, which Python's ``==`` does not."""
    return json.dumps(value, sort_keys=True)
