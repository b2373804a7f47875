#!/usr/bin/env bash
# Makes VENV from requirements.lock, once for each state of the lock, pyproject.toml and Python.
# Usage: scripts/setup.sh VENV STAMP      PYTHON=python3.12 picks the interpreter.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1 stamp=$2

good() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
  if [[ -n ${PYTHON:-} ]]; then
    good "$PYTHON" && echo "$PYTHON" && return
    echo "setup: PYTHON=$PYTHON is not a Python 3.11 or newer" >&2
    return 1
  fi
  local name
  for name in python3 python3.13 python3.12 python3.11 python3.14 python; do
    good "$name" && echo "$name" && return
  done
  echo "setup: no Python 3.11 or newer found; python3 is $(python3 -V 2>/dev/null || echo missing)." >&2
  echo "       Install one, or name it: make setup PYTHON=/path/to/python3.12" >&2
  return 1
}

version() { "$1" -c 'import sys; print(sys.version)' 2>/dev/null; }

# Fit: new enough and, where PYTHON is named, that very version.
fit() {
  good "$venv/bin/python" || return 1
  [[ -z ${PYTHON:-} || $(version "$PYTHON") == "$(version "$venv/bin/python")" ]]
}

# Kept whole: a new lock, a moved checkout or a replaced interpreter each ask for a new install.
wanted() { cat requirements.lock pyproject.toml <(pwd) | cksum; }

if [[ -f $stamp && $(<"$stamp") == "$(wanted)" ]] && fit; then
  exit 0
fi

scripts/system-packages.sh
if ! fit; then
  python=$(find_python)
  scripts/system-packages.sh --venv "$python"
  "$python" -m venv --clear "$venv"
fi
rm -f "$stamp"
echo "setup: installing the pinned packages into $venv"
pip=("$venv/bin/python" -m pip --disable-pip-version-check -qq)
"${pip[@]}" install --require-hashes -r requirements.lock
"${pip[@]}" install --no-deps --no-build-isolation -e .
wanted >"$stamp"
