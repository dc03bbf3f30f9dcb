"""Journals and memory files with one thing changed: any value at any place, a line more, less, or elsewhere.

What is changed is drawn with a fixed seed out of everything that could be: each field of each kind of event that the
specimens hold, with each of the values below. The order of what is drawn is the same every time.
"""

from __future__ import annotations

import base64
import copy
import json
import random
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from memorybank.memory.bounds import LATEST, MOST

Path = tuple[str | int, ...]
"""Where in a JSON value: keys and places."""


class _Missing:
    """In place of a value: the field is left out."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()
LONG = "x" * 20_000
DIM = 384
"""Of the specimens' embeddings."""


def _vector(dim: int, number: float) -> str:
    return base64.b64encode(struct.pack(f"<{dim}e", *[number] * dim)).decode()


VALUES: tuple[Any, ...] = (
    MISSING, None, True, False, 0, -1, 1, 0.5, -0.0, MOST, MOST + 1, LATEST - 1, 10**24, 10**400,
    1e308, -1e308, 5e-324, float("nan"), float("inf"), float("-inf"),
    "", " ", "\x00", "\ud800", "unknown", LONG, "n1", "n2", "e1", "c1", "m1", "a1", "i1", "k1", "n99", "e99", "c99",
    "n٣", "../../x", "<script>alert(1)</script>", "{name}", "AAAA", "AA==",
    _vector(3, 0.5), _vector(DIM, 0.0), _vector(DIM, 65504.0), _vector(DIM, float("nan")),
    [], [None], ["n1", "n1"], ["n2", "n3"], [[]], {}, {"": ""}, {"n1": "n1"},
)  # fmt: skip
LITERAL = {"huge": "9" * 6_000, "over": "1e999"}
"""Numbers that are written by hand, for Python does not write them."""


@dataclass(frozen=True, slots=True)
class Specimen:
    """A run's journal, or a memory file, from which the cases are made."""

    name: str
    text: str
    """Whole lines of a journal, or one JSON value."""
    is_journal: bool


@dataclass(frozen=True, slots=True)
class MutatedText:
    specimen: str
    what: str
    """Was changed, in a few words."""
    text: str
    is_journal: bool
    seq: int = 1
    """Of the event that was changed."""
    number: int = 0
    """Among all."""


def cases(specimens: Sequence[Specimen], count: int, seed: int = 0) -> Iterator[MutatedText]:
    """So many, from each specimen in turn."""
    sources = [_cases_of(one, random.Random(f"{seed} {one.name}")) for one in specimens]  # noqa: S311 - no secret
    for number, source in zip(range(count), cycle(sources), strict=False):
        yield replace(next(source), number=number)


def _cases_of(specimen: Specimen, draw: random.Random) -> Iterator[MutatedText]:
    if specimen.is_journal:
        header, *lines = specimen.text.splitlines()
        records = [json.loads(line) for line in lines]
        groups = _grouped([(place, one["event"]) for place, one in enumerate(records)])
        return _of_journal(specimen.name, header, records, groups, draw)
    return _of_memory(specimen.name, json.loads(specimen.text), draw)


# -- places -----------------------------------------------------------------------------------------------------------


def paths(value: Any, above: Path = ()) -> Iterator[Path]:
    """Every place below a value, its own left out."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield (*above, key)
        yield from paths(part, (*above, key))


def pattern(path: Path) -> str:
    """The field, whichever of a list's: `hits.*.score`. Ids that are keys are one field, too."""
    return ".".join("*" if isinstance(key, int) or re.fullmatch(r"[a-z]\d+", key) else key[:40] for key in path)


def _grouped(events: Sequence[tuple[int, Mapping[str, Any]]]) -> list[list[tuple[int, Path]]]:
    """The places of each field of each kind of event, so that a field that comes often is not drawn more often."""
    found: dict[tuple[str, str], list[tuple[int, Path]]] = {}
    for number, event in events:
        for path in paths(event):
            found.setdefault((str(event["type"]), pattern(path)), []).append((number, path))
    return list(found.values())


