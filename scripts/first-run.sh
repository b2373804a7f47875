#!/usr/bin/env bash
# The first example, already run: in the window, or where there is no display, printed and saved
# as a picture.
# Usage: scripts/first-run.sh BIN      BIN holds the tripscope command.
set -euo pipefail
cd "$(dirname "$0")/.."
tripscope=$1/tripscope

example=resources/tripscope_resources/examples/support-agent.tripscope.json

if [[ $(uname -s) != Linux || -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]; then
  exec "$tripscope" open --run "$example"
fi

picture=build/first-run.png
mkdir -p build
echo "No display here: running the first example headless."
# A block is a result of the run, not a failure of this script.
status=0
"$tripscope" run "$example" || status=$?
((status == 0 || status == 3)) || exit "$status"
"$tripscope" shot "$example" "$picture"
echo "The window as it looks after that run: $picture"
