"""Which parts of a message no processor of the chain reads."""

import pytest

from tripscope.wire import JSON
from tripscope_gui.store.chain import ChainInfo
from tripscope_gui.store.unread_parts import unread_parts

CALL: JSON = {
    "type": "tool-invocation",
    "toolInvocation": {"state": "result", "args": {}, "result": "x"},
}


def chain(*scans: list[str] | None) -> ChainInfo:
    described = [
        {"id": f"p{n}", "type": "t", "hooks": []} | ({} if read is None else {"scans": read})
        for n, read in enumerate(scans)
    ]
    return ChainInfo({"input": [], "output": described, "error": []})


def message(*parts: JSON) -> JSON:
    return {"role": "assistant", "content": {"parts": list(parts)}}


@pytest.mark.parametrize(
    ("scans", "parts", "unread"),
    [
        (["text-delta"], [{"type": "text", "text": "hi"}], ()),
        (["text-delta"], [CALL, CALL], ("tool-args", "tool-result")),
        (["text-delta", "tool-result"], [CALL], ("tool-args",)),
        (["text-delta"], [{"type": "reasoning", "reasoning": "hm"}], ("reasoning",)),
        (["text-delta"], [{"type": "data-note", "data": 1}], ("data-note",)),
        (["text-delta"], ["no part", None], ()),
    ],
)
def test_parts_are_named_once_in_order(
    scans: list[str], parts: list[JSON], unread: tuple[str, ...]
) -> None:
    assert unread_parts(chain(scans), message(*parts)) == unread


def test_instructions_are_never_read() -> None:
    assert unread_parts(chain(["text-delta"]), {"role": "system", "content": "x"}) == (
        "system text",
    )


def test_what_a_processor_of_ones_own_reads_is_not_known() -> None:
    assert unread_parts(chain(["text-delta"], None), message(CALL)) is None
    assert unread_parts(ChainInfo(), message(CALL)) is None
