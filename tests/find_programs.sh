#!/usr/bin/env bash
# The tests drive a real Chromium. Find it; as root on Debian, install what is missing; else say by name what will not
# run (the tests say it, too, at their end).
set -u
found() { for name in "$@"; do command -v "$name" 2>/dev/null && return 0; done; return 1; }

# Chromium's headless shell, the same engine without a window: a page costs it half.
found chromium-headless-shell >/dev/null || missing=(chromium-headless-shell fonts-noto-cjk)
if [ -n "${missing+set}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "== installing for the tests: ${missing[*]}"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
fi
browser=$(found chromium-headless-shell chromium chromium-browser google-chrome) && echo "== browser: $browser" && exit 0
echo "== not found: chromium; what needs it is not run (install it with your system's package manager)"
