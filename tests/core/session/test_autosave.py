import json
import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tripscope.errors import SessionError
from tripscope.session import save_session
from tripscope.session.autosave import Autosave, read_autosave, write_autosave
from tripscope.session.model import Session

# to the microsecond: what several windows left within one second is offered in order
WHEN = datetime(2026, 5, 4, 12, 30, 15, 250_001, tzinfo=UTC)


def session(name: str = "small") -> Session:
    return Session(name=name, instructions="Answer.", prompts=["How do I reach Ann?"])


@pytest.mark.parametrize("home", [None, "pii.tripscope.json"])
def test_what_was_written_comes_back(tmp_path: Path, home: str | None) -> None:
    path = tmp_path / home if home is not None else None
    kept = Autosave(session(name="edited"), path, WHEN)
    write_autosave(kept, tmp_path / "a")
    assert read_autosave(tmp_path / "a") == kept


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes; the folder is the user's own")
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o644)
    write_autosave(Autosave(session(), None, WHEN), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_it_is_worth_keeping_while_its_file_says_something_else(tmp_path: Path) -> None:
    file = tmp_path / "s.tripscope.json"
    kept = Autosave(session(name="edited"), file, WHEN)
    assert kept.worth_keeping
    save_session(session(), file)
    assert kept.worth_keeping
    save_session(session(name="edited"), file)
    assert not kept.worth_keeping
    assert Autosave(session(), None, WHEN).worth_keeping


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "x"}, "format"),
        ({"version": 2}, "version: version 2 is not known here"),
        ({"path": 3}, "path: not a path"),
        ({"savedAt": "yesterday"}, "savedAt: not a time"),
        ({"savedAt": None}, "savedAt: not a time"),
        ({"session": {}}, "not a session"),
    ],
)
def test_a_damaged_one_says_what_is_wrong(
    tmp_path: Path, change: dict[str, object], says: str
) -> None:
    path = tmp_path / "a"
    write_autosave(Autosave(session(), None, WHEN), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(SessionError, match=says):
        read_autosave(path)


def test_half_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_autosave(Autosave(session(), None, WHEN), path)
    path.write_text(path.read_text()[:100])
    with pytest.raises(SessionError, match="not JSON"):
        read_autosave(path)
