"""Every file that the product writes goes through `runs/files/plain.py`: whole or not at all, never through a link."""

from __future__ import annotations

import re
from pathlib import Path

import memorybank

ROOT = Path(memorybank.__file__).parents[1]
PACKAGES = ("memorybank", "memorybank_studio", "memorybank_lab")
WRITERS = {
    "memorybank/runs/files/plain.py": "the mechanism itself",
    "memorybank/llm/cache.py": "SQLite writes it; a broken database is renamed within the user's own cache",
    "memorybank_lab/bench/": "in folders it has just made",
    "memorybank_lab/evaluation/": "in folders it has just made; what it reports is written by the command",
    "memorybank_studio/tests/": "tests",
    "memorybank_lab/tests/": "tests",
}
_WRITES = re.compile(
    r"""\.(write_text|write_bytes|rename|touch)\(
    |\bshutil\.(copy|copy2|copyfile|copytree|move)\(
    |\bos\.(replace|rename|link|symlink|open)\(
    |\btempfile\.(mkstemp|NamedTemporaryFile)\(
    |\b(open)\((?:[^()]|\([^()]*\))*["'][rbt]*[wxa+][rwxab+t]*["']""",
    re.VERBOSE,
)
"""Calls that write a file, or open one past `open_plain`."""
_BESIDES = {
    ("memorybank/__main__.py", "open"): "the null device, where nobody reads on",
    ("memorybank/batch/shared.py", "rename"): "a run's folder that was fetched whole, to where the older one was",
    ("memorybank/hosting/storage.py", "rename"): "a run's folder as it is, to another place of the same storage",
    ("memorybank_studio/tasks/by_hand.py", "rename"): "what is no such file, beside it in the studio's own folder",
    ("memorybank_studio/page/renaming.py", "rename"): "no file: somebody in a story",
    ("memorybank/llm/hand/folder.py", "open"): "exclusively, so no link: a request claims its number before its rest",
    ("memorybank/runs/files/growing.py", "open"): "a folder, to sync it",
}


def test_nothing_else_writes() -> None:
    found = {
        (place, name)
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if not (place := path.relative_to(ROOT).as_posix()).startswith(tuple(WRITERS))
        for names in _WRITES.findall(path.read_text("utf-8"))
        for name in filter(None, names)
    }
    assert found == set(_BESIDES)
