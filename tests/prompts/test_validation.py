"""The prompt of a cross-validation as a model reads it: what is disputed point by point, and how to rule on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from memorybank.memory.events import ConflictFound, EntryRecorded, Fact, ImageStaged, PlanUpdated, TaskReceived
from memorybank.memory.state import MemoryState
from memorybank.memory.types import (
    Claim,
    ClaimKind,
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
from memorybank.session.matters import matters_of
from memorybank.session.stages.executing import brief, documents
from tests.made_events import created, n
from tests.prompts.rendered import check
from tests.prompts.world import MEMORIES, WORLDS, document, memory


def disputed_bank(lang: Lang) -> MemoryState:
    """Three memories of a document each: the first is against the second on two points, against the third on one."""
    told = WORLDS[lang]["check"]
    bank = MemoryState()
    events: list[Fact] = [TaskReceived(doc_id="d1", goal=told["goal"])]
    for number, name in enumerate(MEMORIES, start=1):
        node, source = memory(name, lang), document(name, lang)
        entry = Entry(id=EntryId(f"e{number}"), kind="document", text=node.summary, source=source, sha256=str(number))
        spans = (Span(entry_id=entry.id, start=0, end=len(node.summary)),)
        events.append(EntryRecorded(entry=entry))
        events.append(created(number, node.summary, node.context, keywords=node.keywords, spans=spans))
    for number, dispute in enumerate(told["disputes"], start=1):
        why = dispute["description"]
        pairs = tuple(
            Contradiction(left=_claim(point, "left"), right=_claim(point, "right"), reason=why, confidence=0.9)
            for point in dispute["points"]
        )
        ends, conflict_id = (n(1), n(number + 1)), ConflictId(f"c{number}")
        events.append(ConflictFound(conflict_id=conflict_id, node_ids=ends, description=why, contradictions=pairs))
    ids = (ConflictId("c1"), ConflictId("c2"))
    task = Task(type=TaskType.CROSS_VALIDATE, description=told["description"], conflict_ids=ids)
    for event in (*events, PlanUpdated(next_task=task, reasoning="r")):
        bank.apply(event, 1.0)
    return bank


def _claim(point: Mapping[str, Any], side: str) -> Claim:
    sentence, value = point[side]
    kind: ClaimKind = "number" if value else "negation"
    return Claim(text=sentence, kind=kind, subject="", attribute=point["attribute"], value=value or sentence)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_round_that_checks_conflicts_is_told_the_points_and_the_form_of_a_verdict(lang: Lang) -> None:
    check(f"validation.{lang}", prompt(disputed_bank(lang), lang))


def test_a_memory_of_one_short_document_stands_in_its_words_where_it_may_be_quoted() -> None:
    bank = disputed_bank("en")
    entry = Entry(id=EntryId("e4"), kind="document", text="The log says: 24.", source="log.txt", sha256="4")
    spans = (Span(entry_id=entry.id, start=0, end=len(entry.text)),)
    for event in (EntryRecorded(entry=entry), created(4, "A log has 24.", "A log", spans=spans)):
        bank.apply(event, 1.0)
    assert "Sources: log.txt\nText: The log says: 24." in prompt(bank, "en")


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
    own, rival = document("operator", lang), document("feature", lang)
    sentence = WORLDS[lang]["check"]["disputes"][0]["points"][0]["left"][0]
    task = bank.doc.current_task
    assert task is not None
    given = Assignment(
        task=task,
        prompt="",
        goal="",
        lang=lang,
        briefs=tuple(brief(bank, conflict) for conflict in bank.conflicts.open()),
        matters=tuple(matters_of(bank)),
        documents=documents(bank),
    )
    pieces = [
        {"source": own, "quote": sentence, "supports": "left"},
        {"source": rival, "quote": sentence, "supports": "left"},
        {"source": "n7", "quote": sentence.replace("1", "7"), "supports": "left"},
    ]
    claim = {"contradiction": 0, "status": "resolved", "winner": "left", "value": "-"}
    verdict = json.dumps({"conflict": "c1", "evidence": pieces, "claims": [claim]})
    found = list(refused_verdicts(ReadAnswer.of(f"<verdict>{verdict}</verdict>", given), given))
    check(f"validation_again.{lang}", say("answer_checked", lang, problems=say("answer_between", lang).join(found)))
