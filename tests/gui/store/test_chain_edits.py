"""Edits of the chain give a changed copy; ids stay unique; options are checked by their owner."""

from __future__ import annotations

import pytest

from tripscope.errors import SessionError
from tripscope.processors import BUILT_INS
from tripscope.session.build import build_processor
from tripscope.session.model import Session
from tripscope_gui.store.chain_edits import (
    added_processor,
    enabled_processor,
    kinds,
    moved_processor,
    removed_processor,
    renamed_processor,
    with_options,
)
from tripscope_gui.store.option_fields import fields_of


def ids(session: Session) -> list[str]:
    return [spec.id for spec in session.chain]


def test_every_kind_can_be_added_and_works_at_once() -> None:
    session = Session(name="s")
    for kind, _ in kinds():
        session, spec = added_processor(session, kind)
        build_processor(spec)
    assert set(ids(session)) == set(BUILT_INS)
    again, spec = added_processor(session, "regex-filter", after=session.chain[0].id)
    assert spec.id == "regex-filter-2"
    assert ids(again)[1] == "regex-filter-2"


def test_edits_leave_the_given_session_as_it_was() -> None:
    session, _ = added_processor(Session(name="s"), "regex-filter")
    session, _ = added_processor(session, "unicode-normalizer")
    before = session.model_copy(deep=True)
    assert ids(moved_processor(session, 0, 1)) == ["unicode-normalizer", "regex-filter"]
    assert ids(removed_processor(session, "regex-filter")) == ["unicode-normalizer"]
    assert not enabled_processor(session, "regex-filter", False).chain[0].enabled
    assert ids(renamed_processor(session, "regex-filter", " pii "))[0] == "pii"
    changed = with_options(session, "regex-filter", phase="input", strategy=None)
    assert changed.chain[0].options == {"presets": ["pii"], "phase": "input"}
    assert session == before


def test_an_id_is_unique_and_not_empty() -> None:
    session, _ = added_processor(Session(name="s"), "regex-filter")
    session, _ = added_processor(session, "regex-filter")
    with pytest.raises(ValueError, match="regex-filter-2 is taken: state is kept by id"):
        renamed_processor(session, "regex-filter", "regex-filter-2")
    with pytest.raises(ValueError, match="cannot be empty"):
        renamed_processor(session, "regex-filter", "  ")


def test_an_option_is_refused_by_the_processor_itself() -> None:
    session, _ = added_processor(Session(name="s"), "regex-filter")
    with pytest.raises(SessionError, match="streamCarryoverSize must be a positive"):
        with_options(session, "regex-filter", streamCarryoverSize=0)
    with pytest.raises(SessionError, match="at least one rule or preset"):
        with_options(session, "regex-filter", presets=None)


def test_forms_know_the_options_of_every_built_in() -> None:
    filter_fields = {field.key: field for field in fields_of("regex-filter")}
    assert filter_fields["strategy"].choices == ("block", "redact", "warn")
    assert filter_fields["strategy"].default == "block"
    assert "pii" in filter_fields["presets"].choices
    assert filter_fields["streamCarryoverSize"].kind == "number"
    assert "rules" not in filter_fields
    for kind, cls in BUILT_INS.items():
        _, spec = added_processor(Session(name="s"), kind)
        described = build_processor(spec).describe()
        known = {field.key for field in fields_of(kind)}
        # what a form offers is what the class describes, but for what may be left out
        assert known - described.keys() <= {"presets", "reason", "scope", "key"}, cls
    assert fields_of("nothing of the kind") == ()
