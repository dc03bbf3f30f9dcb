#!/usr/bin/env bash
# The browser tests drive a real Chromium. Find one; as root on Debian, install one; else say by name what will not run.
set -u
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then echo "== browser: $(command -v "$name")"; exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "== installing Chromium and Chinese fonts for the browser tests"
  apt-get update -qq && apt-get install -y -qq chromium fonts-noto-cjk >/dev/null && exit 0
fi
echo "== no Chromium found: tests/ui and tests/app browser tests will be reported as not run (install chromium)"
