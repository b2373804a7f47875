"""The walls and sizes of the tree that no linter looks after."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE_ROOTS = {"core": "tripscope", "gui": "tripscope_gui", "resources": "tripscope_resources"}
MOST_LINES = 600


def python_files() -> list[Path]:
    return [path for top in (*SOURCE_ROOTS, "tests") for path in (ROOT / top).rglob("*.py")]


def test_python_files_are_found() -> None:
    assert len(python_files()) > len(SOURCE_ROOTS)


@pytest.mark.parametrize(("root", "package"), SOURCE_ROOTS.items())
def test_source_root_holds_one_package_and_is_none_itself(root: str, package: str) -> None:
    entries = {p.name for p in (ROOT / root).iterdir() if p.name != "__pycache__"}
    assert entries == {package}
    assert (ROOT / root / package / "py.typed").is_file()


def test_no_file_is_too_long() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in python_files()}
    assert {str(p.relative_to(ROOT)): n for p, n in lengths.items() if n > MOST_LINES} == {}


def test_every_package_folder_is_a_package() -> None:
    folders = {path.parent for top in SOURCE_ROOTS for path in (ROOT / top).rglob("*.py")}
    assert [str(f) for f in sorted(folders) if not (f / "__init__.py").is_file()] == []


def test_tests_mirror_sources() -> None:
    """A test file named after a module stands where that module does."""
    stray = []
    for root, package in (("core", "tripscope"), ("gui", "tripscope_gui")):
        source = ROOT / root / package
        for test in (ROOT / "tests" / root).rglob("test_*.py"):
            folder = source / test.parent.relative_to(ROOT / "tests" / root)
            if not folder.is_dir():
                stray.append(str(test.relative_to(ROOT)))
    assert stray == []
