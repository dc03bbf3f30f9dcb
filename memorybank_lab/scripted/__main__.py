"""Serve the scripted agents until Ctrl-C, to try the app or a program of yours without a key.

python -m memorybank_lab.scripted --port 8080 --delay 0.3 --fault rate_limited --times 2
LLM_PROVIDER=local memorybank run --engine llm …
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading

from memorybank_lab.scripted import FAULTS, Faulty, Scripted, ScriptedServer, scripted_agents


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m memorybank_lab.scripted", description="A scripted language model.")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--fault", choices=sorted(FAULTS), help="what goes wrong, see FAULTS")
    parser.add_argument("--times", type=int, help="how often it goes wrong; always, if not given")
    given = parser.parse_args(arguments)
    script: Scripted = scripted_agents()
    if given.fault:
        script = Faulty(script, FAULTS[given.fault], times=given.times)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job begins with it ignored
    with ScriptedServer(script, port=given.port, delay=given.delay) as server, contextlib.suppress(KeyboardInterrupt):
        sys.stdout.write(f"LLM_BASE_URL={server.base_url}\n")
        sys.stdout.flush()
        threading.Event().wait()


if __name__ == "__main__":
    main()
