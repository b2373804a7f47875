"""What the README shows is true: its script runs, its pictures and links are there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tripscope.trace.events import RunEnded
from tripscope.trace.file import load

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_script_runs_and_its_trace_loads(tmp_path: Path) -> None:
    [script] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "Write to [EMAIL]."
    ended = load(tmp_path / "support.trace.jsonl")[-1]
    assert isinstance(ended, RunEnded)
    assert ended.status == "changed"


def test_every_link_and_picture_is_there() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    targets += re.findall(r'src(?:set)?="([^"]+)"', README)
    local = [target for target in targets if "://" not in target]
    assert local
    assert [target for target in local if not (ROOT / target).exists()] == []
