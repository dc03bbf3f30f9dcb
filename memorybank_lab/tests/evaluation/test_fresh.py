"""Fresh prose: its files are whole, and the scoring counts what it says it counts."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Claim, Conflict, ConflictId, ConflictStatus, Contradiction, Lang, NodeId
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from memorybank_lab.__main__ import main
from memorybank_lab.evaluation import collections
from memorybank_lab.scripted import ScriptedServer, scripted_agents


@pytest.mark.parametrize("lang", collections.LANGS)
def test_what_a_collection_disputes_stands_in_its_documents(lang: Lang) -> None:
    told = collections.collections(lang)
    assert len(told) >= 4
    for one in told:
        texts = " ".join(one.documents.values())
        said = [sentence for dispute in one.disputes for side in dispute.sides for sentence in side.said]
        assert [
            sentence for sentence in (*said, *(each for pair in one.near for each in pair)) if sentence not in texts
        ] == []
        for dispute in one.disputes:
            assert dispute.holds in ("", *(side.value for side in dispute.sides))
            most = max(len(side.said) for side in dispute.sides)
            assert bool(dispute.holds) == ([len(side.said) for side in dispute.sides].count(most) == 1)


def _conflict(left: str, right: str, status: ConflictStatus, winner: Literal["left", "right", ""] = "") -> Conflict:
    claims = [Claim(text=text, kind="number", subject="", attribute="", value="") for text in (left, right)]
    return Conflict(
        id=ConflictId(f"c{left}{right}"),
        node_ids=(NodeId("n1"), NodeId("n2")),
        description="",
        contradictions=(Contradiction(left=claims[0], right=claims[1], reason="", confidence=1.0),),
        status=status,
        winner=winner,
    )


@pytest.mark.parametrize(
    ("status", "winner", "fate"),
    [
        (ConflictStatus.RESOLVED, "right", "right"),
        (ConflictStatus.RESOLVED, "left", "wrong"),
        (ConflictStatus.INCONCLUSIVE, "", "undecided"),
    ],
)
def test_a_dispute_is_settled_right_when_the_supported_value_wins(
    status: ConflictStatus, winner: Literal["left", "right", ""], fate: str
) -> None:
    lighthouse = collections.collections("en")[0]
    (one, *_), (other, *_) = (side.said for side in lighthouse.disputes[0].sides)
    bank = MemoryState()
    conflict = _conflict(other, one, status, winner)
    bank.conflicts.all[conflict.id] = conflict
    found = collections.judged(lighthouse, bank)
    assert found.fates == (fate, "missed", "missed")
    assert found.false == ()
    assert not any(found.near)


def test_a_near_miss_that_is_raised_is_false() -> None:
    lighthouse = collections.collections("en")[0]
    bank = MemoryState()
    conflict = _conflict(*lighthouse.near[0], ConflictStatus.OPEN)
    bank.conflicts.all[conflict.id] = conflict
    found = collections.judged(lighthouse, bank)
    assert found.near == (True, False, False)
    assert len(found.false) == 1


def test_a_model_is_measured_on_the_same_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedServer(scripted_agents()) as server:
        llm = LLMSettings(api_key="sk-x", base_url=server.base_url, model="scripted", cache=False)
        for name, value in {"BASE_URL": llm.base_url, "API_KEY": "sk-x", "MODEL": "scripted", "CACHE": "false"}.items():
            monkeypatch.setenv(f"LLM_{name}", value)
        monkeypatch.setenv("EMBEDDING_MODEL", "hashed-ngrams")
        assert main(["eval", "collections", "--data", str(tmp_path), "--engine", "llm", "--json"]) == 0
        asked = len(server.chats)
        cramped = Settings(
            engine="llm", llm=replace(llm, windows={"analysis": 500}), max_rounds=4, embedding_model="hashed-ngrams"
        )
        refused = collections.run(Path(), HashedNgrams(), full=False, progress=lambda line: None, settings=cramped)
    (report,) = json.loads(capsys.readouterr().out)
    scores = {(one["data"], one["measure"]): one["value"] for one in report["scores"]}
    assert scores["fresh collections en", "numbers and dates that memories state"] > 0.5
    told = r"(\d+) calls \(0 failed, (\d+) asked again\), [\d,]{4,} tokens in"
    calls = [re.search(told, note) for note in report["notes"]]
    assert sum(int(found[1]) + int(found[2]) for found in calls if found) == asked
    assert any("did not come to its end" in note and "larger context" in note for note in refused.notes)