def get(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def with_value(whole: Any, path: Path, value: Any) -> Any:
    """A copy with another value at a place, or with nothing there."""
    changed = copy.deepcopy(whole)
    holder = get(changed, path[:-1])
    if value is MISSING:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return changed


# -- journals ---------------------------------------------------------------------------------------------------------


def _of_journal(
    name: str,
    header: str,
    records: Sequence[dict[str, Any]],
    groups: Sequence[Sequence[tuple[int, Path]]],
    draw: random.Random,
) -> Iterator[MutatedText]:
    """A field is drawn, then one of its places, then the value; one in eight changes lines instead."""
    lines = [_written(one) for one in records]
    rounds = cycle(draw.sample(range(len(groups)), len(groups)))
    while True:
        if draw.random() < 0.125:
            what, changed, seq = _lines_changed(records, draw)
            yield MutatedText(name, what, "\n".join([header, *changed]) + "\n", True, seq)
            continue
        number, path = draw.choice(groups[next(rounds)])
        what, event, literal = _drawn(records[number]["event"], path, records, draw)
        changed = [*lines]
        changed[number] = _spelt(_written({**records[number], "event": event}), literal)
        told = f"{records[number]['event']['type']}.{pattern(path)} = {what}"
        yield MutatedText(name, told, "\n".join([header, *changed]) + "\n", True, number + 1)


def _drawn(whole: Any, path: Path, records: Sequence[Mapping[str, Any]], draw: random.Random) -> tuple[str, Any, str]:
    """What was put there in words, the whole with it, and the number to spell by hand."""
    chance = draw.random()
    if chance < 0.04:
        literal = draw.choice(list(LITERAL))
        return literal, with_value(whole, path, _PLACE), LITERAL[literal]
    if chance < 0.14 and records:
        other = draw.choice(records)["event"]
        there = draw.choice(list(paths(other)))
        return f"the value of {other['type']}.{pattern(there)}", with_value(whole, path, get(other, there)), ""
    if chance < 0.18 and isinstance(get(whole, path[:-1]), dict):
        return "a field more beside it", with_value(whole, (*path[:-1], "unheard_of"), 1), ""
    value = draw.choice(VALUES)
    return repr(value)[:40], with_value(whole, path, value), ""


_PLACE = "\x07the number stands here\x07"


def _spelt(line: str, literal: str) -> str:
    return line.replace(json.dumps(_PLACE), literal) if literal else line


def _written(value: Any) -> str:
    return json.dumps(value)


def _lines_changed(records: Sequence[dict[str, Any]], draw: random.Random) -> tuple[str, list[str], int]:
    """A line twice, gone, elsewhere, in place of another, or two ids of a kind exchanged; then numbered anew."""
    kept, place = list(records), draw.randrange(len(records))
    other = draw.randrange(len(records))
    kind = draw.choice(("twice", "gone", "moved", "copied", "exchanged", "cut"))
    if kind == "twice":
        kept.insert(draw.randrange(place, len(kept)) + 1, records[place])
    elif kind == "gone":
        del kept[place]
    elif kind == "moved":
        kept.insert(other, kept.pop(place))
    elif kind == "copied":
        kept[place] = records[other]
    elif kind == "cut":
        kept = kept[: place + 1]
    else:
        return _exchanged(records, place, draw)
    told = f"line {place + 1} ({records[place]['event']['type']}) {kind}"
    return told, [_written({**one, "seq": seq}) for seq, one in enumerate(kept, start=1)], min(place + 1, len(kept))


def _exchanged(records: Sequence[dict[str, Any]], place: int, draw: random.Random) -> tuple[str, list[str], int]:
    """In one event, or from one event on."""
    letter = draw.choice("necmaik")
    one, other = (f"{letter}{draw.randint(1, 6)}" for _ in range(2))
    alone = draw.random() < 0.5
    swap = {f'"{one}"': f'"{other}"', f'"{other}"': f'"{one}"'}
    either = re.compile("|".join(swap))

    def changed(at: int, line: str) -> str:
        touched = at == place if alone else at >= place
        return either.sub(lambda found: swap[found[0]], line) if touched else line

    lines = [changed(at, _written(record)) for at, record in enumerate(records)]
    where = "in" if alone else "from"
    return f"{one} and {other} exchanged {where} line {place + 1}", lines, place + 1


# -- memory files -----------------------------------------------------------------------------------------------------


def _of_memory(name: str, memory: dict[str, Any], draw: random.Random) -> Iterator[MutatedText]:
    found: dict[str, list[Path]] = {}
    for path in paths(memory):
        found.setdefault(pattern(path), []).append(path)
    groups = list(found.values())
    rounds = cycle(draw.sample(range(len(groups)), len(groups)))
    whole = [{"event": {"type": "memory", **memory}}]
    while True:
        path = draw.choice(groups[next(rounds)])
        holder = get(memory, path[:-1])
        if isinstance(holder, list) and draw.random() < 0.1:
            changed = with_value(memory, path[:-1], [*holder, get(memory, path)])
            yield MutatedText(name, f"{pattern(path)} twice", json.dumps(changed), False)
            continue
        what, changed, literal = _drawn(memory, path, whole, draw)
        yield MutatedText(name, f"{pattern(path)} = {what}", _spelt(json.dumps(changed), literal), False)
