"""Live preview: what the rules find in the run's text or a scratch text, while they are typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, overload

from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from tripscope.wording import many
from tripscope_gui.bars.formats import duration
from tripscope_gui.context import PaneContext
from tripscope_gui.icons import Icon
from tripscope_gui.panes import Pane
from tripscope_gui.rule_desk import desk_of
from tripscope_gui.store.point_spans import TextSpan
from tripscope_gui.store.rule_preview import PreviewMatch
from tripscope_gui.tokens import Height, Space, TypeSize
from tripscope_gui.widgets.annotated_text import AnnotatedText
from tripscope_gui.widgets.buttons import Button, Kind
from tripscope_gui.widgets.caret_bar import CaretBar
from tripscope_gui.widgets.labels import ElidedLabel
from tripscope_gui.widgets.scratch_edit import ScratchEdit
from tripscope_gui.widgets.segmented import SegmentedControl

_ROOM_FOR_TIME: Final = 600
_LEAST_SUMMARY: Final = 160


class MatchSpans(Sequence[TextSpan]):
    """Matches as spans, each made when it is looked at: a text may have ten thousands of them."""

    def __init__(self, matches: Sequence[PreviewMatch], number: Callable[[str], int]) -> None:
        self._matches = matches
        self._number = number

    def __len__(self) -> int:
        return len(self._matches)

    @overload
    def __getitem__(self, place: int) -> TextSpan: ...
    @overload
    def __getitem__(self, place: slice) -> list[TextSpan]: ...
    def __getitem__(self, place: int | slice) -> TextSpan | list[TextSpan]:
        if isinstance(place, slice):
            return [self._span(match) for match in self._matches[place]]
        return self._span(self._matches[place])

    def _span(self, match: PreviewMatch) -> TextSpan:
        name, by = match.rule.name, match.covered_by
        winner = self._matches[by].rule.name if by is not None else None
        number = self._number(name)
        return TextSpan(match.start, match.end, "match", name, number, winner=winner)


class PreviewPane(Pane):
    """The text with all matches; a match of a rule with an error is that of its last good form."""

    TITLE = "Live preview"
    PLACE = "lab-middle"
    ORDER = 10

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        theme = context.theme
        self.desk = desk_of(context)
        self.runner = self.desk.preview
        self.source = SegmentedControl(
            (("run", "text of the run"), ("scratch", "scratch text")), "text", "scratch"
        )
        self.odd = Button(theme, "invisibles", Icon.INVISIBLES, kind=Kind.QUIET, small=True)
        self.odd.setCheckable(True)
        self.place = ElidedLabel(theme, tone="t3", px=TypeSize.LABEL)
        self.warning = ElidedLabel(theme, tone="flagged", px=TypeSize.LABEL)
        self.text = ScratchEdit(theme, "text that the rules are tried on")
        self.caret = CaretBar(hint="")
        self.summary = self.caret.hint
        # its words depend on the width, so they may not decide it
        self.summary.setMinimumWidth(_LEAST_SUMMARY)
        self._lay_out()
        self._connect()
        self._show_text()

    def _lay_out(self) -> None:
        bar = QFrame()
        bar.setProperty("kind", "filter")
        bar.setFixedHeight(Height.FILTER_ROW)
        line = QHBoxLayout(bar)
        line.setContentsMargins(Space.BASE, 0, Space.SNUG, 0)
        line.setSpacing(Space.BASE)
        line.addWidget(self.source)
        line.addWidget(self.odd)
        line.addWidget(self.place, 1)
        line.addWidget(self.warning)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.text, 1)
        column.addWidget(self.caret)

    def _connect(self) -> None:
        self.source.selected.connect(self._on_source)
        self.odd.toggled.connect(self.text.show_odd)
        self.text.typed.connect(self.runner.set_scratch)
        self.text.caret_moved.connect(lambda _offset: self._show_caret())
        self.text.selectionChanged.connect(self._on_selected)
        self.runner.text_changed.connect(self._show_text)
        self.runner.done.connect(self._on_done)
        self.runner.pointed.connect(self._on_pointed)
        self.desk.draft_changed.connect(self._show_matches)
        self.context.theme.changed.connect(self.text.viewport().update)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.runner.watch(self, True)
        self._show_text()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.runner.watch(self, False)

    def reset(self) -> None:
        self.runner.follow_run()
        run = self.context.run
        words = f"text of {run.title.lower()}" if run is not None else "text of the run"
        self.source.button("run").setText(words)
        has_text = bool(self.runner.run_title)
        self.source.button("run").setEnabled(has_text)
        if not has_text and self.runner.source == "run":
            self.source.set_current("scratch")
        self._show_matches()

    def grow(self, first: int, end: int) -> None:
        self.reset()

    def follow(self) -> None:
        self.runner.follow_run()

    def _on_pointed(self) -> None:
        match = self.runner.pointed_to
        if match is not None:
            self.text.outline(match.start, match.end, flash=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_matches()

    # what is shown

    def _show_text(self) -> None:
        self.source.set_current(self.runner.source)
        scratch = self.runner.source == "scratch"
        self.text.show_text(self.runner.text, editable=scratch)
        self.place.set_text("" if scratch else self.runner.run_title)
        self._show_matches()

    def _on_done(self) -> None:
        self._show_matches()
        # what was typed shows in the text before the tables beside it are painted
        self.text.viewport().repaint()

    def _show_matches(self) -> None:
        preview, draft = self.runner.preview, self.desk.draft
        if not self.isVisible() or preview.text != self.text.text():
            return
        matches = preview.matches
        self.text.set_spans(MatchSpans(matches, self.context.rule_number), preview.reach)
        dimmed = {draft.key[1]} if draft is not None else set()
        self.text.set_dimmed(dimmed)
        pale = sum(m.rule.name in dimmed for m in matches) if dimmed else 0
        words = many(len(matches), "match", "matches") + (
            f", {pale} of them dimmed" if pale else ""
        )
        late = sorted(rule for _, rule in preview.timed_out)
        spent = f"in {duration(preview.nanoseconds)}, result {self.runner.number}"
        self.summary.setText(words if self.width() < _ROOM_FOR_TIME else f"{words}   {spent}")
        self.summary.setToolTip(spent)
        if draft is not None:
            self.warning.set_text(f"{draft.key[1]}: last good result, from before the error")
        elif late:
            self.warning.set_text(f"{', '.join(late)}: no answer in time, so no matches shown")
        else:
            self.warning.set_text("")
        self._show_caret()

    def _show_caret(self) -> None:
        text = self.text.text()
        self.caret.show_caret("text", text, min(self.text.caret(), self.text.length))

    # what is done

    def _on_source(self, key: str) -> None:
        self.runner.set_source("run" if key == "run" else "scratch")

    def _on_selected(self) -> None:
        self.runner.selected = self.text.selection()


class ReplacedPane(Pane):
    """The text as the processors that redact leave it, one after the other."""

    TITLE = "After replacement"
    PLACE = "lab-middle"
    ORDER = 20

    def __init__(self, context: PaneContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.desk = desk_of(context)
        self.runner = self.desk.preview
        self.text = AnnotatedText(context.theme, "text after replacement")
        self.summary = ElidedLabel(context.theme, tone="t2", px=TypeSize.LABEL)
        footer = QFrame()
        footer.setProperty("kind", "footer")
        line = QHBoxLayout(footer)
        line.setContentsMargins(Space.BASE, 3, Space.BASE, 3)
        line.addWidget(self.summary)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.text, 1)
        column.addWidget(footer)
        self.runner.done.connect(self._show)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.runner.watch(self, True, replacing=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.runner.watch(self, False)

    def _show(self) -> None:
        replaced = self.runner.replaced
        if not self.isVisible() or (replaced is None and not self.runner.fresh):
            return
        if replaced is None:
            self.text.set_text("")
            self.summary.set_text("A rule gave no answer in time: a run lets nothing through")
            return
        number = self.context.rule_number
        spans = [
            TextSpan(start, end, "box", rule, number(rule)) for start, end, rule in replaced.boxes
        ]
        self.text.set_text(replaced.text, spans)
        words = many(len(spans), "replacement")
        if replaced.blocked_by:
            words += f"; a run is blocked by {', '.join(replaced.blocked_by)}"
        self.summary.set_text(words)
