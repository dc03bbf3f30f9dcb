#!/usr/bin/env bash
# All tests, as `make test` runs them: two files at a time, those in a browser last, each of the two with its own server.
set -u
python=$1
export PYTHONDONTWRITEBYTECODE=  # hundreds of processes are started: none compiles what another has compiled
failed=0
two_at_a_time=(-q -n 2 --dist loadfile --no-loadscope-reorder)

echo "== [1/2] tests without a browser"
"$python" -m pytest "${two_at_a_time[@]}" --durations=25 -m "not browser" || failed=1
echo "== [2/2] tests in a browser"
"$python" -m pytest "${two_at_a_time[@]}" --durations=15 -m browser tests/app tests/ui || failed=1
exit $failed
