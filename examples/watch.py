"""The events of a run while another process writes it: `python examples/watch.py RUN`."""

import sys

import memorybank

if len(sys.argv) != 2:
    sys.exit("watch.py: name the folder of a run: python examples/watch.py RUN")
for record in memorybank.watch(sys.argv[1]).events():
    print(record.seq, type(record.event).__name__, flush=True)
