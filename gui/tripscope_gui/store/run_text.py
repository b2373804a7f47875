"""The text of a run that rules are tried on."""

from __future__ import annotations

from msgspec import Struct

from tripscope_gui.run_store import RunStore
from tripscope_gui.selection import Selection
from tripscope_gui.store.attempts import attempt_words


class RunText(Struct, frozen=True):
    """What the model wrote in one text block, before any processor."""

    text: str = ""
    title: str = ""


def run_text(store: RunStore, selection: Selection) -> RunText:
    """The block that is selected, else the last one that holds text."""
    blocks = [b for b in store.blocks.values() if b.kind == "text" and b.model.length]
    if not blocks:
        return RunText()
    chosen = blocks[-1]
    step, attempt = selection.step, selection.attempt
    if step is not None:
        same = [b for b in blocks if b.key[0] == step and attempt in (None, b.key[1])]
        chosen = same[-1] if same else chosen
    return RunText(chosen.model.text, attempt_words(*chosen.key[:2]))
