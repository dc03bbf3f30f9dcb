#!/usr/bin/env bash
# All tests, as `make test` runs them: those in a browser beside the others, for they wait more than they compute.
# The others step back for them (nice), so that a page is drawn in time. Each of the two browsers has its own server.
set -u
python=$1
told=$(mktemp)
export PYTHONDONTWRITEBYTECODE=  # hundreds of processes are started: none compiles what another has compiled

echo "== tests: those in a browser, and beside them the others, two files of each at a time"
"$python" -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder --durations=15 -m browser tests/app tests/ui >"$told" 2>&1 &
browser=$!
trap 'kill $browser 2>/dev/null; wait $browser; rm -f "$told"' EXIT
trap 'exit 130' INT TERM
failed=0
nice -n 10 "$python" -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder --durations=25 -m "not browser" || failed=1
echo "== tests in a browser"
wait $browser || failed=1
cat "$told"
exit $failed
