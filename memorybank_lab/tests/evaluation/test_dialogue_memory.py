from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError
from memorybank_lab.evaluation.dialogue_memory import (
    Dialogue,
    DialogueQuestion,
    RankedTurns,
    enough,
    locomo,
    places_of,
    run,
    told_back,
)
from memorybank_lab.evaluation.retrieval import Plain, filed, recall_at

FIRST = [
    ("Ana", "Hi Ben! The greenhouse is finally standing."),
    ("Ben", "Great news. What will you plant in the greenhouse?"),
    ("Ana", "Forty tomato seedlings, my aunt gave them to me."),
    ("Ben", "My telescope arrived yesterday, so I am busy, too."),
    ("Ana", "Which planet did you look at with the telescope?"),
    ("Ben", "Saturn. The rings of Saturn were clear."),
]
SECOND = [
    ("Ben", "The marathon in Oslo was harder than I thought."),
    ("Ana", "How long did the marathon take you?"),
    ("Ben", "Four hours and ten minutes, in heavy rain."),
]


def dialogue() -> dict[str, Any]:
    def turns(session: int, said: list[tuple[str, str]]) -> list[dict[str, str]]:
        return [
            {"speaker": speaker, "dia_id": f"D{session}:{place}", "text": text}
            for place, (speaker, text) in enumerate(said, start=1)
        ]

    return {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ana",
            "session_1_date_time": "4 May, 2031",
            "session_1": turns(1, FIRST),
            "session_2_date_time": "9 June, 2031",
            "session_2": [*turns(2, SECOND[:2]), {**turns(3, SECOND)[2], "dia_id": "D2:3", "blip_caption": "a medal"}],
        },
        "qa": [
            {"question": "How many tomato seedlings did Ana plant?", "evidence": ["D1:3"], "category": 4},
            {"question": "How long did the marathon take Ben?", "evidence": ["D2:2; D:2:3"], "category": 2},
            {"question": "Is this not asked?", "evidence": ["D1:1"], "category": 5},
            {"question": "Nothing says it.", "evidence": ["D"], "category": 1},
        ],
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / "locomo_x.json").write_text(json.dumps([dialogue()]), "utf-8")
    return tmp_path


def test_recall_by_hand() -> None:
    asked = RankedTurns(DialogueQuestion("?", 4, frozenset({3, 7})), {"engine": [5, 3, 9, 7]})
    assert [asked.recall("engine", turns) for turns in (1, 2, 4)] == [0.0, 0.5, 1.0]
    assert recall_at(2, [], {1}) == 0.0


def test_the_set_is_read_with_dates_captions_and_broken_evidence(data: Path) -> None:
    (found,) = locomo(data)
    assert [one.evidence for one in found.questions] == [frozenset({2}), frozenset({7, 8})]
    assert found.turns[0] == "Ana (4 May, 2031): Hi Ben! The greenhouse is finally standing."
    assert found.turns[8].endswith("in heavy rain. [image: a medal]")
    assert [source.kind for source in found.sources] == ["dialogue", "dialogue"]


def test_a_memory_gives_every_turn_back_and_knows_its_place(data: Path) -> None:
    (given,) = locomo(data)
    with filed(given.sources, HashedNgrams()) as memory:
        assert told_back(given, memory) == [1.0] * 9
        places = places_of(given, memory)
        tree = memory.bank.tree
        for (entry, start), place in places.items():
            assert tree.entries[entry].text[start:].startswith(given.turns[place])  # type: ignore[index]


def test_baselines_rank_the_turn_with_the_words_first(data: Path) -> None:
    (given,) = locomo(data)
    plain = Plain(given.turns, HashedNgrams())
    rankings = plain.rankings("How clear were the rings of Saturn?")
    assert set(rankings) == {"BM25", "hashed-ngrams", "mixture"}
    assert all(ranking[0] == 5 and sorted(ranking) == list(range(9)) for ranking in rankings.values())


def test_a_run_asks_the_memory(data: Path) -> None:
    report = run(data, HashedNgrams(), full=False, progress=lambda line: None)
    scores = {(score.data, score.measure, score.system): score for score in report.scores}
    engine = scores["LoCoMo", "recall@5", "engine"]
    assert (engine.value, engine.n) == (1.0, 2)
    assert scores["LoCoMo", "recall@10", "engine"].goal == 0.74
    assert scores["LoCoMo temporal", "recall@10", "mixture"].n == 1
    assert scores["LoCoMo", "turns word for word", "engine"].value == 1.0
    assert ("LoCoMo", "recall@10", "engine, k = 5, without links") in scores


def test_a_damaged_set_is_named(data: Path) -> None:
    (data / "locomo" / "locomo_x.json").write_text('[{"sample_id": 1}]', "utf-8")
    with pytest.raises(InputError, match=r"locomo_x\.json: a dialogue without 'conversation'"):
        list(locomo(data))


def test_whole_dialogues_until_there_are_questions_enough() -> None:
    question = DialogueQuestion("Who?", 4, frozenset({0}))
    dialogues = [Dialogue(f"conv-{place}", (), (question,) * count) for place, count in enumerate((200, 290, 20, 7))]
    assert enough(dialogues, full=False) == dialogues[:3]
    assert enough(dialogues, full=True) == dialogues
    assert enough(dialogues[:1], full=False) == dialogues[:1]
