"""Each fault of an endpoint, at the places where a session asks one: said in an event, survived, replayable.

The client meets a fault, whatever the place it asks for, and the place meets the failure, whatever the fault was. So
the faults of a family share the places out: each fault is played somewhere, and each place meets each family. All
faults at all places are what `docs/faults.md` shows, and this module prints:
python -m tests.llm.test_every_fault > docs/faults.md   It fails where one of them is not survived.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import pytest

from memorybank_lab.scripted import FAULTS
from tests.llm.faults import SITES, Outcome, every_place, play_at
from tests.tables import tables

TABLES = tables(__file__)

DOCUMENT = Path(__file__).parents[2] / "docs" / "faults.md"

FAMILIES: dict[str, str] = TABLES["families"]
LASTING = ("overloaded", "reset_before_answer", "no_choices", "prose_only", "trailing_commas")
"""One of each family is played without end as well, each place meets one; those of `capability` have none anyway."""

_NEVER_MET = dict.fromkeys(("structure", "integration", "planning", "visit"), ("wrong_ids",))
"""Answers without ids in them (of an integration: where the merged memories have no neighbours)."""
_REACT_ALONE = ("images_refused", "tools_refused", "stop_refused")
"""No other request has images, tools or stop words."""
_AGENTS_ALONE = ("schema_refused", "json_refused")
"""ReAct asks for text."""


@pytest.fixture(scope="module")
def workers() -> Iterator[ProcessPoolExecutor]:
    """Sessions compute as much as they wait, so threads alone would use one processor."""
    with _workers() as pool:
        yield pool


@pytest.mark.parametrize("family", FAMILIES)
def test_every_fault_of_a_family_at_every_place(workers: ProcessPoolExecutor, family: str) -> None:
    names = _of(family)
    table = _played(workers, {name: _shared_out(FAULTS[name].family)[name] for name in names})
    assert not _wrong(table)
    met = {site for row in table.values() for site, outcome in row.items() if outcome.met}
    assert met >= {site for name in names for site in every_place(name) if _is_met(name, site)}
    for name, row in table.items():
        for site, outcome in row.items():
            assert (outcome.met > 0) is _is_met(name, site), f"{name} at {site} was met {outcome.met} times"
            assert site != "embeddings" or outcome.stops, "vectors cannot be done without"


def test_a_fault_that_lasts(workers: ProcessPoolExecutor) -> None:
    places = {name: every_place(name)[(at + 2) % 5 :: 5] for at, name in enumerate(LASTING)}
    assert sorted(site for sites in places.values() for site in sites) == sorted(SITES)
    assert not _wrong(_played(workers, places, lasting=True))
    assert {FAULTS[name].family for name in LASTING} | {"capability"} == set(FAMILIES)


def test_the_document_has_every_fault_and_every_place() -> None:
    written = DOCUMENT.read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+?) \| (.+) \|$", written, re.MULTILINE)
    named = [name for family in FAMILIES for name in _of(family)] + list(LASTING)
    assert [(name, about) for name, about, _ in rows] == [(name, FAULTS[name].about) for name in named]
    assert all(cells.count("|") == len(SITES) - 1 for _, _, cells in rows)
    assert written.count(_HEADER) == len(FAMILIES) + 1


@cache
def _shared_out(family: str) -> dict[str, list[str]]:
    """By fault of a family, its places: each place goes to the fault that has fewest, and no fault is left out."""
    met = {name: [site for site in every_place(name) if _is_met(name, site)] for name in _of(family)}
    places: dict[str, list[str]] = {name: [] for name in met}
    for site in SITES:
        if there := [name for name in met if site in met[name]]:
            places[min(there, key=lambda name: len(places[name]))].append(site)
    return {name: sites or met[name][at % len(met[name]) :][:1] for at, (name, sites) in enumerate(places.items())}


def _played(
    workers: ProcessPoolExecutor, places: Mapping[str, Sequence[str]], *, lasting: bool = False
) -> dict[str, dict[str, Outcome]]:
    rows = workers.map(play_at, places, places.values(), [lasting] * len(places))
    return dict(zip(places, rows, strict=True))


def _is_met(name: str, site: str) -> bool:
    if name in _REACT_ALONE:
        return site == "react"
    return name not in _NEVER_MET.get(site, ()) and not (site == "react" and name in _AGENTS_ALONE)


def _wrong(table: Mapping[str, Mapping[str, Outcome]]) -> list[str]:
    return [f"{name} at {site}: {one}" for name, row in table.items() for site in row for one in row[site].wrong]


def _of(family: str) -> list[str]:
    return [name for name, fault in FAULTS.items() if fault.family == family]


def _workers() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


# -- the document -----------------------------------------------------------------------------------------------------

_HEADER = f"| Fault | What the endpoint does | {' | '.join(SITES)} |"


def _document() -> str:
    parts: list[str] = [TABLES["introduction"]]
    with _workers() as pool:
        for family, title in FAMILIES.items():
            rows = _played(pool, {name: every_place(name) for name in _of(family)})
            parts.append(_section(title, rows))
        rows = _played(pool, {name: every_place(name) for name in LASTING}, lasting=True)
        parts.append(_section("A fault of each family that lasts", rows))
    return "\n\n".join(parts)


def _section(title: str, rows: Mapping[str, Mapping[str, Outcome]]) -> str:
    lines = [f"## {title}", "", _HEADER, "|---" * (len(SITES) + 2) + "|"]
    for name, row in rows.items():
        cells = [_cell(row[site]) if site in row else "–" for site in SITES]
        lines.append(f"| `{name}` | {FAULTS[name].about} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(outcome: Outcome) -> str:
    if outcome.wrong:
        return f"WRONG: {'; '.join(outcome.wrong)}"
    if not outcome.met:
        return "–"
    end = "" if outcome.end == "complete" else f", {outcome.end.replace('_', ' ')}"
    return f"{outcome.said or 'as asked'}{end}"


if __name__ == "__main__":
    document = _document()
    sys.stdout.write(document + "\n")
    sys.exit("WRONG: " in document)
