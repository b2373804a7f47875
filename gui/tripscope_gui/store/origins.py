"""From a stretch of what a processor was given back to the chunks of the model it came from."""

from __future__ import annotations

from tripscope.trace.blocks import Block
from tripscope_gui.store.flow_map import backward


def model_span(block: Block, processor: str, start: int, end: int) -> tuple[int, int]:
    """The stretch of the model's text that ``[start, end)``, as given to ``processor``, came from.

    All are UTF-16 code units counted over the block. A replaced stretch counts whole. Each
    processor before it costs a bisection.
    """
    names = [flow.processor for flow in block.flows]
    depth = names.index(processor) if processor in names else len(names)
    for flow in reversed(block.flows[:depth]):
        pieces = list(backward(flow, start, end))
        if pieces:
            start, end = pieces[0][0], pieces[-1][1]
    return start, end


def model_indexes(block: Block, processor: str, start: int, end: int) -> list[int]:
    """The part indexes of the model chunks that the stretch came from."""
    low, high = model_span(block, processor, start, end)
    return block.model.indexes_of(low, high) if block.model.length else []
