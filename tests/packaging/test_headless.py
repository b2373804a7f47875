"""The engine imports and runs where Qt is not installed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tripscope_resources import files

BLOCKED = ("PySide6", "shiboken6", "qasync", "tripscope_gui")

# Runs before anything else in the child: a finder that knows the blocked names as missing.
BLOCKER = f"""
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}} (blocked)", name=name)

sys.meta_path.insert(0, Blocker())
"""


def run_blocked(code: str, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", BLOCKER + code, *args],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


@pytest.mark.parametrize("name", BLOCKED)
def test_blocker_blocks(name: str) -> None:
    done = run_blocked(f"import {name}")
    assert done.returncode == 1
    assert "(blocked)" in done.stderr


def test_every_engine_module_imports() -> None:
    done = run_blocked("""
import importlib, pkgutil
import tripscope
names = [m.name for m in pkgutil.walk_packages(tripscope.__path__, "tripscope.")
         if not m.name.endswith("__main__")]
for name in names:
    importlib.import_module(name)
print(len(names))
""")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


def test_bare_import_leaves_heavy_libraries_out() -> None:
    done = run_blocked("""
import tripscope
print([n for n in ("httpx", "keyring", "sqlite3") if n in sys.modules])
""")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def examples() -> list[Path]:
    folder = Path(str(files("examples")))
    return sorted(folder.glob("*.tripscope.json"))


def test_examples_are_shipped() -> None:
    assert len(examples()) >= 3


@pytest.mark.parametrize("example", examples(), ids=lambda path: path.name)
def test_example_runs_from_the_command_line(example: Path) -> None:
    done = run_blocked(
        "from tripscope.cli import main\nsys.exit(main(sys.argv[1:]))",
        "run",
        str(example),
        "--json",
    )
    assert done.returncode in (0, 3), done.stderr
    result = json.loads(done.stdout)
    assert result["status"] in ("passed", "changed", "flagged", "blocked")
    assert (done.returncode == 3) == (result["status"] == "blocked")
