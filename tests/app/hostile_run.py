"""A finished run in which every text from outside is hostile: the recorded run, each of its texts led by a payload.

A text has the same payload wherever it stands, so that names and quotes still lead to each other; long texts hold all
payloads. Nothing here is what an engine would do.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

from memorybank.language.text import sha256
from memorybank.runs.run_folder import JOURNAL, RunFolder
from tests.hostile import PAYLOADS
from tests.recorded import recorded_run

SHORT = 4_000
"""Characters of a payload where a text of 100 kB would only make the test slow: raw texts have it in full."""
EVERYTHING = "\n".join(text[:SHORT] if name != "long word" else text[:60] for name, text in PAYLOADS.items())
LONG = {"text", "summary", "goal", "reason", "reasoning", "description", "answer", "failure", "excerpt"}
TEXTS = LONG | set(
    "name source context keywords subject attribute value unit time why part about query further_queries executor by "
    "closed_by holds quote words tool_calls sources error context_before keywords_before looked_for version".split()
)
"""Fields of events that hold text from outside."""
WHOLE = {"summaries", "arguments", "parties"}
"""Names fields all of whose texts are from outside, whatever those are called."""


def write_hostile_run(folder: Path, run_id: str) -> Path:
    """Write it into an empty folder."""
    shutil.copytree(recorded_run("en").path, folder, dirs_exist_ok=True)
    head, *lines = (folder / JOURNAL).read_text("utf-8").splitlines()
    blobs = RunFolder(folder).blobs
    records = [json.loads(line) for line in lines]
    for record in records:
        record["event"] = _spoilt(record["event"], run_id, blobs.put)
    written = (json.dumps(record, ensure_ascii=False) for record in records)
    (folder / JOURNAL).write_text("\n".join([head, *written]) + "\n", "utf-8")
    return folder


def _spoilt(event: dict[str, Any], run_id: str, put: Callable[[bytes], str]) -> dict[str, Any]:
    kind, whole = event["type"], event["type"] == "AgentCalled"
    made: dict[str, Any] = {name: _led(part, name, outside=whole and name == "answer") for name, part in event.items()}
    payload = _payload(json.dumps(event))[:SHORT]
    if kind == "SessionStarted":
        made |= {"run_id": run_id, "engine": "llm", "model": payload}
    elif kind == "TaskReceived":
        made["goal"] = f"{PAYLOADS['script']} {event['goal']} {EVERYTHING}"
    elif kind == "EntryRecorded":
        made["entry"]["sha256"] = sha256(made["entry"]["text"])
    elif kind == "AgentCalled":
        blob = put(json.dumps({"text": payload}).encode())
        made |= {"engine": "llm", "model": payload, "notes": [payload], "input_blob": blob, "output_blob": blob}
        if event["role"] == "structure":
            made |= {"outcome": "failed", "error": EVERYTHING}
    elif kind == "ToolUsed":
        made["blob"] = put(EVERYTHING.encode())
    elif kind == "PromptEnhanced":
        made |= {"prompt": f"{event['prompt']}\n{EVERYTHING}", "parts": event["parts"], "left_out": [payload]}
    return made


def _led(part: Any, name: str, *, outside: bool = False) -> Any:
    """The part of an event with its texts led by payloads. `outside`: all of them are from outside."""
    if isinstance(part, dict):
        inside = outside or name in WHOLE
        return {
            _payload(key)[:50] + key if outside and name == "arguments" else key: _led(value, key, outside=inside)
            for key, value in part.items()
        }
    if isinstance(part, list):
        return [_led(one, name, outside=outside) for one in part]
    if not isinstance(part, str) or not part or not (outside or name in TEXTS):
        return part
    payload = _payload(part) if name == "text" else _payload(part)[:SHORT]
    return f"{payload} {part} {EVERYTHING}" if name in LONG else f"{payload} {part}"


def _payload(text: str) -> str:
    return list(PAYLOADS.values())[crc32(text.encode("utf-8", "replace")) % len(PAYLOADS)]
