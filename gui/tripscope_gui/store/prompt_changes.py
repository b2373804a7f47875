"""Prompts of two runs, call by call, in pieces that differ or not; free of Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tripscope.trace.events import ModelRequested
from tripscope_gui.store.attempts import attempt_words
from tripscope_gui.store.prompts import as_text
from tripscope_gui.store.text_changes import By, Section, text_sides

_MOST: Final = 60


def prompt_sections(
    requests: tuple[Sequence[ModelRequested], Sequence[ModelRequested]],
    *,
    by: By,
    different_only: bool,
) -> list[Section]:
    """The n-th call of one run beside the n-th of the other; at most 60 of them."""
    found: list[Section] = []
    for number in range(max(map(len, requests))):
        pair = [side[number] if number < len(side) else None for side in requests]
        texts = [as_text(one) if one is not None else "" for one in pair]
        same = pair[0] is not None and pair[1] is not None and texts[0] == texts[1]
        if same and different_only:
            continue
        words = (_words(pair[0], same), _words(pair[1], same))
        sides = text_sides(texts[0], texts[1], by=by, cut=different_only)
        found.append(Section(_title(pair, number), (None, None), words, sides, same))
        if len(found) == _MOST:
            break
    if different_only and not found and any(requests):
        return prompt_sections(requests, by=by, different_only=False)
    return found


def _title(pair: Sequence[ModelRequested | None], number: int) -> str:
    one = next(request for request in pair if request is not None)
    where = f"request {number + 1}"
    if one.step is None:
        return where
    return f"{where} \N{MIDDLE DOT} {attempt_words(one.step, one.attempt)}"


def _words(request: ModelRequested | None, same: bool) -> str:
    if request is None:
        return "no such call"
    counts = ((len(request.prompt), "message"), (len(request.tools), "tool"))
    words = ", ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts)
    return f"{words}, the same in both" if same else words
