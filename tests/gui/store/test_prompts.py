from hypothesis import given
from hypothesis import strategies as st

from tripscope_gui.store import prompts
from tripscope_gui.store.prompts import difference, message_text

texts = st.lists(st.sampled_from(["a", "b", "", "c d"]), max_size=12).map("\n".join)


@given(texts, texts, st.booleans())
def test_a_difference_leads_from_one_text_to_the_other(old: str, new: str, huge: bool) -> None:
    most = prompts._MOST_LINES
    prompts._MOST_LINES = 0 if huge else most  # type: ignore[misc]
    try:
        lines = difference(old, new, context=1000)
    finally:
        prompts._MOST_LINES = most  # type: ignore[misc]
    if old == new:
        assert lines == []
        return
    assert any(line.kind in "+-" and line.kind for line in lines)
    if not huge:
        assert [line.text for line in lines if line.kind in ("", "-")] == old.split("\n")
        assert [line.text for line in lines if line.kind in ("", "+")] == new.split("\n")


def test_parts_of_a_message_read_as_text() -> None:
    message = {
        "role": "assistant",
        "content": [
            {"type": "reasoning", "text": "hm"},
            {"type": "text", "text": "yes"},
            {"type": "tool-call", "toolName": "t", "input": {}},
        ],
    }
    assert message_text(message) == (
        '[assistant]\n(reasoning) hm\nyes\n(tool-call) {"toolName": "t", "input": {}}'
    )
