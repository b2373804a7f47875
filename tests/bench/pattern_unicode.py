"""Lists where the Unicode tables of V8 and ours differ: ``python -m tests.bench.pattern_unicode``.

Needs node. V8 carries its own tables, the ``regex`` module and Python carry theirs, each of another
Unicode version; nobody can mend that here. ``--write`` renews the list that the tests read.
"""

import argparse
import json
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import regex

from tripscope.patterns.casing import canonical_point, canonical_unit
from tripscope.patterns.charset import LAST_UNIT, CharSet
from tripscope.patterns.properties import lookup
from tripscope.patterns.property_names import BINARY, GENERAL_CATEGORIES, SCRIPTS

LIST = Path(__file__).parents[1] / "core" / "patterns" / "unicode_differences.json"
_SCRIPT = r"""
const names = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const sets = {};
for (const name of names) {
  const pattern = new RegExp(`\\p{${name}}`, 'u');
  const ranges = [];
  let start = -1;
  for (let code = 0; code <= 0x110000; code++) {
    const inside = code < 0x110000 && pattern.test(String.fromCodePoint(code));
    if (inside && start < 0) start = code;
    if (!inside && start >= 0) { ranges.push([start, code - 1]); start = -1; }
  }
  sets[name] = ranges;
}
const pairs = [];
for (let code = 0; code < 0x110000; code++) {
  if (code >= 0xd800 && code < 0xe000) continue;
  const char = String.fromCodePoint(code);
  for (const other of new Set([char.toLowerCase(), char.toUpperCase()])) {
    if (other === char || [...other].length !== 1) continue;
    const same = (flags) => new RegExp(`^${char}$`, flags).test(other);
    const small = code < 0x10000 && other.length === 1;
    pairs.push([code, other.codePointAt(0), same('iu'), small ? same('i') : null]);
  }
}
console.log(JSON.stringify({ sets, pairs, unicode: process.versions.unicode }));
"""


def differences() -> dict[str, Any]:
    """The list: code points in hexadecimal, ranges with a hyphen."""
    names = [
        *sorted(set(GENERAL_CATEGORIES.values())),
        *sorted(f"{key}={value}" for key in ("Script", "scx") for value in set(SCRIPTS.values())),
        *sorted(set(BINARY.values())),
    ]
    node = shutil.which("node")
    if node is None:
        raise SystemExit("node is needed: its V8 is what our tables are compared with")
    done = subprocess.run(
        [node, "-e", _SCRIPT], input=json.dumps(names), capture_output=True, text=True, check=True
    )
    theirs = json.loads(done.stdout)
    properties: dict[str, dict[str, str]] = {}
    for name in names:
        found = lookup(name)
        ours = found.chars if found else CharSet()
        other = CharSet(tuple((low, high) for low, high in theirs["sets"][name]))
        if ours != other:
            properties[name] = {"v8": _shown(other - ours), "ours": _shown(ours - other)}
    return {
        "versions": {
            "v8": theirs["unicode"],
            "python": unicodedata.unidata_version,
            "regex": regex.__version__,
        },
        "case": {
            "iu": [f"{a:x} {b:x}" for a, b, same, _ in theirs["pairs"] if _points(a, b) != same],
            "i": [
                f"{a:x} {b:x}"
                for a, b, _, same in theirs["pairs"]
                if same is not None and _units(a, b) != same
            ],
        },
        "properties": properties,
    }


def _points(one: int, other: int) -> bool:
    return canonical_point(one) == canonical_point(other)


def _units(one: int, other: int) -> bool:
    assert max(one, other) <= LAST_UNIT
    return canonical_unit(one) == canonical_unit(other)


def _shown(chars: CharSet) -> str:
    return " ".join(
        f"{low:x}" if low == high else f"{low:x}-{high:x}" for low, high in chars.ranges
    )


def main() -> int:
    """Print the list, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    text = json.dumps(differences(), indent=1) + "\n"
    if parser.parse_args().write:
        LIST.write_text(text)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
