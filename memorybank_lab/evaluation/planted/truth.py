"""The items planted in a corpus, with what must come out of them: one form for the demo corpora and their variants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any, Literal

import yaml

Lang = Literal["en", "zh"]
Pair = tuple[str, str]
"""Two documents by file name, in alphabetical order."""

CONTRADICTIONS = ("number", "date", "name", "negation", "place")
"""Kinds of the five contradictions that other documents settle."""
CONFLICTS = (*CONTRADICTIONS, "unsettled", "both_wrong", "group_of_three")
"""Kinds whose documents contradict each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedStatement:
    """One answer to the question of a planted item, and who gives it."""

    value: str
    """The value in its canonical form, e.g. `105` or `2024-12`."""
    said: dict[str, str]
    """Document → the words it uses, verbatim (letter case apart)."""
    wrong: bool = False
    """The documents are deliberately wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedItem:
    id: str
    kind: str
    """One of CONFLICTS, `false_alarm`, `overlap`, `near_miss`."""
    about: str
    """Conflicts: number, date, name, place or negation. Near misses: what sets the two apart (subject, year …)."""
    field: str
    claim: str
    statements: tuple[PlantedStatement, ...]
    true_value: str = ""
    """Empty when nothing in the corpus settles it, or when there is nothing to settle."""
    verdict: str = ""
    """The verdict on a conflict or false alarm as a whole: resolved, both_wrong, false_alarm, inconclusive."""
    explained_by: tuple[str, ...] = ()
    """False alarm: the documents that say why both are right."""
    outcome: str = ""
    """The outcome that must come out, in words, where the verdict alone does not say it."""

    @property
    def documents(self) -> tuple[str, ...]:
        named = [document for statement in self.statements for document in statement.said]
        return tuple(dict.fromkeys([*named, *self.explained_by]))

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Return documents of different statements; where there is nothing but agreement, documents of the same one."""
        if self.kind == "overlap" or len(self.statements) == 1:
            return _sorted(pair for statement in self.statements for pair in combinations(statement.said, 2))
        return _sorted(pair for a, b in combinations(self.statements, 2) for pair in product(a.said, b.said))

    def verdict_of(self, pair: Pair) -> str:
        """Return what must come out for these two documents: the one that states the true value wins."""
        if self.verdict in ("false_alarm", "inconclusive"):
            return self.verdict
        values = {statement.value for statement in self.statements for document in statement.said if document in pair}
        return "resolved" if self.true_value in values else "both_wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedTruth:
    items: tuple[PlantedItem, ...]

    def of(self, *kinds: str) -> tuple[PlantedItem, ...]:
        return tuple(item for item in self.items if item.kind in kinds)

    def pairs(self, *kinds: str) -> tuple[Pair, ...]:
        """Return the pairs of documents of these kinds. A conflict is found when one of its pairs is raised; a false
        alarm's may be raised, and must be closed as one; a near miss's must not be, an overlap's should be merged."""
        return _sorted(pair for item in self.of(*kinds) for pair in item.pairs)


def _sorted(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    return tuple(sorted({(min(pair), max(pair)) for pair in pairs}))


def truth_from(records: Iterable[dict[str, Any]]) -> PlantedTruth:
    return PlantedTruth(items=tuple(_planted(record) for record in records))


def _planted(record: dict[str, Any]) -> PlantedItem:
    statements = tuple(PlantedStatement(**statement) for statement in record["statements"])
    explained_by = tuple(record.get("explained_by", ()))
    return PlantedItem(**{**record, "statements": statements, "explained_by": explained_by})


def read_truth(path: Path) -> dict[Lang, PlantedTruth]:
    """Return the truth of the demo corpora, by language."""
    listed = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {lang: truth_from(listed[lang]) for lang in ("en", "zh")}


# -- corpora of invented things ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    seed: int
    documents: dict[str, str]
    """File name → text, by name."""
    truth: PlantedTruth


def variant(seed: int, lang: Lang) -> Variant:
    """Return one of `en.yaml` or `zh.yaml` beside this module, by its number."""
    listed = _listed(lang)[seed]
    return Variant(seed=seed, documents=listed["documents"], truth=truth_from(listed["items"]))


def variants(lang: Lang, count: int) -> Iterator[Variant]:
    """Return the first variants; those from 100 on are the sweep's alone."""
    return (variant(seed, lang) for seed in range(count))


@cache
def _listed(lang: Lang) -> Mapping[int, dict[str, Any]]:
    text = Path(__file__).with_name(f"{lang}.yaml").read_text("utf-8")
    listed: Mapping[int, dict[str, Any]] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    return listed
