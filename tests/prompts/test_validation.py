"""The prompt of a cross-validation as a model reads it: what is disputed point by point, and how to rule on it."""

from __future__ import annotations

import json

import pytest

from memorybank.memory.events import ConflictFound, EntryRecorded, Fact, ImageStaged, PlanUpdated, TaskReceived
from memorybank.memory.state import MemoryState
from memorybank.memory.types import (
    Claim,
    ConflictId,
    Contradiction,
    Entry,
    EntryId,
    Hit,
    ImageId,
    Lang,
    Span,
    StagedImage,
    Task,
    TaskType,
)
from memorybank.prompts import say
from memorybank.retrieval.recall import Recalled
from memorybank.session.adapter import enhance_prompt
from memorybank.session.executors.base import Assignment
from memorybank.session.executors.react.answers import ReadAnswer, refused_verdicts
from memorybank.session.stages.executing import brief, documents
from tests.made_events import created, n
from tests.prompts.rendered import check
from tests.prompts.tidal import FEATURE, LOG, NAMES, OPERATOR

Point = tuple[str, tuple[str, str], tuple[str, str]]
"""Attribute; sentence and value of the left, of the right."""

GOALS: dict[Lang, tuple[str, str]] = {
    "en": (
        "What is the installed capacity of the Skerra Sound tidal array, and since when has it fed the grid?",
        "Check capacity, first export and interruption of the Skerra Sound tidal array in independent sources.",
    ),
    "zh": (
        "鹿纹铜镜的直径是多少？它离开过博物馆吗？",
        "在独立来源中核实鹿纹铜镜的直径、出土时间，以及它是否离开过本馆。",
    ),
}
DISPUTES: dict[Lang, list[tuple[str, list[Point]]]] = {
    "en": [
        (
            "Capacity and first export of the array differ between the operator and The Norwick Herald.",
            [
                (
                    "installed capacity",
                    (
                        "Twelve seabed turbines of 1.5 megawatts give the Skerra Sound tidal array an installed "
                        "capacity of 18 megawatts.",
                        "18 megawatts",
                    ),
                    ("The array's 24 megawatts make it the most powerful tidal farm in the north.", "24 megawatts"),
                ),
                (
                    "first export to the grid",
                    ("It first exported electricity to the grid on 14 March 2023", "14 March 2023"),
                    ("Its first power reached the grid on 2 June 2023", "2 June 2023"),
                ),
            ],
        ),
        (
            "With all nacelles ashore the array cannot have generated on every tide.",
            [
                (
                    "generation since first export",
                    ("since that day it has generated on every tide without interruption.", ""),
                    ("By 28 February all twelve nacelles were ashore", ""),
                )
            ],
        ),
    ],
    "zh": [
        (
            "两处对铜镜直径和出土时间的说法不同。",
            [
                ("直径", ("铜镜直径21.3厘米", "21.3厘米"), ("云溪市博物馆的鹿纹铜镜直径23.1厘米", "23.1厘米")),
                ("出土时间", ("鹿纹铜镜1986年4月出土", "1986年4月"), ("铜镜1986年春天出土", "1986年春天")),
            ],
        ),
        (
            "若曾在江北博物院展出，就不可能从未离开过本馆。",
            [
                (
                    "入藏后是否离开过本馆",
                    ("入藏以来从未离开过本馆。", ""),
                    ("居中独立展柜内为云溪市博物馆的鹿纹铜镜。", ""),
                )
            ],
        ),
    ],
}


def disputed_bank(lang: Lang) -> MemoryState:
    """Three memories of a document each: the first is against the second on two points, against the third on one."""
    goal, description = GOALS[lang]
    bank = MemoryState()
    events: list[Fact] = [TaskReceived(doc_id="d1", goal=goal)]
    for number, (name, told) in enumerate(zip(NAMES[lang], (OPERATOR, FEATURE, LOG), strict=True), start=1):
        node = told[lang]
        entry = Entry(id=EntryId(f"e{number}"), kind="document", text=node.summary, source=name, sha256=str(number))
        spans = (Span(entry_id=entry.id, start=0, end=len(node.summary)),)
        events.append(EntryRecorded(entry=entry))
        events.append(created(number, node.summary, node.context, keywords=node.keywords, spans=spans))
    for number, (why, points) in enumerate(DISPUTES[lang], start=1):
        pairs = tuple(
            Contradiction(left=_claim(attribute, *left), right=_claim(attribute, *right), reason=why, confidence=0.9)
            for attribute, left, right in points
        )
        ends, conflict_id = (n(1), n(number + 1)), ConflictId(f"c{number}")
        events.append(ConflictFound(conflict_id=conflict_id, node_ids=ends, description=why, contradictions=pairs))
    ids = (ConflictId("c1"), ConflictId("c2"))
    task = Task(type=TaskType.CROSS_VALIDATE, description=description, conflict_ids=ids)
    for event in (*events, PlanUpdated(next_task=task, reasoning="r")):
        bank.apply(event, 1.0)
    return bank


def _claim(attribute: str, sentence: str, value: str) -> Claim:
    kind = "number" if value else "negation"
    return Claim(text=sentence, kind=kind, subject="", attribute=attribute, value=value or sentence)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_round_that_checks_conflicts_is_told_the_points_and_the_form_of_a_verdict(lang: Lang) -> None:
    check(f"validation.{lang}", prompt(disputed_bank(lang), lang))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_is_told_that_an_image_which_waits_may_be_a_source(lang: Lang) -> None:
    bank = disputed_bank(lang)
    for number, found_in in enumerate(("", "https://skerra.example/array"), start=1):
        image = StagedImage(
            id=ImageId(f"i{number}"), name=f"plate{number}.png", sha256=str(number), media_type="image/png",
            width=4, height=4, size=9, found_in=found_in,
        )  # fmt: skip
        bank.apply(ImageStaged(image=image), 1.0)
    check(f"validation-image.{lang}", prompt(bank, lang))


def prompt(bank: MemoryState, lang: Lang) -> str:
    hits = tuple(
        Hit(node_id=node_id, score=1.0, keyword=1.0, vector=1.0, keyword_raw=1.0, cosine=1.0, rank=rank)
        for rank, node_id in enumerate(bank.graph.nodes, start=1)
    )
    enhanced = enhance_prompt(
        bank, Recalled(hits=hits, below=()), "", b"", lang=lang, budget=8_000, count_tokens=lambda text: len(text) // 4
    )
    return enhanced.prompt


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_verdict_that_is_not_proven_is_asked_for_once_more(lang: Lang) -> None:
    bank = disputed_bank(lang)
    own, rival, _ = NAMES[lang]
    sentence = DISPUTES[lang][0][1][0][1][0]
    task = bank.doc.current_task
    assert task is not None
    given = Assignment(
        task=task,
        prompt="",
        goal="",
        lang=lang,
        briefs=tuple(brief(bank, conflict) for conflict in bank.conflicts.open()),
        documents=documents(bank),
    )
    pieces = [
        {"source": own, "quote": sentence, "supports": "left"},
        {"source": rival, "quote": sentence, "supports": "left"},
        {"source": "n7", "quote": sentence.replace("1", "7"), "supports": "left"},
    ]
    claim = {"contradiction": 0, "status": "resolved", "winner": "left", "value": "-"}
    verdict = json.dumps({"conflict": "c1", "evidence": pieces, "claims": [claim]})
    found = refused_verdicts(ReadAnswer.of(f"<verdict>{verdict}</verdict>"), given)
    check(f"validation_again.{lang}", say("answer_checked", lang, problems=say("answer_between", lang).join(found)))
