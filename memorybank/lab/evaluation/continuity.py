"""The continuity check on two stories written for this project: 60 planted contradictions and 60 near misses.

Every sentence is a draft of the chapter after the story. A contradiction is found when the check tells anything of it;
a near miss must pass without a word. The second of every kind was held out while the rules were made. Precision is the
share of marked sentences that are contradictions; recall is told by kind. The chapters of the stories themselves, each
checked as of its own chapter, contradict nothing: marks there are false alarms. Control: mark every sentence. Then
drafts of fresh prose (`fresh/drafting.py`), which were written for judging the rules, not by or for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from memorybank.embedding.base import Embedder
from memorybank.lab.evaluation.fresh import drafting
from memorybank.lab.evaluation.fresh.earlier import earlier_notes, with_earlier
from memorybank.lab.evaluation.report import Report, Score, mean_score
from memorybank.lab.evaluation.story_hub import Hub, PlantedSentence, hub, planted, story
from memorybank.language.text import sentences
from memorybank.memory.types import Lang
from memorybank.narrative.continuity.check import check

GOAL: Final = 0.85
LANGS: Final[tuple[Lang, ...]] = ("zh", "en")


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    """Needs no data; all sentences, each in its own language."""
    del data, embedder, full
    hubs = {lang: hub(lang) for lang in LANGS}
    items = [item for lang in LANGS for item in planted(lang)]
    progress(f"continuity: {len(items)} sentences")
    found = {item.id: _reasons(item, hubs[item.lang]) for item in items}
    scores: list[Score] = []
    for part, held_out in (("first half", False), ("held out", True)):
        chosen = [item for item in items if item.held_out == held_out]
        marked = [bool(found[item.id]) for item in chosen]
        scores += _precision(part, "engine", chosen, marked, goal=GOAL)
        scores += _precision(part, "mark everything", chosen, [True] * len(chosen), goal=None)
        scores += _recall(part, chosen, marked)
    scores += [alarms(lang, hubs[lang]) for lang in LANGS]
    rows = [_row(item, found[item.id]) for item in items if item.contradicts != bool(found[item.id])]
    progress("continuity: drafts of fresh prose")
    of_fresh, counts, of_drafts = drafting.scored()
    return Report(
        name="continuity",
        scores=(*scores, *with_earlier("continuity", of_fresh)),
        examples=(*rows, *of_drafts),
        notes=(*counts, *earlier_notes("continuity")),
        own_texts=True,
    )


def _reasons(item: PlantedSentence, stores: Hub) -> list[str]:
    return [finding.reason for finding in check(item.text, item.chapter, item.lang, stores.facts)]


def _precision(
    part: str, system: str, items: Sequence[PlantedSentence], marked: Sequence[bool], *, goal: float | None
) -> Iterator[Score]:
    right = [item.contradicts for item, mark in zip(items, marked, strict=True) if mark]
    yield mean_score(part, "precision", system, right, goal=goal)


def _recall(part: str, items: Sequence[PlantedSentence], marked: Sequence[bool]) -> Iterator[Score]:
    by_kind: dict[str, list[bool]] = {"all kinds": []}
    for item, mark in zip(items, marked, strict=True):
        if item.contradicts:
            by_kind["all kinds"].append(mark)
            by_kind.setdefault(item.kind, []).append(mark)
    for kind, values in by_kind.items():
        yield mean_score(part, f"recall, {kind}", "engine", values)


def alarms(lang: Lang, stores: Hub) -> Score:
    """The share of sentences of the story itself that are marked."""
    marked: list[bool] = []
    for chapter in story(lang)["chapters"]:
        starts = {finding.start for finding in check(chapter["text"], chapter["number"], lang, stores.facts)}
        marked += [any(piece.start <= start < piece.end for start in starts) for piece in sentences(chapter["text"])]
    return mean_score(f"story {lang}", "sentences marked", "engine", marked)


def _row(item: PlantedSentence, reasons: Sequence[str]) -> dict[str, str]:
    return {
        "kind": item.kind,
        "draft": item.text,
        "expected": item.against or "no mark",
        "engine": reasons[0] if reasons else "no mark",
        "": "held out" if item.held_out else "",
    }
