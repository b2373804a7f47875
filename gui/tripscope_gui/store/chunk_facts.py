"""Does a chunk row meet a query? Terms look at events, not at cells, so that a row costs little."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fnmatch import translate
from re import compile as compile_glob
from typing import Final, TypeAlias

from tripscope.chunks import delta_text
from tripscope.patterns import MatchTimeout, Pattern
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.block_runs import ModelMarks
from tripscope_gui.store.chunk_query import All, Any, Key, Matches, Node, Not, Text, Word
from tripscope_gui.store.chunk_rows import ChunkRow, carries_text, joined_text
from tripscope_gui.store.chunk_words import is_edge, tool_name, words_of
from tripscope_gui.store.flow_map import range_of
from tripscope_gui.store.leaks import Leaks
from tripscope_gui.store.row_notes import RowNotes

Test: TypeAlias = Callable[[ChunkRow], bool]
MATCH_SECONDS: Final = 0.05
"""Time that a pattern of a query gets for one text; a text that takes longer doesn't match."""
_WORST: Final = {
    "changed": "changed",
    "flagged": "flagged",
    "blocked": "blocked",
    "error": "errored",
    "timeout": "timed-out",
}


class Facts:
    """What is known of the rows of one run; makes tests out of queries."""

    def __init__(self, store: RunStore, marks: ModelMarks, leaks: Leaks, notes: RowNotes) -> None:
        self._store = store
        self._marks = marks
        self._leaks = leaks
        self._notes = notes
        self._unscanned: dict[str, bool] = {}
        self._words: dict[str, Test] = {
            "pass": self._passed,
            "held": _held,
            "released": self._state("released"),
            "flush": self._flushed,
            "drop": _dropped,
            "unscanned": self.unscanned,
            "edge": _edge,
            "leak": self.leaked,
            "delivered": lambda row: bool(row.delivered),
            "rejected": self._rejected,
            "marked": lambda row: self._notes.marked(row.number),
            "comment": lambda row: bool(self._notes.comment(row.number)),
        }
        for word, outcome in _WORST.items():
            self._words[word] = _outcome(outcome)

    def test(self, node: Node | None) -> Test | None:
        """A function that tells whether a row meets the query; None if every row does."""
        return None if node is None else self._test(node)

    def _test(self, node: Node) -> Test:
        match node:
            case All(terms):
                tests = [self._test(term) for term in terms]
                return lambda row: all(test(row) for test in tests)
            case Any(terms):
                tests = [self._test(term) for term in terms]
                return lambda row: any(test(row) for test in tests)
            case Not(term):
                inner = self._test(term)
                return lambda row: not inner(row)
            case Word(word):
                return self._words[word]
            case Key():
                return self._key(node)
            case Text(text):
                return lambda row: any(text in found.casefold() for found in self._texts(row))
            case Matches(pattern):
                return lambda row: any(_meets(pattern, found) for found in self._texts(row))

    def _key(self, node: Key) -> Test:
        low, high = node.low, node.high
        match node.key:
            case "step":
                return lambda row: row.step is not None and low <= row.step <= high
            case "attempt":
                return lambda row: row.attempt is not None and low <= row.attempt + 1 <= high
            case "chunk":
                return lambda row: low <= row.number + 1 <= high
        fits = compile_glob(translate(node.value.casefold())).match
        match node.key:
            case "type":
                return lambda row: fits(row.type.casefold()) is not None
            case "rule":
                return lambda row: any(fits(rule.casefold()) for rule in self.rules(row))
            case "by":
                return lambda row: any(
                    fits((call.processor or "").casefold())
                    for call in row.calls
                    if call.outcome != "pass"
                )
            case "tool":
                return lambda row: fits(tool_name(row.part).casefold()) is not None
            case _:
                return lambda row: fits(_block_id(row).casefold()) is not None

    def rules(self, row: ChunkRow) -> Iterator[str]:
        """Rules that matched in the row's own text, or were decided or applied with it."""
        if row.index is not None:
            for mark in self._marks.by_index.get(row.index, ()):
                yield mark.rule
        for finding in self._store.findings_of_row(row):
            yield finding.rule
        for call in row.calls:
            for interval in call.intervals or ():
                if interval[4]:
                    yield interval[4]

    def unscanned(self, row: ChunkRow) -> bool:
        """Whether the row carries text of a kind that no processor of the chain looks at."""
        part = row.part
        if part is None or not carries_text(part):
            return False
        known = self._unscanned.get(part.type)
        if known is None:
            known = self._unscanned[part.type] = self._no_one_scans(part.type)
        return known

    def _no_one_scans(self, kind: str) -> bool:
        said = [p.options.get("scans") for p in self._store.chain]
        stream = [p for p in self._store.chain if p.id in self._store.chain.stream]
        if not said or any(p.options.get("scans") is None for p in stream):
            return False
        return not any(kind in scans for scans in said if isinstance(scans, list | tuple))

    def leaked(self, row: ChunkRow) -> bool:
        """Whether text left with this row that its processor had not decided on."""
        if not self._leaks.by_block:
            return False
        block = self._store.block_of(row)
        if block is None or block.key not in self._leaks.by_block:
            return False
        for flow in block.flows:
            stretch = range_of(flow.out, row.index)
            if stretch is None:
                continue
            if any(self._leaks.in_column(block, flow.processor).touching(*stretch)):
                return True
        return False

    def _rejected(self, row: ChunkRow) -> bool:
        attempt = self._store.attempts.get(row.step, row.attempt)
        return attempt is not None and attempt.rejected

    def _passed(self, row: ChunkRow) -> bool:
        return all(
            call.outcome == "pass" and not call.held and call.out == (call.part,)
            for call in row.calls
        )

    def _state(self, state: str) -> Test:
        def test(row: ChunkRow) -> bool:
            rows = self._store.rows
            return any(
                rows.cell(row, call.processor or "").state == state
                for call in row.calls
                if call.out and call.held != 0
            )

        return test

    def _flushed(self, row: ChunkRow) -> bool:
        return any(
            call.part is not None and delta_text(call.part) is None and joined_text(call.out or ())
            for call in row.calls
        )

    def _texts(self, row: ChunkRow) -> Iterator[str]:
        part = row.part
        if part is not None:
            text = delta_text(part)
            yield words_of(part)[0] if text is None else text
        for call in row.calls:
            if call.out is not None and call.out != (call.part,):
                yield joined_text(call.out)


def within(stretch: tuple[int, int], test: Test | None) -> Test:
    """Meets ``test``, and has an event whose ``seq`` is in the stretch, both ends included."""
    low, high = stretch

    def inside(row: ChunkRow) -> bool:
        return any(low <= seq <= high for seq in row.seqs) and (test is None or test(row))

    return inside


def _held(row: ChunkRow) -> bool:
    return any(call.held or (call.held is None and call.out == ()) for call in row.calls)


def _edge(row: ChunkRow) -> bool:
    """An edge with which no held text came out."""
    return (
        row.part is not None
        and is_edge(row.part)
        and not any(delta_text(chunk) for call in row.calls for chunk in call.out or ())
    )


def _dropped(row: ChunkRow) -> bool:
    return any(call.outcome == "changed" and call.out == () for call in row.calls)


def _outcome(outcome: str) -> Test:
    return lambda row: any(call.outcome == outcome for call in row.calls)


def _meets(pattern: Pattern, text: str) -> bool:
    try:
        return pattern.test(text, timeout=MATCH_SECONDS)
    except MatchTimeout:
        return False


def _block_id(row: ChunkRow) -> str:
    part = row.part
    found = getattr(part.payload, "id", None) if part is not None else None
    return found if isinstance(found, str) else ""
