#!/usr/bin/env bash
# All tests, as `make test` runs them: three files at a time, the longest first, each with its own server.
# More than the two cores: a third of a test's time is waiting for a process that starts, or a page that rests. Of four
# in a browser each is too slow for the others.
set -u
python=$1
export PYTHONDONTWRITEBYTECODE=  # hundreds of processes are started: none compiles what another has compiled

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

"$python" -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder --durations=40
failed=$?
printf '== %d:%02d in all\n' $((SECONDS / 60)) $((SECONDS % 60))
exit $failed
