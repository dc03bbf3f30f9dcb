"""Pairs: what the engine does with kinds of contradictions and of harmless differences, on sentences of our own.

A pair is judged as the product judges it, node against node: each text is filed as a session files it (classification,
structure), and the analysis agent judges the nodes of the one against the nodes of the other. The sentences are too few
to measure anything: the share is told, no goal is set on it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from memorybank.embedding.base import Embedder
from memorybank.embedding.parsing import parse_beside
from memorybank.engines.offline import OfflineEngine
from memorybank.memory.contracts import AnalysisInput, ClassificationInput, NodeInfo, StructureInput
from memorybank.memory.types import Lang, Relation
from memorybank_lab.evaluation.data import embedder_for
from memorybank_lab.evaluation.report import Report, mean_score


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    """Run all cases, each in both languages; no data are needed."""
    del data, full
    known = cases()
    progress(f"pairs: {len(known)} cases")
    engines = {
        lang: OfflineEngine(model := embedder_for(_texts(known, lang), embedder), parse_beside(model))
        for lang in ("en", "zh")
    }
    rows, right = [], []
    for case in known:
        found = contradict(engines[case["lang"]], case["left"], case["right"], case["lang"])
        right.append(case["contradicts"] == found)
        rows.append(
            {
                "kind": case["kind"],
                "one says": case["left"],
                "other says": case["right"],
                "expected": _word(case["contradicts"]),
                "engine": _word(found),
                "": "" if right[-1] else "fails",
            }
        )
    score = mean_score("own sentences", "as expected", "engine", right)
    return Report(name="pairs", scores=(score,), examples=tuple(rows), own_texts=True)


def cases() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(
        resources.files(__package__).joinpath("pairs.yaml").read_text(encoding="utf-8")
    )
    return found


def contradict(engine: OfflineEngine, left: str, right: str, lang: Lang) -> bool:
    """Whether the engine raises a conflict between a node of the left text and one of the right."""
    known = _nodes(engine, left, lang)
    answers = (
        engine.analysis.run(AnalysisInput(new=new, candidates=known, lang=lang)) for new in _nodes(engine, right, lang)
    )
    return any(one.relationship is Relation.CONFLICT for answer in answers for one in answer.relationships)


def _nodes(engine: OfflineEngine, text: str, lang: Lang) -> tuple[NodeInfo, ...]:
    clusters = engine.classification.run(ClassificationInput(text=text, lang=lang)).clusters
    texts = ["".join(text[start:end] for start, end in cluster.spans) for cluster in clusters]
    return tuple(
        NodeInfo(
            summary=cluster.summary or engine.structure.run(StructureInput(content=raw, lang=lang)).summary,
            context=cluster.context,
            keywords=cluster.keywords,
            text=raw,
        )
        for cluster, raw in zip(clusters, texts, strict=True)
    )


def _texts(known: list[dict[str, Any]], lang: str) -> list[str]:
    return [case["left"] for case in known if case["lang"] == lang]


def _word(contradicts: bool) -> str:
    return "conflict" if contradicts else "none"
