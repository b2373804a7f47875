"""Run the benchmarks: `python -m tests.bench [WORD...]`, words choose modules by name.

Each `bench_*.py` beside this file has `rows() -> list[Row]`. The table goes to the screen as it
grows, all rows to build/bench.json. Ends with 1 if a module failed; a goal missed is told, no more.
"""

import importlib
import json
import os
import platform
import sys
import traceback
from pathlib import Path

from tests.bench.rows import Row, table

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "build" / "bench.json"


def main(words: list[str]) -> int:
    # Before any benchmark imports Qt.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    names = sorted(path.stem for path in HERE.glob("bench_*.py"))
    chosen = [name for name in names if not words or any(word in name for word in words)]
    if not chosen:
        print(f"bench: nothing named {' or '.join(words) or 'bench_*.py'} in {', '.join(names)}")
        return 2
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}")
    rows: list[Row] = []
    failed: list[str] = []
    for name in chosen:
        print(f"\n{name.removeprefix('bench_')}", flush=True)
        try:
            measured: list[Row] = importlib.import_module(f"tests.bench.{name}").rows()
        except Exception:
            traceback.print_exc()
            failed.append(name)
            continue
        print(table(measured), flush=True)
        rows += measured
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps({"rows": [row.to_json() for row in rows]}, indent=1) + "\n")
    missed = [row.name for row in rows if row.met is False]
    print(f"\n{len(rows)} rows written to {OUT}")
    for title, what in (("goals missed", missed), ("failed", failed)):
        if what:
            print(f"{title}: {', '.join(what)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
