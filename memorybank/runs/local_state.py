"""The notes of this machine on its own runs: the corpus folder, which a journal, untrusted input, must not name.

They are kept in the user's state folder by run id, never in the run's, so that a run from elsewhere cannot point at
files.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from memorybank.errors import InputError
from memorybank.runs.files.plain import read_plain, write_whole


def cache_folder() -> Path:
    """Return where answers of language models are kept between runs; made when something is written."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "memorybank"


def _file(run_id: str) -> Path:
    root = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    safe = "".join(char for char in run_id if char.isalnum() or char in "-_")
    return root / "memorybank" / "runs" / f"{safe}.json"


def remember_corpus(run_id: str, corpus: Path | None) -> None:
    """Best effort: a machine without a writable home resumes with `--corpus` given again."""
    if corpus is None:
        return
    try:
        target = _file(run_id)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, json.dumps({"corpus": str(corpus.resolve())}).encode(), follow=True)
    except (OSError, InputError):
        return


def known_corpus(run_id: str) -> Path | None:
    """Return the folder this run searched when it was begun here, if it is still there."""
    try:
        corpus = Path(json.loads(read_plain(_file(run_id), follow=True))["corpus"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError, InputError):
        return None
    return corpus if corpus.is_dir() else None


def forget(run_id: str) -> None:
    _file(run_id).unlink(missing_ok=True)
