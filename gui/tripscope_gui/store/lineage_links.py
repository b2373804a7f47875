"""Lineage of one chunk across the columns of the chunks table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec import Struct

from tripscope.trace.blocks import Block
from tripscope.trace.flows import Flow
from tripscope.trace.text_run import TextRun
from tripscope_gui.store.chunk_rows import CLIENT, MODEL
from tripscope_gui.store.flow_map import Range, backward, forward, pieces_of, range_of

Node: TypeAlias = tuple[str, int]
"""(column, part index)."""
_MOST: Final = 4000
"""Links that are drawn at most: a stretch may have come from a hundred thousand chunks."""


class Lineage(Struct, frozen=True):
    """Cells that hold the characters of one chunk, and the links between them."""

    nodes: frozenset[Node]
    links: tuple[tuple[Node, Node], ...]


NONE: Final = Lineage(frozenset(), ())


class _Stage(Struct, frozen=True):
    column: str
    run: TextRun
    flow: Flow | None


def _stages(block: Block) -> list[_Stage]:
    stages = [_Stage(MODEL, block.model, None)]
    stages += [_Stage(flow.processor, flow.out, flow) for flow in block.flows]
    stages.append(_Stage(CLIENT, block.delivered, None))
    return stages


def lineage_of(block: Block, column: str, index: int) -> Lineage:
    """Where the text of part ``index`` at ``column`` came from, and where it went."""
    stages = _stages(block)
    at = next((n for n, stage in enumerate(stages) if stage.column == column), None)
    if at is None:
        return NONE
    whole = range_of(stages[at].run, index)
    if whole is None:
        return NONE
    links: dict[tuple[Node, Node], None] = {}
    _walk(stages[at:], index, whole, _onwards, links, back=False)
    _walk(stages[at::-1], index, whole, _backwards, links, back=True)
    nodes = {(column, index), *(node for link in links for node in link)}
    return Lineage(frozenset(nodes), tuple(links))


def _onwards(_here: _Stage, there: _Stage, low: int, high: int) -> Iterator[Range]:
    if there.flow is None:
        return iter(((low, high),))
    return forward(there.flow, low, high)


def _backwards(here: _Stage, _there: _Stage, low: int, high: int) -> Iterator[Range]:
    if here.flow is None:
        return iter(((low, high),))
    return backward(here.flow, low, high)


def _walk(
    stages: Sequence[_Stage],
    index: int,
    whole: Range,
    step: Callable[[_Stage, _Stage, int, int], Iterator[Range]],
    links: dict[tuple[Node, Node], None],
    *,
    back: bool,
) -> None:
    current: dict[int, list[Range]] = {index: [whole]}
    for here, there in pairwise(stages):
        following: dict[int, list[Range]] = defaultdict(list)
        for part, ranges in current.items():
            for low, high in ranges:
                for out_low, out_high in step(here, there, low, high):
                    for piece, start, end in pieces_of(there.run, out_low, out_high):
                        a, b = (here.column, part), (there.column, piece)
                        links[(b, a) if back else (a, b)] = None
                        following[piece].append((start, end))
                        if len(links) >= _MOST:
                            return
        current = following
