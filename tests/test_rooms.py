"""The house keeps its shape: few rooms on few floors, nothing in a circle, no room that swallows the others."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median

import pytest
from grimp import ImportGraph, build_graph

PACKAGE = Path(__file__).parents[1] / "memorybank"
ROOT = PACKAGE.parent
MOST_ROOMS, MOST_FLOORS, LARGEST_SHARE, LEAST_OF_HALF = 20, 13, 0.18, 150
MOST_LINES = {"memorybank": 65_992, "memorybank_studio": 21_995, "memorybank_lab": 5_909, "tests": 54_564}
"""Lines of Python, JavaScript and CSS: the packages without their tests, all tests. A change that needs more takes as
many away elsewhere; where lines went, the number is lowered."""
REGISTRIES = {"__init__.py", "__main__.py"}
"""Who may load a module of ours by a string: the public names, the commands."""


@cache
def graph() -> ImportGraph:
    """Who imports whom: at the head of a module, in a function, or for its types alone."""
    return build_graph("memorybank", cache_dir=None)


def path_of(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


@cache
def rooms() -> Mapping[str, frozenset[str]]:
    """By room of the product: the rooms it imports from."""
    entered: dict[str, set[str]] = {}
    for module in graph().modules:
        if (room := room_of(module)) not in ("", "__main__"):
            others = {room_of(target) for target in graph().find_modules_directly_imported_by(module)}
            others -= {"", "__main__", room}
            entered.setdefault(room, set()).update(others)
    return {room: frozenset(others) for room, others in entered.items()}


def lines_of(room: str) -> int:
    inside = [name for name in graph().modules if room_of(name) == room]
    return sum(len(path_of(name).read_text("utf-8").splitlines()) for name in inside)


def test_rooms_are_few() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert len(folders) <= MOST_ROOMS, sorted(folders)
    loose = {path.name for path in PACKAGE.glob("*.py")}
    assert loose == {"__init__.py", "__main__.py", "calls.py", "errors.py"}, "what only some use belongs to a room"


def test_floors_are_few_and_no_room_stands_on_itself() -> None:
    order = TopologicalSorter(rooms()).static_order()  # raises CycleError, which names the circle
    floors: dict[str, int] = {}
    for room in order:
        floors[room] = 1 + max((floors[other] for other in rooms()[room]), default=0)
    assert max(floors.values()) <= MOST_FLOORS, sorted(floors.items(), key=lambda pair: -pair[1])


def test_no_modules_import_each_other_in_a_circle() -> None:
    named = graph().modules - {"memorybank"}  # it names what it loads later
    try:
        TopologicalSorter({name: graph().find_modules_directly_imported_by(name) for name in named}).prepare()
    except CycleError as error:
        pytest.fail(f"circle: {' -> '.join(error.args[1])}")


def test_no_room_is_most_of_the_house() -> None:
    sizes = Counter({room: lines_of(room) for room in rooms()})
    (largest, lines), *_ = sizes.most_common(1)
    assert lines <= LARGEST_SHARE * sizes.total(), f"{largest}: {lines} of {sizes.total()} lines"


def test_half_of_the_modules_hold_a_whole_idea() -> None:
    assert median(len(path_of(name).read_text("utf-8").splitlines()) for name in graph().modules) >= LEAST_OF_HALF


def test_no_package_grows_and_nor_do_the_tests() -> None:
    lines: Counter[str] = Counter()
    for package in (*MOST_LINES.keys() - {"tests"}, "tests"):
        for path in (ROOT / package).rglob("*.*"):
            if path.suffix in (".py", ".js", ".css"):
                part = "tests" if "tests" in path.relative_to(ROOT).parts else package
                lines[part] += len(path.read_text("utf-8").splitlines())
    assert {part: count for part, count in lines.items() if count > MOST_LINES[part]} == {}


def test_our_own_modules_are_loaded_by_name_in_the_registries_alone() -> None:
    found = set()
    for path in map(path_of, graph().modules):
        if "import_module" not in (text := path.read_text("utf-8")):
            continue
        for node in ast.walk(ast.parse(text)):
            called = ast.unparse(node) if isinstance(node, ast.Call) else ""
            if "import_module(" in called.partition("(")[0] + "(" and "memorybank" in called:
                found.add(path.relative_to(PACKAGE).as_posix())
    assert found <= REGISTRIES


def test_no_two_classes_of_a_room_have_one_name() -> None:
    named: dict[tuple[str, str], list[str]] = {}
    for module in graph().modules:
        for name in re.findall(r"^class ([A-Za-z]\w*)", path_of(module).read_text("utf-8"), re.MULTILINE):
            named.setdefault((room_of(module), name), []).append(module)
    assert not {name: places for (_, name), places in named.items() if len(places) > 1}
