import os
from pathlib import Path

import pytest

from tripscope.whole_file import write_whole


@pytest.mark.skipif(os.name != "posix", reason="links and their names")
def test_a_link_stays_one(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    real = folder / "real.json"
    real.write_text("old")
    link = tmp_path / "link.json"
    link.symlink_to(real)
    write_whole(link, "new", what="the file")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert [path.name for path in folder.iterdir()] == ["real.json"]


@pytest.mark.skipif(os.name != "posix", reason="names of 255 bytes")
def test_a_name_may_be_as_long_as_names_can_be(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".json")
    write_whole(path, "new", what="the file")
    assert path.read_text() == "new"
