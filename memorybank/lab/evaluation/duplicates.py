"""Duplicates and merges: copies planted beside the project's own demo material, ingested by a session.

Four sessions a language: the corpus itself, and beside it its paraphrases, its overlaps, its near misses (`copies`).
Documents marked as deliberately wrong stay out of the last three, because a node in an open conflict waits and is not
merged. A planted pair is found when a node stands on both documents. Precision: of all pairs of documents that a merge
brought together, those that were planted, or that the corpus lists as saying the same. The listed near misses of the
corpus, and the siblings planted, must never share a node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any, Final

import yaml

from memorybank.embedding.base import Embedder
from memorybank.lab.evaluation import copies
from memorybank.lab.evaluation.data import embedder_for
from memorybank.lab.evaluation.report import Report, Score, mean_score
from memorybank.lab.evaluation.sessions import held_session
from memorybank.lab.evaluation.texts import DEMO
from memorybank.language.text import fold_space
from memorybank.memory.types import Lang
from memorybank.session.assembly import offline_parts
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank.tools.corpus import Corpus

PRECISION = 0.95
EXAMPLES = 3

Pair = frozenset[str]
Copier = Callable[[str, str, Lang], str | None]
"""Name and text of a document, and its language: the copy's text, or None when it cannot be made."""

PLANTED: Final[dict[str, Copier]] = {
    "paraphrases": lambda _, text, lang: copies.paraphrase(text, lang),
    "overlaps": lambda _, text, lang: copies.overlap(text, lang),
}
SIBLINGS: Final = "siblings"


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateTruth:
    """Of a corpus, by names of documents."""

    same: frozenset[Pair]
    """Documents that say the same."""
    apart: frozenset[Pair]
    """Near misses."""
    wrong: frozenset[str]
    """Documents with a statement that is deliberately wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What a session brought together."""

    pairs: frozenset[Pair]
    reasons: Mapping[Pair, str]
    """The summary of the node that holds both."""


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    """The material is the project's own: the folder of sets is not read."""
    scores: list[Score] = []
    examples: list[Mapping[str, str]] = []
    languages: tuple[Lang, ...] = ("en", "zh")
    for lang in languages:
        documents = {document.name: document.text for document in Corpus.open(DEMO / lang)}
        truth = truth_of(lang)
        chosen = embedder_for(list(documents.values())[:20], embedder)
        progress(f"duplicates: {lang}, the demo corpus, {len(documents)} documents")
        alone = merged(documents, lang, chosen)
        scores += _corpus_scores(f"demo {lang}", alone, truth)
        examples += _false(alone.pairs - truth.same, alone, lang)
        base = {name: text for name, text in documents.items() if name not in truth.wrong}
        for kind, copier in (*PLANTED.items(), (SIBLINGS, copies.near_miss)):
            planted, pairs = plant(base, copier, lang)
            progress(f"duplicates: {lang}, {kind}, {len(pairs)} planted")
            found = merged(planted, lang, chosen)
            right = _families(pairs | truth.same) if kind != SIBLINGS else _with_siblings(truth.same)
            scores += planted_scores(f"{kind} {lang}", kind, pairs, found, right)
            examples += _false(found.pairs - right, found, lang)
    return Report(
        name="duplicates",
        scores=tuple(scores),
        notes=("Copies are made by rules from the project's own corpora; see the module `copies`.",),
        examples=tuple(examples),
    )


def plant(base: Mapping[str, str], copier: Copier, lang: Lang) -> tuple[dict[str, str], frozenset[Pair]]:
    """The documents with a copy of each that can be copied, named `copy of …`, and the pairs."""
    planted, pairs = dict(base), set[Pair]()
    for name, text in base.items():
        copied = copier(name, text, lang) if len(copies.statements(text)) >= copies.FEWEST else None
        if copied is not None:
            planted[f"copy of {name}"] = copied
            pairs.add(frozenset((name, f"copy of {name}")))
    return planted, frozenset(pairs)


