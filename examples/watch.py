"""The events of a run while another process writes it: `python examples/watch.py RUN`."""

import sys
import time
from pathlib import Path

from memorybank.memory.events import SessionFinished
from memorybank.runs.tail import Tail

if len(sys.argv) != 2:
    sys.exit("watch.py: name the folder of a run: python examples/watch.py RUN")
tail = Tail(Path(sys.argv[1]))
finished = False
while not finished:
    for record in tail.poll():
        print(record.seq, type(record.event).__name__, flush=True)
        finished = finished or isinstance(record.event, SessionFinished)
    time.sleep(0.2)
