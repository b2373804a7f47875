"""The form of the rule that is worked on, with what is to be said about it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from tripscope import patterns
from tripscope.session.filters import window_of
from tripscope_gui.context import PaneContext
from tripscope_gui.rule_desk import RuleDesk, desk_of, roomy
from tripscope_gui.store.rule_edits import outgrows_window
from tripscope_gui.widgets.notice import Severity
from tripscope_gui.widgets.rule_form import RuleForm


class RuleNotice(Struct, frozen=True):
    """What is to be said of a rule, and the one thing to do about it."""

    severity: Severity
    title: str
    text: str
    link: str = ""
    act: Callable[[], None] | None = None


def notice_of(desk: RuleDesk) -> RuleNotice | None:
    """The most important thing about the rule that is worked on."""
    row, spec, draft = desk.row, desk.spec, desk.draft
    if row is None or spec is None:
        return None
    if draft is not None:
        return RuleNotice(
            Severity.FAILURE,
            f"Position {draft.error.position}, UTF-16",
            f"{draft.error.reason}; runs use the last good pattern",
        )
    error = _refusal(desk)
    if error is not None:
        used = spec.enabled and row.rule.enabled
        return RuleNotice(
            Severity.FAILURE,
            f"Position {error.position}, UTF-16",
            f"{error.reason}; {'no run can start with it' if used else 'switched off'}",
        )
    shortest = outgrows_window(spec, row.rule)
    if shortest is not None:
        return RuleNotice(
            Severity.WARNING,
            f"Shortest match {shortest} > window {window_of(spec)}",
            "its start can leave undecided",
            f"set window to {roomy(shortest)}",
            lambda: desk.fit_window(shortest),
        )
    longest = desk.outgrown_here()
    if longest is not None:
        return RuleNotice(
            Severity.WARNING,
            f"Longest match here {longest} > window {window_of(spec)}",
            "its start can leave undecided",
            f"set window to {roomy(longest)}",
            lambda: desk.fit_window(longest),
        )
    late = desk.costs.of(row).time_outs
    if late:
        searches = "a search" if late == 1 else f"{late} searches"
        return RuleNotice(
            Severity.WARNING, "Out of time in this run", f"{searches} of it did not finish"
        )
    if row.preset is None and desk.named_twice(row):
        return RuleNotice(
            Severity.WARNING, "Another rule has this name", "findings do not tell them apart"
        )
    preset = row.preset
    if preset is not None:
        return RuleNotice(
            Severity.CHANGE,
            f"From preset {preset}",
            "read only",
            "copy to edit",
            lambda: desk.copy_preset(spec.id, preset),
        )
    return None


def _refusal(desk: RuleDesk) -> patterns.PatternError | None:
    """Why JavaScript refuses the pattern that is shown: as it is typed, or as a file held it."""
    if desk.draft is not None:
        return desk.draft.error
    if desk.row is not None:
        try:
            patterns.compile(desk.row.rule.pattern, desk.row.rule.flags)
        except patterns.PatternError as error:
            return error
    return None


def stop_in(desk: RuleDesk) -> tuple[int, int] | None:
    """The part at which the rule stops in the test that is looked at; UTF-16 units."""
    row, found = desk.row, desk.stop.found
    if row is None or found is None or found.stop is None or desk.draft is not None:
        return None
    asked = (row.rule.pattern, row.rule.flags)
    return (found.stop.start, found.stop.end) if found.question[:2] == asked else None


class RuleEditor(RuleForm):
    """A `RuleForm` that is bound to the desk of the window."""

    def __init__(
        self,
        context: PaneContext,
        look: Callable[[str], int],
        parent: QWidget | None = None,
        *,
        roomy: bool = False,
    ) -> None:
        super().__init__(context.theme, parent, roomy=roomy)
        self._desk = desk_of(context)
        self._look = look
        self._notice: RuleNotice | None = None
        self.pattern_typed.connect(self._desk.type_pattern)
        self.edited.connect(self._on_edited)
        self.notice.link_activated.connect(self.act)
        desk = self._desk
        for signal in (
            desk.rows_changed,
            desk.chosen,
            desk.draft_changed,
            desk.reach.changed,
            desk.stop.changed,
            context.runs_changed,
        ):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the rule as it stands, or as it is being typed."""
        row, draft = self._desk.row, self._desk.draft
        rule = row.rule if row is not None else None
        error = _refusal(self._desk)
        self.show_rule(
            rule,
            self._look(rule.name) if rule is not None else 0,
            editable=row is not None and row.place >= 0,
            pattern=draft.pattern if draft is not None else rule.pattern if rule else "",
            flags=draft.flags if draft is not None else rule.flags if rule else "",
            error=error.position if error is not None else None,
        )
        self.show_stop(stop_in(self._desk))
        found = self._notice = notice_of(self._desk)
        before = self.notice.isHidden()
        if found is None:
            self.notice.hide()
        else:
            self.notice.set_notice(found.severity, found.title, found.text, found.link)
            self.notice.show()
        if before != self.notice.isHidden():
            self.resized.emit()

    def act(self) -> None:
        """Do the one thing that the notice offers."""
        if self._notice is not None and self._notice.act is not None:
            self._notice.act()
            if self._desk.row is not None and self._desk.row.place >= 0:
                # what was offered may be gone; the keyboard stays with the rule
                self.pattern.setFocus()

    def _on_edited(self, field: str, value: object) -> None:
        if field == "name" and not value:
            return
        self._desk.change(field, **{field: value})
