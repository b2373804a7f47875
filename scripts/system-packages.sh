#!/usr/bin/env bash
# Sees to the system libraries that Qt loads. Root on Debian or Ubuntu: installs those missing.
# Anybody else: names them and goes on, since the engine and the tests of it need none.
# Usage: scripts/system-packages.sh                  the libraries of Qt
#        scripts/system-packages.sh --venv PYTHON    Debian's venv module for that interpreter
set -euo pipefail

[[ $(uname -s) == Linux ]] || exit 0

# library as the loader knows it : Debian package
offscreen='libEGL.so.1:libegl1 libGL.so.1:libgl1 libglib-2.0.so.0:libglib2.0-0
  libfontconfig.so.1:libfontconfig1 libfreetype.so.6:libfreetype6
  libxkbcommon.so.0:libxkbcommon0 libX11.so.6:libx11-6 libdbus-1.so.3:libdbus-1-3'
xcb='libxcb-cursor.so.0:libxcb-cursor0 libxcb-icccm.so.4:libxcb-icccm4
  libxcb-keysyms.so.1:libxcb-keysyms1 libxcb-image.so.0:libxcb-image0
  libxcb-render-util.so.0:libxcb-render-util0 libxcb-randr.so.0:libxcb-randr0
  libxcb-shape.so.0:libxcb-shape0 libxcb-xkb.so.1:libxcb-xkb1
  libxkbcommon-x11.so.0:libxkbcommon-x11-0 libX11-xcb.so.1:libx11-xcb1'

missing=()
if [[ ${1:-} == --venv ]]; then
  "$2" -c 'import ensurepip, venv' 2>/dev/null && exit 0
  version=$("$2" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  missing=("python$version-venv")
  what="the venv module of $2"
else
  what="libraries that Qt loads"
  known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null || true)
  for pair in $offscreen $xcb; do
    library=${pair%%:*} package=${pair##*:}
    grep -qF "	$library " <<<"$known" || missing+=("$package")
  done
  # A font that has letters, and one that has emoji.
  fonts=$(ls -d /usr/share/fonts/truetype/dejavu /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf \
    /usr/share/fonts/*/*emoji* /usr/share/fonts/*/DejaVu* 2>/dev/null || true)
  grep -qi dejavu <<<"$fonts" || missing+=(fonts-dejavu-core)
  grep -qi emoji <<<"$fonts" || missing+=(fonts-noto-color-emoji)
fi
((${#missing[@]})) || exit 0

if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
  echo "setup: installing $what: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  install=(apt-get install -y -q --no-install-recommends "${missing[@]}")
  if ! "${install[@]}" >/dev/null 2>&1; then
    apt-get update -q >/dev/null || true
    "${install[@]}" >/dev/null || {
      echo "setup: apt-get could not install them; see above. Going on without." >&2
    }
  fi
else
  echo "setup: $what may be missing (names of Debian and Ubuntu): ${missing[*]}" >&2
fi
