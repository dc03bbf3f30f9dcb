"""The prompt of a cross-validation as a model reads it: what is disputed point by point, and how to rule on it."""

from __future__ import annotations

import json

import pytest

from memorybank.memory.events import ConflictFound, EntryRecorded, ImageStaged, NodeCreated, PlanUpdated, TaskReceived
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
    NodeId,
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
from tests.prompts.rendered import check

Memory = tuple[str, str, tuple[str, ...], str]
"""Document, topic, keywords, text."""
Point = tuple[str, tuple[str, str], tuple[str, str]]
"""Attribute; sentence and value of the left, of the right."""

WORLD: dict[Lang, tuple[str, tuple[Memory, Memory, Memory], tuple[str, list[Point]], tuple[str, list[Point]], str]] = {
    "en": (
        "What is the installed capacity of the Skerra Sound tidal array, and since when has it fed the grid?",
        (
            (
                "overview.md",
                "The operator's account of the Skerra Sound tidal array",
                ("Skerra Tidal Ltd", "18 megawatts", "14 March 2023"),
                "Twelve seabed turbines give an installed capacity of 18 megawatts. The array first exported"
                " electricity to the grid on 14 March 2023; since that day it has generated on every tide.",
            ),
            (
                "herald_feature.md",
                "The Norwick Herald's feature on the Skerra Sound tidal array",
                ("The Norwick Herald", "24 megawatts", "2 June 2023"),
                "The array's 24 megawatts make it the most powerful tidal farm in the north. First power reached the"
                " grid on 2 June 2023.",
            ),
            (
                "brisling_log.txt",
                "MV Brisling's work on the nacelles",
                ("MV Brisling", "nacelles"),
                "By 28 February 2024 all twelve nacelles were ashore.",
            ),
        ),
        (
            "Capacity and first export of the array differ between the operator and The Norwick Herald.",
            [
                (
                    "installed capacity",
                    ("Twelve seabed turbines give an installed capacity of 18 megawatts.", "18 megawatts"),
                    ("The array's 24 megawatts make it the most powerful tidal farm in the north.", "24 megawatts"),
                ),
                (
                    "first export to the grid",
                    ("The array first exported electricity to the grid on 14 March 2023", "14 March 2023"),
                    ("First power reached the grid on 2 June 2023.", "2 June 2023"),
                ),
            ],
        ),
        (
            "With all nacelles ashore the array cannot have generated on every tide.",
            [
                (
                    "generation since first export",
                    ("since that day it has generated on every tide.", ""),
                    ("By 28 February 2024 all twelve nacelles were ashore.", ""),
                )
            ],
        ),
        "Check capacity, first export and interruption of the Skerra Sound tidal array in independent sources.",
    ),
    "zh": (
        "鹿纹铜镜的直径是多少？它离开过博物馆吗？",
        (
            (
                "馆方介绍.md",
                "云溪市博物馆对馆藏鹿纹铜镜的介绍",
                ("鹿纹铜镜", "21.3厘米", "1986年"),
                "铜镜直径21.3厘米，1986年4月出土，同年入藏，入藏以来从未离开过本馆。",
            ),
            (
                "晚报报道.md",
                "《云溪晚报》关于鹿纹铜镜的报道",
                ("云溪晚报", "23.1厘米", "1988年"),
                "鹿纹铜镜直径23.1厘米，1988年出土。",
            ),
            (
                "江北简报.md",
                "江北博物院2015年的铜镜特展",
                ("江北博物院", "2015年"),
                "2015年6月至8月，云溪市博物馆的鹿纹铜镜在本院展出。",
            ),
        ),
        (
            "两处对铜镜直径和出土年份的说法不同。",
            [
                ("直径", ("铜镜直径21.3厘米", "21.3厘米"), ("鹿纹铜镜直径23.1厘米", "23.1厘米")),
                ("出土年份", ("1986年4月出土", "1986年4月"), ("1988年出土。", "1988年")),
            ],
        ),
        (
            "若曾在江北博物院展出，就不可能从未离开过本馆。",
            [
                (
                    "入藏后是否离开过本馆",
                    ("入藏以来从未离开过本馆。", ""),
                    ("2015年6月至8月，云溪市博物馆的鹿纹铜镜在本院展出。", ""),
                )
            ],
        ),
        "在独立来源中核实鹿纹铜镜的直径、出土年份，以及它是否离开过本馆。",
    ),
}


def disputed_bank(lang: Lang) -> MemoryState:
    """Three memories of a document each: the first is against the second on two points, against the third on one."""
    goal, memories, first, second, description = WORLD[lang]
    bank = MemoryState()
    bank.apply(TaskReceived(doc_id="d1", goal=goal), 1.0)
    for number, (name, topic, keywords, text) in enumerate(memories, start=1):
        entry = Entry(id=EntryId(f"e{number}"), kind="document", text=text, source=name, sha256=str(number))
        span = Span(entry_id=entry.id, start=0, end=len(text))
        bank.apply(EntryRecorded(entry=entry), 1.0)
        node = NodeCreated(
            node_id=NodeId(f"n{number}"), summary=text, context=topic, keywords=keywords, vector=b"", spans=(span,)
        )
        bank.apply(node, 1.0)
    for number, (told, points) in enumerate((first, second), start=1):
        pairs = tuple(
            Contradiction(left=_claim(attribute, *left), right=_claim(attribute, *right), reason=told, confidence=0.9)
            for attribute, left, right in points
        )
        ends = (NodeId("n1"), NodeId(f"n{number + 1}"))
        bank.apply(
            ConflictFound(conflict_id=ConflictId(f"c{number}"), node_ids=ends, description=told, contradictions=pairs),
            1.0,
        )
    ids = (ConflictId("c1"), ConflictId("c2"))
    task = Task(type=TaskType.CROSS_VALIDATE, description=description, conflict_ids=ids)
    bank.apply(PlanUpdated(next_task=task, reasoning="r"), 1.0)
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
    own, rival = (memory[0] for memory in WORLD[lang][1][:2])
    sentence = WORLD[lang][2][1][0][1][0]
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
