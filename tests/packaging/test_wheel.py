"""The wheel holds the three packages and nothing else."""

import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = {
    "tripscope": ROOT / "core",
    "tripscope_gui": ROOT / "gui",
    "tripscope_resources": ROOT / "resources",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = out.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_top_level_names(wheel: zipfile.ZipFile) -> None:
    top = {name.partition("/")[0] for name in wheel.namelist()}
    info = {name for name in top if name.endswith(".dist-info")}
    assert len(info) == 1
    assert top - info == set(SOURCES)


def test_every_shipped_file_comes_from_its_source_root(wheel: zipfile.ZipFile) -> None:
    for name in wheel.namelist():
        package = name.partition("/")[0]
        if package in SOURCES:
            assert (SOURCES[package] / name).is_file(), name


@pytest.mark.parametrize("package", sorted(SOURCES))
def test_every_source_file_is_shipped(wheel: zipfile.ZipFile, package: str) -> None:
    root = SOURCES[package]
    tree = {
        path.relative_to(root).as_posix()
        for path in (root / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert f"{package}/py.typed" in tree
    assert tree <= set(wheel.namelist())


def test_metadata(wheel: zipfile.ZipFile) -> None:
    (metadata,) = (n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
    lines = wheel.read(metadata).decode().splitlines()
    assert "Name: tripscope" in lines
    assert "License-Expression: Apache-2.0" in lines
    assert "Requires-Python: >=3.11" in lines
    (scripts,) = (n for n in wheel.namelist() if n.endswith("entry_points.txt"))
    assert "tripscope = tripscope.cli:main" in wheel.read(scripts).decode()


def test_no_extra_reads_as_a_version() -> None:
    """Pip 24 compares such a name as a version, and then fails on every other extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert [name for name in extras if re.match(r"v?\d", name, re.IGNORECASE)] == []


def test_version_is_told_once_and_the_same() -> None:
    import tripscope

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert tripscope.__version__ == project["version"]
    assert f"## [{project['version']}]" in (ROOT / "CHANGELOG.md").read_text()
