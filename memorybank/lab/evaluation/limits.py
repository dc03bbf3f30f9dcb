"""What the engine does with kinds of contradictions and of harmless differences, on sentences of our own.

The public sets say how often it fails; their texts may not stand in the docs. These may, and show how. They are too few
to measure anything: the share is told, no goal is set on it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from memorybank.embedding.base import Embedder
from memorybank.lab.evaluation.contradiction import Judge
from memorybank.lab.evaluation.data import embedder_for
from memorybank.lab.evaluation.pairs import Pair
from memorybank.lab.evaluation.report import Report, mean_score


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    """Needs no data; all cases, each in both languages."""
    del data, full
    known = cases()
    progress(f"limits: {len(known)} cases")
    judges = {lang: Judge(embedder_for(_texts(known, lang), embedder)) for lang in ("en", "zh")}
    rows, right = [], []
    for case in known:
        pair = Pair(left=case["left"], right=case["right"], contradicts=case["contradicts"], lang=case["lang"])
        found = judges[pair.lang](pair)
        right.append(pair.contradicts == (found is not None))
        rows.append(
            {
                "kind": case["kind"],
                "one says": pair.left,
                "other says": pair.right,
                "expected": _word(pair.contradicts),
                "engine": _word(found is not None),
                "": "" if right[-1] else "fails",
            }
        )
    score = mean_score("own sentences", "as expected", "engine", right)
    return Report(name="limits", scores=(score,), examples=tuple(rows), own_texts=True)


def cases() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(
        resources.files(__package__).joinpath("limits.yaml").read_text(encoding="utf-8")
    )
    return found


def _texts(known: list[dict[str, Any]], lang: str) -> list[str]:
    return [case["left"] for case in known if case["lang"] == lang]


def _word(contradicts: bool) -> str:
    return "conflict" if contradicts else "none"
