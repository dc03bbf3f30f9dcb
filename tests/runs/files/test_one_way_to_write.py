"""Every file that the product writes goes through `runs/files/plain.py`: whole or not at all, never through a link."""

from __future__ import annotations

import ast
from collections.abc import Iterator
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
_METHODS = {"write_text", "write_bytes", "rename", "touch"}
_MODULES = {
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move"},
    "os": {"replace", "rename", "link", "symlink", "open"},
    "tempfile": {"mkstemp", "NamedTemporaryFile"},
}
_BESIDES = {
    ("memorybank/__main__.py", "open"): "the null device, where nobody reads on",
    ("memorybank/batch/shared.py", "rename"): "a run's folder that was fetched whole, to where the older one was",
    ("memorybank/hosting/storage.py", "rename"): "a run's folder as it is, to another place of the same storage",
    ("memorybank_studio/tasks/by_hand.py", "rename"): "what is no such file, beside it in the studio's own folder",
    ("memorybank_studio/page/renaming.py", "rename"): "no file: somebody in a story",
    ("memorybank/llm/hand/folder.py", "open"): "exclusively, so no link: a request claims its number before its rest",
    ("memorybank/runs/files/growing.py", "open"): "a folder, to sync it",
}


def writes(tree: ast.AST) -> Iterator[str]:
    """Names of the calls that write a file, or open one past `open_plain`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in _MODULES:
                if name in _MODULES[module]:
                    yield name
            case ast.Attribute(attr=name) if name in _METHODS:
                yield name
            case ast.Attribute(attr="open") | ast.Name(id="open"):
                modes = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
                if any(isinstance(one, ast.Constant) and _is_writing(one.value) for one in modes):
                    yield "open"


def _is_writing(mode: object) -> bool:
    return isinstance(mode, str) and len(mode) <= 3 and set(mode) <= set("rwxab+t") and bool(set(mode) & set("wxa+"))


def test_nothing_else_writes() -> None:
    found = {
        (place, name)
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if not (place := path.relative_to(ROOT).as_posix()).startswith(tuple(WRITERS))
        for name in writes(ast.parse(path.read_text("utf-8")))
    }
    assert found == set(_BESIDES)
