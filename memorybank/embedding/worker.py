"""The embedding process from inside; child.py starts it and nothing else does.

Reads frames on standard input and answers on standard output, one for one: first the model's spec, answered with
what the loaded model is; then batches of texts, answered with their rows, or of sentences, answered with their words
(language/parse.py). It ends when its input does, at once and whatever it is doing: so it never outlives the process
that started it, even one that was killed.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from queue import SimpleQueue
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np

from memorybank.embedding.calibration import measure
from memorybank.embedding.encoders import load
from memorybank.embedding.frames import read_frame, write_frame
from memorybank.embedding.models import spec_of
from memorybank.embedding.parsers import Parsers


def main() -> None:
    """Serve until the input ends. An error in loading or embedding ends the process; its last line tells the parent."""
    sys.excepthook = _leave
    answers = _take_stdout()
    requests: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests), daemon=True).start()
    spec = spec_of(requests.get())
    encoder = load(spec)
    scale = spec.scale or measure(encoder)
    ready = {"dim": encoder.dim, "max_tokens": encoder.max_tokens, "lo": scale.lo, "hi": scale.hi}
    write_frame(answers, ready, encoder.tokenizer.encode())
    parsers = Parsers()
    while True:
        request = requests.get()
        if "parse" in request:
            write_frame(answers, {"parsed": parsers.parse(request["parse"])})
            continue
        rows = encoder.encode(request["texts"], request["kind"])
        write_frame(answers, {"rows": len(rows)}, np.ascontiguousarray(rows, dtype="<f4").tobytes())


def _leave(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say why and exit at once; torch takes seconds to leave politely, and there is nothing to save."""
    traceback.print_exception(kind, error, trace)
    sys.stderr.flush()
    os._exit(1)


def _take_stdout() -> BinaryIO:
    """Keep standard output for frames: what a library prints goes to standard error instead."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _listen(stream: BinaryIO, requests: SimpleQueue[dict[str, Any]]) -> None:
    """Read on while the model computes, so that the end of the input is seen in the middle of a batch or of loading."""
    while (frame := read_frame(stream)) is not None:
        requests.put(frame[0])
    os._exit(0)
