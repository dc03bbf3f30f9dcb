#!/usr/bin/env bash
# The tests drive a real Chromium. Find it; as root on Debian, install what is missing; else say by name what will not
# run (the tests say it, too, at their end).
set -u
missing=()
found() { for name in "$@"; do command -v "$name" 2>/dev/null && return 0; done; return 1; }

browser=$(found chromium chromium-browser google-chrome) && echo "== browser: $browser" || missing+=(chromium fonts-noto-cjk)
[ ${#missing[@]} = 0 ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "== installing for the tests: ${missing[*]}"
  if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
  then exit 0; fi
fi
echo "== not found: ${missing[*]}; what needs them is not run (install them with your system's package manager)"
