"""What a group row of the chunks table says of its attempt."""

from __future__ import annotations

from msgspec import Struct

from tripscope.processor import Outcome
from tripscope.trace.events import HookCalled
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.attempts import Attempt
from tripscope_gui.store.chunk_groups import Group
from tripscope_gui.store.run_index import RunIndex
from tripscope_gui.store.statuses import ending_words


class GroupWords(Struct, frozen=True):
    """``Step 1 · attempt 1``, its outcome and the sentence about it; the rest is said quietly."""

    title: str
    outcome: Outcome | None
    sentence: str
    rest: str = ""
    unscanned: int = 0

    @property
    def line(self) -> str:
        """All of it, to be read aloud."""
        parts = [self.title, self.outcome or "", self.sentence, self.rest]
        if self.unscanned:
            parts.append(f"{self.unscanned} unscanned")
        return " ".join(part for part in parts if part)


def words_of_group(index: RunIndex, group: Group) -> GroupWords:
    """The words of a group, as of now."""
    store = index.store
    if group.step is None:
        return GroupWords("Outside the steps", None, "", _range(group))
    attempt = store.attempts.get(group.step, group.attempt)
    title = f"Step {group.step}"
    if len(store.attempts.of_step(group.step)) > 1:
        title += f" \u00b7 attempt {(group.attempt or 0) + 1}"
    if attempt is None:
        return GroupWords(title, None, "", _range(group))
    rest = [f"retryCount {attempt.attempt}"] if attempt.attempt else []
    unscanned = 0
    if group.collapsed:
        rest.append(_range(group))
        group.sum_up(store.rows, index.facts.unscanned)
        rest += [f"tool {name}" for name in group.tools]
        unscanned = group.unscanned
    return GroupWords(
        title, attempt.outcome, _sentence(store, attempt), " \u00b7 ".join(rest), unscanned
    )


def _sentence(store: RunStore, attempt: Attempt) -> str:
    match attempt.outcome:
        case None:
            if store.cut_off:
                return "cut off"
            return "" if store.over else "running"
        case "blocked":
            hook = attempt.hook or _blocking_hook(store, attempt)
            place = f" in {hook}" if hook else ""
            by = f" by {attempt.processor}" if attempt.processor else ""
            return f"rejected{by}{place}" + (", retry asked" if attempt.retried else "")
        case "errored":
            by = f" {attempt.processor}" if attempt.processor else " an error"
            return f"ended by{by}" + (f": {attempt.reason}" if attempt.reason else "")
        case other:
            return ending_words(other)


def _blocking_hook(store: RunStore, attempt: Attempt) -> str | None:
    """The hook whose call ended the attempt: the newest one that says so."""
    seq = attempt.last_seq
    while seq >= attempt.first_seq:
        event = store.event(seq)
        if isinstance(event, HookCalled) and event.outcome == "blocked":
            return event.hook
        seq -= 1
    return None


def _range(group: Group) -> str:
    first, last = group.first_row + 1, group.end_row
    return f"chunk {first}" if first == last else f"chunks {first}\u2013{last}"
