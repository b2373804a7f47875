"""The band that says why a run ended before its end, and what was kept from whom."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from tripscope.trace.events import FindingMade, HookCalled
from tripscope.wire import JSON
from tripscope.wording import many
from tripscope_gui.context import PaneContext
from tripscope_gui.finding_selection import selection_of
from tripscope_gui.icons import Icon
from tripscope_gui.run_store import RunStore
from tripscope_gui.store.calls import STOPPING
from tripscope_gui.tokens import Space
from tripscope_gui.widgets.block_band import BlockBand

_SHOWN = {"blocked": "blocked", "error": "errored"}


class BlockBar(QWidget):
    """Shown for a blocked run, and for one that an error ended; hidden else."""

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.band = BlockBand(
            context.theme,
            [
                (Icon.SEARCH, "Show the match"),
                (Icon.GEAR, "Open rule"),
                (Icon.FILE, "What the client got"),
            ],
        )
        self.band.button_clicked.connect(self._on_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.DOCK_GAP, Space.DOCK_GAP, Space.DOCK_GAP, 0)
        column.addWidget(self.band)
        context.store_changed.connect(self.refresh)
        context.events_appended.connect(lambda _first, _end: self.refresh())
        self.refresh()

    def refresh(self) -> None:
        """Show or hide the band for the run that is looked at."""
        store = self._context.store
        outcome = _SHOWN.get(store.status) if store is not None else None
        self.setVisible(outcome is not None)
        if store is None or outcome is None:
            return
        self.band.set_block(outcome, title_of(store), text_of(store))
        finding = deciding_finding(store)
        self.band.buttons[0].setVisible(finding is not None)
        self.band.buttons[1].setVisible(finding is not None)

    def _on_button(self, position: int) -> None:
        store = self._context.store
        if store is None:
            return
        actions: tuple[Callable[[RunStore], None], ...] = (
            self._show_match,
            self._open_rule,
            self._show_client,
        )
        actions[position](store)

    def _show_match(self, store: RunStore) -> None:
        self._select_finding(store)
        self._context.show_pane("Text")

    def _open_rule(self, store: RunStore) -> None:
        self._select_finding(store)
        self._context.show_pane("Rules")

    def _show_client(self, store: RunStore) -> None:
        delivered = store.lanes.client.seqs
        if delivered:
            event = store.event(delivered[-1])
            row = store.rows.of_index(getattr(event, "index", None))
            self._context.selection.select(
                step=event.step if event is not None else None,
                attempt=event.attempt if event is not None else None,
                row=row.number if row is not None else None,
                seq=delivered[-1],
            )
        self._context.show_pane("Chunks" if len(store.rows) else "Event")

    def _select_finding(self, store: RunStore) -> None:
        finding = deciding_finding(store)
        if finding is not None:
            run = self._context.selection.current.run
            self._context.selection.set(selection_of(run, store, finding))


def deciding_call(store: RunStore) -> HookCalled | None:
    """The hook call that ended the run: the last one that was blocked, failed or timed out."""
    if not any(tally.outcomes.keys() & STOPPING for tally in store.calls.tallies.values()):
        return None
    calls = (event for event in reversed(store.events) if isinstance(event, HookCalled))
    return next((call for call in calls if call.outcome in STOPPING), None)


def deciding_finding(store: RunStore) -> FindingMade | None:
    """The finding for which the run was blocked: the last one with that outcome."""
    return next((f for f in reversed(store.findings) if f.outcome == "blocked"), None)


def title_of(store: RunStore) -> str:
    """``Blocked by secrets in processInput``; for an error, who raised what."""
    ended = store.ended
    if store.status == "error":
        error = _error(store)
        where = [str(error[key]) for key in ("processorId", "hook") if error.get(key) is not None]
        return f"Error in {' in '.join(where) or _caller(error)}"
    tripwire = ended.tripwire if ended is not None and isinstance(ended.tripwire, dict) else {}
    processor = tripwire.get("processorId")
    call = deciding_call(store)
    name = processor or (call.processor if call is not None else None) or "a processor"
    hook = f" in {call.hook}" if call is not None and call.hook else ""
    return f"Blocked by {name}{hook}"


def text_of(store: RunStore) -> str:
    """What matched, and what did not happen because of it."""
    sentences: list[str] = []
    finding = deciding_finding(store)
    if store.status == "error":
        sentences.append(f"{str(_error(store).get('message', 'No message')).rstrip('.')}.")
    elif finding is not None:
        same = sum(1 for f in store.findings if (f.rule, f.hook) == (finding.rule, finding.hook))
        times = "once" if same == 1 else f"{same} times"
        where = "the prompt" if finding.hook == "processInput" else "the answer"
        sentences.append(f"Rule {finding.rule} matched {times} in {where}.")
    elif store.ended is not None and isinstance(store.ended.tripwire, dict):
        sentences.append(f"{store.ended.tripwire.get('reason', '')}".strip())
    sentences.append(_consequences(store))
    return " ".join(sentence for sentence in sentences if sentence)


def _caller(error: dict[str, JSON]) -> str:
    """Where an error came from that no processor raised."""
    if error.get("name") != "APIError":
        return "the run"
    status = error.get("statusCode")
    return "the model call" + (f", status {status}" if status is not None else "")


def _error(store: RunStore) -> dict[str, JSON]:
    error = store.ended.error if store.ended is not None else None
    return error if isinstance(error, dict) else {}


def _consequences(store: RunStore) -> str:
    parts: list[str] = []
    if not store.requests:
        parts.append("the model was not called, no tokens were used")
    text = sum(block.delivered.length for block in store.blocks.values())
    if text:
        parts.append(f"{many(text, 'UTF-16 unit')} of text had reached the client")
    else:
        parts.append("no text was sent to the client")
    if store.ended is not None and not store.ended.stored:
        parts.append("nothing was stored")
    sentence = ", ".join(parts) + "."
    return sentence[0].upper() + sentence[1:]