def merged(documents: Mapping[str, str], lang: Lang, embedder: Embedder) -> Merged:
    """Pairs of documents that share a node once a session has filed and compared everything."""
    sources = [Source(name=name, text=text, kind="document") for name, text in documents.items()]
    with held_session(offline_parts(Settings(), lang, embedder), sources=sources) as session:
        session.run()
        bank = session.bank
        reasons: dict[Pair, str] = {}
        for node in bank.graph.nodes.values():
            names = {bank.tree.entries[entry_id].source for entry_id in bank.tree.entries_of(node.id)}
            for pair in combinations(sorted(names), 2):
                reasons.setdefault(frozenset(pair), node.summary)
        return Merged(pairs=frozenset(reasons), reasons=reasons)


# -- scores -----------------------------------------------------------------------------------------------------------


def planted_scores(data: str, kind: str, pairs: Iterable[Pair], found: Merged, right: frozenset[Pair]) -> list[Score]:
    """Share of planted pairs found and precision of all merges; of siblings the share kept apart."""
    listed = sorted(pairs, key=sorted)
    if kind == SIBLINGS:
        apart = [float(pair not in found.pairs) for pair in listed]
        return [mean_score(data, "kept apart", "engine", apart, goal=1.0)]
    recall = mean_score(data, "found", "engine", [float(pair in found.pairs) for pair in listed])
    return [recall, *_precision(data, found, right)]


def _corpus_scores(data: str, found: Merged, truth: DuplicateTruth) -> list[Score]:
    apart = [float(pair not in found.pairs) for pair in truth.apart]
    same = [float(pair in found.pairs) for pair in truth.same]
    return [
        mean_score(data, "near misses kept apart", "engine", apart, goal=1.0),
        mean_score(data, "listed overlaps found", "engine", same),
        *_precision(data, found, truth.same),
    ]


def _precision(data: str, found: Merged, right: frozenset[Pair]) -> list[Score]:
    """Nothing when nothing was merged."""
    values = [float(pair in right) for pair in sorted(found.pairs, key=sorted)]
    return [mean_score(data, "precision of merges", "engine", values, goal=PRECISION)] if values else []


def _families(pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Pairs that are the same through others: a copy of a document says what its overlaps say."""
    family: dict[str, set[str]] = {}
    for pair in pairs:
        joined = set[str]().union(*(family.get(name, {name}) for name in pair))
        family.update(dict.fromkeys(joined, joined))
    groups = {id(group): group for group in family.values()}.values()
    return frozenset(frozenset(pair) for group in groups for pair in combinations(sorted(group), 2))


def _with_siblings(same: frozenset[Pair]) -> frozenset[Pair]:
    """Where two documents say the same, so do those about their siblings."""
    return same | {frozenset(f"copy of {name}" for name in pair) for pair in same}


def _false(pairs: Iterable[Pair], found: Merged, lang: Lang) -> list[Mapping[str, str]]:
    """Merges that are neither planted nor listed."""
    return [
        {"language": lang, "merged": " + ".join(sorted(pair)), "into": fold_space(found.reasons[pair])[:120]}
        for pair in sorted(pairs, key=sorted)[:EXAMPLES]
    ]


# -- what the corpus lists --------------------------------------------------------------------------------------------


def truth_of(lang: Lang) -> DuplicateTruth:
    """From the list of what is planted in the demo corpora, which the engine does not know."""
    items = yaml.safe_load((DEMO / "truth.yaml").read_text("utf-8"))[lang]
    return DuplicateTruth(
        same=frozenset(pair for item in items if item["kind"] == "overlap" for pair in _agreeing(item)),
        apart=frozenset(pair for item in items if item["kind"] == "near_miss" for pair in _differing(item)),
        wrong=frozenset(
            name
            for item in items
            for statement in item["statements"]
            if statement.get("wrong")
            for name in statement["said"]
        ),
    )


def _agreeing(item: Mapping[str, Any]) -> Iterable[Pair]:
    return (frozenset(pair) for statement in item["statements"] for pair in combinations(statement["said"], 2))


def _differing(item: Mapping[str, Any]) -> Iterable[Pair]:
    """Documents of different statements; of one statement in two forms, its own."""
    statements: Sequence[Any] = item["statements"]
    if len(statements) == 1:
        return _agreeing(item)
    return (
        frozenset(pair) for left, right in combinations(statements, 2) for pair in product(left["said"], right["said"])
    )
