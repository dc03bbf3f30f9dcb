"""What is imported is declared, what is declared is imported, and the three lists of it say the same."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.tables import tables

TABLES = tables(__file__)

ROOT = Path(__file__).parents[1]
BESIDE = [
    path
    for package in ("memorybank_studio", "memorybank_lab")
    for path in (ROOT / package).iterdir()
    if path.is_dir() != (path.suffix == ".py") and path.name not in ("tests", "__pycache__")
]
LIBRARY = ("memorybank", *(path.relative_to(ROOT).as_posix() for path in BESIDE), "app.py", "shell.py", "pages")
AROUND = ("conftest.py", "memorybank_studio/tests", "memorybank_lab/tests", "assets", "docs", "examples", "tests")
SCRIPTS = {path.stem for folder in ("docs", "examples") for path in (ROOT / folder).glob("*.py")}
OURS = {"memorybank", "memorybank_studio", "memorybank_lab", "conftest", "tests", *SCRIPTS}
NAMES = TABLES["names"]
"""Packages that are imported under another name than they are installed by."""
SHIPPED_WITH = {"pydantic_core": "pydantic", "pluggy": "pytest", "grimp": "import-linter"}
"""What a declared package speaks in, and brings in the version that it wants."""
UNIMPORTED = TABLES["unimported"]
"""Declared packages that no import statement names, and what they are for."""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _parted(requirement: str) -> tuple[str, str]:
    """Name (with its extras) and the rest of it: versions and where it holds."""
    match = re.match(r"([\w.-]+(?:\[[\w,]+\])?)\s*(.*)", requirement)
    assert match is not None, requirement
    return _normal(match[1]), re.sub(r"[\s'\"]", "", match[2])


def _listed(name: str) -> dict[str, str]:
    lines = (line.partition("#")[0].strip() for line in (ROOT / name).read_text("utf-8").splitlines())
    return dict(_parted(line) for line in lines if line and not line.startswith("-"))


@cache
def _project() -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    found = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = found["optional-dependencies"]
    return dict(map(_parted, found["dependencies"])), {name: dict(map(_parted, extras[name])) for name in extras}


def _imported(*places: str) -> dict[str, str]:
    """Packages of others that are imported there, by the name they are installed by, with one file that does it."""
    return {name: file for place in places for name, file in _imported_in(place)}


@cache
def _imported_in(place: str) -> tuple[tuple[str, str], ...]:
    path = ROOT / place
    found: dict[str, str] = {}
    for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
        for name in _top_names(ast.parse(file.read_text("utf-8"))):
            if name not in sys.stdlib_module_names and name not in OURS:
                installed = SHIPPED_WITH.get(name, NAMES.get(name, name))
                found.setdefault(_normal(installed), file.relative_to(ROOT).as_posix())
    return tuple(found.items())


def _top_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from (alias.name.partition(".")[0] for alias in node.names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module.partition(".")[0]
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(module)), *_]):
                yield module.partition(".")[0]


def _bare(names: object) -> set[str]:
    return {str(name).partition("[")[0] for name in names}  # type: ignore[attr-defined]


def test_what_the_library_imports_is_declared_and_the_other_way() -> None:
    core, extras = _project()
    declared = _bare(core) | {name for extra in extras.values() for name in _bare(extra)}
    imported = _imported(*LIBRARY)
    missing = {name: file for name, file in imported.items() if name not in declared}
    assert missing == {}, "imported and not in pyproject.toml"
    assert declared - imported.keys() - UNIMPORTED.keys() == set(), "in pyproject.toml and nobody imports it"


def test_what_tests_and_documents_import_is_declared_and_the_other_way() -> None:
    product, more = _bare(_listed("requirements.txt")), _bare(_listed("requirements-dev.txt"))
    imported = _imported(*LIBRARY, *AROUND)
    missing = {name: file for name, file in imported.items() if name not in product | more}
    assert missing == {}, "imported and in neither list of requirements"
    stubs = {name for name in more if name.startswith("types-") and name.removeprefix("types-") in imported}
    assert more - imported.keys() - UNIMPORTED.keys() - stubs == set(), "required and nobody imports it"
    assert not product & more, "the second list takes the first in"


def test_the_lists_agree() -> None:
    core, extras = _project()
    demo = ("app", "embeddings", "offline", "ocr")
    needed = {name: which for extra in demo for name, which in extras[extra].items()}
    assert _listed("requirements.txt") == core | needed
    others = {
        name: which
        for extra, listed in extras.items()
        if extra not in demo
        for name, which in listed.items()
        if name not in extras["app"]
    }
    more = _listed("requirements-dev.txt")
    assert {name: more.get(name, core.get(name)) for name in others} == others


def test_what_is_excused_needs_the_excuse() -> None:
    declared = _bare(_listed("requirements.txt")) | _bare(_listed("requirements-dev.txt"))
    imported = _imported(*LIBRARY, *AROUND)
    assert UNIMPORTED.keys() <= declared - imported.keys()
    assert _bare(SHIPPED_WITH.values()) <= declared
