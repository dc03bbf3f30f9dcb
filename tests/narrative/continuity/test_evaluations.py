from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError
from memorybank.lab.evaluation import continuity, narration
from memorybank.lab.evaluation.story_hub import hub, planted, story
from memorybank.memory.types import Lang
from memorybank.narrative.continuity.check import check
from memorybank.narrative.reading.modality import Modality


def quiet(_: str) -> None:
    return None


def test_f1_by_hand() -> None:
    true = np.array([True, True, False, False])
    assert narration.f1(true, np.array([True, False, True, False])) == pytest.approx(0.5)
    assert narration.f1(true, true) == 1.0
    assert narration.f1(np.array([False]), np.array([False])) == 0.0


def test_narration_refuses_another_edition(tmp_path: Path) -> None:
    (tmp_path / "zh_novel").mkdir()
    with pytest.raises(InputError, match="红楼梦"):
        narration.run(tmp_path, HashedNgrams(), full=False, progress=quiet)
    (tmp_path / "zh_novel" / "红楼梦.txt").write_text("第一回 甄士隐", "utf-8")
    with pytest.raises(InputError, match="edition"):
        narration.run(tmp_path, HashedNgrams(), full=False, progress=quiet)


def test_narration_reads_spans_in_their_chapters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = "序\n\n第一回  上\n\n甲推门进来。乙道：“我走了。”\n\n第二回  下\n\n丙要下山。"
    (tmp_path / "zh_novel").mkdir()
    (tmp_path / "zh_novel" / "书.txt").write_text(book, "utf-8")
    told = {
        "sources": {"书": {"sha256": hashlib.sha256(book.encode()).hexdigest()}},
        "items": [
            {"book": "书", "chapter": number, "start": at, "end": at + length, "label": label, "held_out": False}
            for number, at, length, label in ((1, 8, 6, "happened"), (1, 14, 9, "told"), (2, 8, 5, "intended"))
        ],
    }
    (tmp_path / "narration.json").write_text(json.dumps(told), "utf-8")
    monkeypatch.setattr(narration.resources, "files", lambda _: tmp_path)
    items = list(narration.labelled(tmp_path))
    assert [item.chapter[item.span.start : item.span.end] for item in items] == [
        "甲推门进来。",
        "乙道：“我走了。”"[:9],
        "丙要下山。",
    ]
    assert [narration.by_engine(item) for item in items] == [Modality.HAPPENED, Modality.REPORTED, Modality.INTENDED]
    assert [narration.by_quotes(item) for item in items] == [Modality.HAPPENED, Modality.REPORTED, Modality.HAPPENED]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_stories_hold_together(lang: Lang) -> None:
    told, stores = story(lang), hub(lang)
    texts = {chapter["number"]: chapter["text"] for chapter in told["chapters"]}
    assert all(fact["source"] in texts[fact["since"]] for fact in told["facts"])
    assert stores.facts.count()[1] == len(
        {(f["subject"], f["predicate"], str(f["object"]), f["since"]) for f in told["facts"]}
    )
    assert len(stores.plans.all()) == len(told["plans"])
    statuses = {plan.title: plan.status for plan in stores.plans.all()}
    assert all(statuses[plan["title"]] == plan["status"] for plan in told["plans"])
    items = planted(lang)
    assert (sum(item.contradicts for item in items), len(items)) == (30, 60)
    assert len({item.id for item in items}) == 60


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_an_ordinary_draft_of_the_next_chapter_raises_no_alarm(lang: Lang) -> None:
    """It speaks of the dead, of what was lost and of what is planned, and contradicts nothing."""
    draft = (Path(__file__).parent / "drafts" / f"{lang}.txt").read_text("utf-8")
    assert [one.reason for one in check(draft, 13, lang, hub(lang).facts)] == []


def test_continuity_is_measured_and_finds_no_fault_with_the_stories_themselves(tmp_path: Path) -> None:
    report = continuity.run(tmp_path, HashedNgrams(), full=False, progress=quiet)
    scores = {(score.data, score.measure, score.system): score.value for score in report.scores}
    assert scores[("first half", "precision", "engine")] >= continuity.GOAL
    assert scores[("first half", "precision", "mark everything")] == pytest.approx(0.5, abs=0.05)
    assert scores[("story zh", "sentences marked", "engine")] == 0.0
    assert scores[("story en", "sentences marked", "engine")] == 0.0
    assert {"recall, all kinds", "recall, death"} <= {score.measure for score in report.scores}
    assert all(row["engine"] != row["expected"] for row in report.examples)
