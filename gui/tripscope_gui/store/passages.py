"""A text at one point of the chain, with what rules found and did in it.

Spans count UTF-16 code units of that text; for points and their depths see
`tripscope_gui.store.points`.
"""

from __future__ import annotations

from msgspec import Struct

from tripscope.trace.events import FindingMade, HookCalled
from tripscope.trace.text_run import TextRun
from tripscope_gui.store.block_matches import BlockMatches
from tripscope_gui.store.chunk_rows import CLIENT, MODEL
from tripscope_gui.store.followed import Followed, MessageSource, StreamSource
from tripscope_gui.store.point_spans import PointSpans
from tripscope_gui.store.points import depth_of_column, run_at
from tripscope_gui.store.run_index import RunIndex


class Cut(Struct, frozen=True):
    """A processor let nothing (more) through: ``given`` is what it was given."""

    processor: str
    call: HookCalled
    given: Passage


class Passage(Struct, frozen=True):
    """The text at a point: it goes on growing, as what is found in it does."""

    column: str
    title: str
    run: TextRun
    spans: PointSpans
    cut: Cut | None = None

    @property
    def words(self) -> str:
        """``model · 228 UTF-16 units, 5 matches``."""
        units = self.run.length
        matches, boxes = self.spans.matches_before(units), self.spans.boxes_before(units)
        words = [f"{self.title} \u00b7 {units:,} UTF-16 units"]
        if matches:
            words.append(f"{matches} match" + ("es" if matches > 1 else ""))
        if boxes:
            words.append(f"{boxes} replaced")
        if self.spans.leaked:
            words.append("some left too early")
        return ", ".join(words)


def passage_at(index: RunIndex, followed: Followed, column: str) -> Passage:
    """The text at a point of what is followed."""
    block = followed.block
    depth = depth_of_column(block, column)
    title = next((words for key, words in followed.points if key == column), column)
    source = followed.source
    if isinstance(source, MessageSource) and column == MODEL:
        title = f"{followed.role} message {source.message}".strip()
    if column not in (MODEL, CLIENT):
        title = f"after {title}"
    spans = _spans(index, followed, column, depth)
    return Passage(column, title, run_at(block, column), spans, _cut(index, followed, depth))


def _spans(index: RunIndex, followed: Followed, column: str, depth: int) -> PointSpans:
    if isinstance(followed.source, StreamSource):
        matches = index.marks.matches[followed.source.key]
    else:
        matches = BlockMatches(followed.findings)
    return PointSpans(index, followed.block, matches, column, depth)


def _cut(index: RunIndex, followed: Followed, depth: int) -> Cut | None:
    for at, flow in enumerate(followed.block.flows[: depth + 1]):
        call = followed.cuts.get(flow.processor)
        if call is not None:
            column = MODEL if at == 0 else ""
            spans = _spans(index, followed, column, at - 1)
            given = Passage(column, flow.processor, flow.given, spans)
            return Cut(flow.processor, call, given)
    return None


def cause_of(index: RunIndex, followed: Followed, column: str, offset: int) -> FindingMade | None:
    """The finding behind the text at an offset of a point; the winner where several overlap."""
    spans = _spans(index, followed, column, depth_of_column(followed.block, column))
    found = (
        match
        for match, _, _ in spans.found(offset, offset + 1, gone=True)
        if isinstance(match, FindingMade)
    )
    return min(found, key=lambda f: (f.winner is not None, f.start - f.end), default=None)
