"""The rule that is worked on: which one it is, what is being typed, and every edit of it.

The panes about rules share one desk (`desk_of`), as all panes share one selection.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from tripscope import patterns
from tripscope.errors import SessionError
from tripscope.rules.presets import PRESETS
from tripscope.session.filters import window_of
from tripscope.session.model import ProcessorSpec, RuleTest, Session, SessionRule
from tripscope_gui.context import PaneContext
from tripscope_gui.preview_runner import PreviewRunner
from tripscope_gui.rule_reach import RuleReach
from tripscope_gui.rule_stop import RuleStop
from tripscope_gui.run_costs import RunCosts
from tripscope_gui.store.chain_edits import added_processor, with_options
from tripscope_gui.store.rule_edits import (
    Key,
    RuleRow,
    added_rule,
    changed_rule,
    copied_preset,
    cuts_at_window,
    moved_rule,
    processors_with_rules,
    removed_rule,
    rule_rows,
    with_processor,
)

NEW_RULE: Final = SessionRule(name="new-rule", pattern="text to find", replacement="[REDACTED]")


class Draft(Struct, frozen=True):
    """A pattern that JavaScript refuses, as it stands in the editor; runs use ``good``."""

    key: Key
    good: tuple[str, str]
    pattern: str
    flags: str
    error: patterns.PatternError


class RuleDesk(QObject):
    """Rules of the open session."""

    rows_changed = Signal()
    """Rules or their tests differ: read `rows` anew."""
    chosen = Signal()
    """Another rule is worked on."""
    added = Signal()
    """A new rule is worked on, which wants a name of its own."""
    draft_changed = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self._context = context
        self._key: Key | None = None
        self._at = 0
        self._draft: Draft | None = None
        self.specs: list[ProcessorSpec] = []
        self.rows: list[RuleRow] = []
        self._rows_of: dict[str, list[RuleRow]] = {}
        self._places: dict[Key, int] = {}
        self._twice: set[Key] = set()
        self.preview = PreviewRunner(context)
        self.reach = RuleReach(context, self)
        self.stop = RuleStop(context, self)
        self.costs = RunCosts(context, self)
        context.session.changed.connect(self._on_session)
        context.store_changed.connect(self._on_store)
        self._on_store()

    # reading

    @property
    def session(self) -> Session | None:
        """The open session."""
        return self._context.session.session

    @property
    def row(self) -> RuleRow | None:
        """The rule that is worked on."""
        place = self._place()
        return self.rows[place] if place is not None else None

    def _place(self) -> int | None:
        """Where it stands in `rows`; of two with one name the one that was chosen."""
        key, at = self._key, self._at
        if key is None:
            return None
        if at < len(self.rows) and self.rows[at].key == key:
            return at
        return self._places.get(key)

    @property
    def spec(self) -> ProcessorSpec | None:
        """The processor of that rule."""
        key = self._key
        return next((s for s in self.specs if key is not None and s.id == key[0]), None)

    @property
    def draft(self) -> Draft | None:
        """What stands in the editor and is no pattern."""
        return self._draft

    def rows_of(self, processor: str) -> list[RuleRow]:
        """The rules of one processor."""
        return self._rows_of.get(processor, [])

    # choosing

    def choose(self, processor: str, rule: str | None = None) -> bool:
        """Work on another rule (the processor's first if none is named); whether there is one."""
        if rule is None:
            first = next(iter(self.rows_of(processor)), None)
            if first is None:
                if any(spec.id == processor for spec in self.specs):
                    self._take((processor, ""))
                return False
            rule = first.rule.name
        if (processor, rule) not in self._places:
            return False
        self._take((processor, rule))
        return True

    def choose_row(self, row: RuleRow) -> None:
        """Work on this rule of `rows`, also if another one has its name."""
        for place, other in enumerate(self.rows):
            if other is row:
                self._take(row.key, place)

    def named_twice(self, row: RuleRow) -> bool:
        """Whether another rule of the processor has the same name."""
        return row.key in self._twice

    def follow_rename(self, before: str, after: str) -> None:
        """A processor gets another id: what is worked on stays the same."""
        if self._key is not None and self._key[0] == before:
            self._key = (after, self._key[1])

    def _take(self, key: Key | None, place: int | None = None) -> None:
        at = self._places.get(key, self._at) if key is not None and place is None else place
        if key != self._key or (place is not None and place != self._at):
            self._key = key
            self._at = self._at if at is None else at
            self._set_draft(None)
            self.chosen.emit()

    # typing

    def type_pattern(self, pattern: str, flags: str) -> None:
        """Take a pattern as typed: a good one becomes the rule's, another one stays a draft."""
        row = self.row
        if row is None or row.place < 0:
            return
        try:
            patterns.compile(pattern, flags)
        except patterns.PatternError as error:
            key = row.key
            good = (row.rule.pattern, row.rule.flags)
            self._set_draft(Draft(key, good, pattern, flags, error))
            return
        # the draft goes once the rule has its pattern: nobody may show the old one in between
        had_draft, self._draft = self._draft is not None, None
        self.change("pattern", pattern=pattern, flags=flags)
        if had_draft:
            self.draft_changed.emit()

    def change(self, what: str, **fields: Any) -> None:
        """Change fields of the rule; edits of the same thing in a row are one undo step."""
        row, spec, session = self.row, self.spec, self.session
        if row is None or spec is None or session is None or row.place < 0:
            return
        if "name" in fields:
            self._key = (row.processor, fields["name"])
        self._context.session.edit(
            f"edit {what} of {row.rule.name}",
            changed_rule(session, spec, row.place, **fields),
            merge=f"{what} {row.processor} {row.place}",
        )

    def set_tests(self, tests: Sequence[RuleTest], words: str, merge: str | None = None) -> None:
        """Give the rule other tests."""
        row, spec, session = self.row, self.spec, self.session
        if row is not None and spec is not None and session is not None and row.place >= 0:
            changed = changed_rule(session, spec, row.place, tests=list(tests))
            self._context.session.edit(words, changed, merge=merge)

    # other edits

    def toggle(self, row: RuleRow) -> None:
        """Switch a rule on or off."""
        spec, session = self._spec_of(row), self.session
        if spec is None or session is None:
            return
        if row.preset is not None:
            self._context.say(
                f"{row.rule.name} is part of preset {row.preset}; copy it to change it"
            )
            return
        enabled = not row.rule.enabled
        changed = changed_rule(session, spec, row.place, enabled=enabled)
        self._context.session.edit(f"switch {row.rule.name} {'on' if enabled else 'off'}", changed)

    def add(self, rule: SessionRule = NEW_RULE, processor: str | None = None) -> None:
        """Add a rule to the processor that is worked on; one is made where there is none."""
        session = self.session
        if session is None:
            return
        session, spec = self._filter(session, processor)
        changed = added_rule(session, spec, rule)
        added = next(s for s in changed.chain if s.id == spec.id).rules[-1]
        self._key = (spec.id, added.name)
        self._set_draft(None)
        self._context.session.edit(f"add rule {added.name}", changed)
        self.chosen.emit()
        if rule is NEW_RULE:
            self.added.emit()

    def _filter(self, session: Session, processor: str | None) -> tuple[Session, ProcessorSpec]:
        """The processor of that id, or the one that is worked on; made where there is none."""
        spec = next((s for s in self.specs if s.id == processor), None) or self.spec
        spec = spec or (self.specs[0] if self.specs else None)
        if spec is not None:
            return session, spec
        session, spec = added_processor(session, "regex-filter")
        spec = spec.model_copy(update={"options": {"strategy": "redact"}})
        return with_processor(session, spec), spec

    def remove(self) -> None:
        """Remove the rule that is worked on."""
        row, spec, session = self.row, self.spec, self.session
        if row is None or row.place < 0 or spec is None or session is None:
            return
        changed = removed_rule(session, spec, row.place)
        if len(spec.rules) == 1 and not spec.options.get("presets"):
            self._context.say(f"{spec.id} needs a rule or a preset: runs refuse it without one")
        self._context.session.edit(f"remove rule {row.rule.name}", changed)

    def move(self, row: RuleRow, to: int) -> None:
        """Give a rule another place among the processor's own."""
        spec, session = self._spec_of(row), self.session
        if spec is None or session is None or row.place < 0:
            return
        to = max(0, min(to, len(spec.rules) - 1))
        if to != row.place:
            changed = moved_rule(session, spec, row.place, to)
            self._context.session.edit(f"move rule {row.rule.name}", changed)

    def copy_preset(self, processor: str | None, preset: str) -> None:
        """Make a preset's rules the processor's own, to edit them, and work on one of them.

        One is made where there is none.
        """
        session = self.session
        if session is not None:
            session, spec = self._filter(session, processor)
            changed = copied_preset(session, spec, preset)
            self._context.session.edit(f"copy preset {preset}", changed)
            if any(rule.check is not None for rule in PRESETS.get(preset, ())):
                self._context.say(
                    f"The copies of {preset} match by pattern alone; its checks of digits stay"
                    " with the preset"
                )
            names = [rule.name for rule in PRESETS.get(preset, ())]
            key = self._key
            if names and (key is None or key[0] != spec.id or key[1] not in names):
                self.choose(spec.id, names[0])

    def set_option(self, processor: str, key: str, value: Any) -> str | None:
        """Set an option of a processor, None for its default; why it was refused, or None."""
        session = self.session
        if session is None:
            return None
        try:
            changed = with_options(session, processor, **{key: value})
        except SessionError as error:
            return str(error)
        self._context.session.edit(
            f"set {key} of {processor}", changed, merge=f"option {processor} {key}"
        )
        return None

    def outgrown_here(self) -> int | None:
        """The rule's longest match in the run's text, if the filter's window cannot hold it."""
        row, spec = self.row, self.spec
        if row is None or spec is None or not cuts_at_window(spec):
            return None
        longest = self.reach.longest(spec.id, row.rule.pattern, row.rule.flags)
        return longest if longest is not None and longest > window_of(spec) else None

    def fit_window(self, shortest: int) -> None:
        """Make the window of the processor hold a match of that many UTF-16 units."""
        spec = self.spec
        if spec is not None:
            window = max(roomy(shortest), window_of(spec))
            self.set_option(spec.id, "streamCarryoverSize", window)

    # following

    def _spec_of(self, row: RuleRow) -> ProcessorSpec | None:
        return next((s for s in self.specs if s.id == row.processor), None)

    def _set_draft(self, draft: Draft | None) -> None:
        if draft is not self._draft:
            self._draft = draft
            self.draft_changed.emit()

    def _on_session(self) -> None:
        self._read()
        draft = self._draft
        if draft is not None:
            row = self.row
            now = row and (row.key, (row.rule.pattern, row.rule.flags))
            if now != (draft.key, draft.good):
                self._set_draft(None)
        self.preview.request()

    def _on_store(self) -> None:
        self._read(anew=True)

    def _read(self, *, anew: bool = False) -> None:
        """Take the session's rules; ``anew``: the looks of all of them are asked for again."""
        session = self.session
        before = {} if anew else self._rows_of
        self.specs = processors_with_rules(session) if session is not None else []
        known = {id(row) for row in self.rows} if before else set()
        self._rows_of = {spec.id: rule_rows(spec, before.get(spec.id, ())) for spec in self.specs}
        self.rows = [row for spec in self.specs for row in self._rows_of[spec.id]]
        self._places, self._twice = {}, set()
        for place, row in enumerate(self.rows):
            if self._places.setdefault(row.key, place) != place:
                self._twice.add(row.key)
            if id(row) not in known:
                # looks follow the order of the chain, not that in which rules are painted
                self._context.rule_number(row.rule.name)
        current = self._place()
        if current is not None:
            self._at = current
        elif self.rows and self._key is not None and self.spec is not None:
            near = self.rows[min(self._at, len(self.rows) - 1)]
            own = self.rows_of(self._key[0])
            if near.processor != self._key[0] and own:
                near = own[-1]
            if own:
                self._take(near.key)
        elif self.rows:
            self._take(self.rows[0].key)
        else:
            self._take((self.specs[0].id, "") if self.specs else None)
        self.rows_changed.emit()


def desk_of(context: PaneContext) -> RuleDesk:
    """The one desk of a window; made at the first call."""
    found = context.findChild(RuleDesk)
    return found if isinstance(found, RuleDesk) else RuleDesk(context)


def roomy(units: int) -> int:
    """The next power of two that holds a match of ``units`` UTF-16 units."""
    return 1 << (units - 1).bit_length()
