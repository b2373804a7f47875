from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.support.window import write_session
from tripscope.errors import SessionError
from tripscope.session import load_session
from tripscope_gui.session_access import SessionAccess


@pytest.fixture
def access(qtbot: QtBot) -> SessionAccess:
    return SessionAccess()


def renamed(access: SessionAccess, name: str):  # type: ignore[no-untyped-def]
    assert access.session is not None
    return access.session.model_copy(update={"name": name})


def test_edits_can_be_undone(access: SessionAccess, tmp_path: Path) -> None:
    changes: list[str] = []
    access.changed.connect(lambda: changes.append(access.session.name if access.session else ""))
    access.open(write_session(tmp_path))
    access.edit("rename", renamed(access, "one"))
    access.edit("rename", renamed(access, "two"))
    assert access.dirty
    access.undo_stack.undo()
    access.undo_stack.undo()
    assert changes == ["small", "one", "two", "one", "small"]
    assert not access.dirty


def test_typing_is_one_step(access: SessionAccess, tmp_path: Path) -> None:
    access.open(write_session(tmp_path))
    for name in ("a", "ab", "abc"):
        access.edit("rename", renamed(access, name), merge="name")
    access.edit("rename", renamed(access, "other"), merge="else")
    assert access.undo_stack.count() == 2
    access.undo_stack.undo()
    assert access.session is not None
    assert access.session.name == "abc"
    access.undo_stack.undo()
    assert access.session.name == "small"


def test_no_change_is_no_step(access: SessionAccess, tmp_path: Path) -> None:
    access.open(write_session(tmp_path))
    access.edit("rename", renamed(access, "small"))
    assert access.undo_stack.count() == 0


def test_saving_to_another_file_makes_it_the_session_s(
    access: SessionAccess, tmp_path: Path
) -> None:
    first = write_session(tmp_path)
    access.open(first)
    access.edit("rename", renamed(access, "new"))
    second = tmp_path / "second.tripscope.json"
    assert access.save(second) == second
    assert not access.dirty
    assert access.path == second
    assert load_session(second).name == "new"
    assert load_session(first).name == "small"


def test_a_session_that_cannot_be_read_leaves_the_open_one(
    access: SessionAccess, tmp_path: Path
) -> None:
    access.open(write_session(tmp_path))
    broken = tmp_path / "broken.tripscope.json"
    broken.write_text("{")
    with pytest.raises(SessionError):
        access.open(broken)
    assert access.session is not None
    assert access.session.name == "small"


def test_a_new_session_is_not_saved_anywhere(access: SessionAccess, tmp_path: Path) -> None:
    session = load_session(write_session(tmp_path))
    access.take(session, unsaved=True)
    assert access.dirty
    access.save(tmp_path / "x.tripscope.json")
    assert not access.dirty


def test_there_must_be_a_session_to_edit_or_save(access: SessionAccess, tmp_path: Path) -> None:
    session = load_session(write_session(tmp_path))
    with pytest.raises(RuntimeError):
        access.edit("x", session)
    with pytest.raises(RuntimeError):
        access.save()
