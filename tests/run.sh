#!/usr/bin/env bash
# All tests, as `make test` runs them: three files at a time, those in a browser last, each with its own server.
# More than the two cores: a third of a test's time is waiting for a process that starts, or a page that rests. Of four
# in a browser each is too slow for the others.
set -u
python=$1
export PYTHONDONTWRITEBYTECODE=  # hundreds of processes are started: none compiles what another has compiled
failed=0
at_a_time=(-q --dist loadfile --no-loadscope-reorder -n)

# What tests write is synced to the disk thousands of times: it lies in memory where there is enough of it, and where
# programs may be run from there. The name is short, for the path of a socket has room for 107 characters.
in_memory() {
  [ "$(awk '/^MemAvailable/ {print $2}' /proc/meminfo 2>/dev/null || echo 0)" -gt 6000000 ] || return 1
  scratch=$(mktemp -d /dev/shm/mbXXXX 2>/dev/null) || return 1
  chmod 711 "$scratch"  # as /tmp: a test that gives root up for a while gets through it to its own folder
  trap 'rm -rf "$scratch"' EXIT
  [ "$(df -Pk "$scratch" | awk 'NR == 2 {print $4}')" -gt 4000000 ] || return 1
  printf '#!/bin/sh\n' >"$scratch/try" && chmod +x "$scratch/try" && "$scratch/try" 2>/dev/null
}
in_memory && export TMPDIR=$scratch

echo "== [1/2] tests without a browser"
"$python" -m pytest "${at_a_time[@]}" 3 --durations=25 -m "not browser" || failed=1
without=$SECONDS
echo "== [2/2] tests in a browser"
in_browser=($(grep -rlw browser --include='test_*.py' tests/app tests/ui memorybank_studio/tests))  # each of three processes loads them all
"$python" -m pytest "${at_a_time[@]}" 3 --durations=15 -m browser "${in_browser[@]}" || failed=1
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }
echo "== $(clock $SECONDS) in all: $(clock $without) without a browser, $(clock $((SECONDS - without))) in one"
exit $failed
