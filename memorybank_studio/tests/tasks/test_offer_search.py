"""The shelf is searched by words and by meaning, in a task or a chapter; nothing is embedded twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from memorybank.embedding.base import Matrix
from memorybank.embedding.hashed import HashedNgrams
from memorybank.retrieval.chroma import Chroma, ChromaSettings
from memorybank_studio.journal.desk import Desk
from memorybank_studio.tasks.task_views import OfferSearch
from memorybank_studio.tests.journal.test_offers import offer, open_task
from memorybank_studio.types import TaskId


class Counting(HashedNgrams):
    """Keeps what it embedded as documents."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []

    def documents(self, texts: Sequence[str]) -> Matrix:
        self.embedded += texts
        return super().documents(texts)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "tasks")
    gate, mill = open_task(desk, "Gate").id, open_task(desk, "Mill").id
    offer(desk, gate, "Lin sells the Frost Sword for salt.", "Rao burns the sealed letter.", chapter=4)
    offer(desk, mill, "Nobody comes to the mill that night.", "雨夜里，林把照夜剑沉进了河。", chapter=5)
    yield desk
    desk.close()


def found(search: OfferSearch, text: str, task: TaskId | None = None, chapter: int | None = None) -> list[str]:
    return [item.option.draft.text for item, _ in search.search(text, task=task, chapter=chapter)]


def test_words_and_meaning_find_it_within_a_task_and_a_chapter(desk: Desk, tmp_path: Path) -> None:
    embedder = Counting()
    with Chroma(ChromaSettings(folder=tmp_path), embedder) as chroma:
        search = OfferSearch(desk.offers, chroma)
        assert found(search, "letter")[0] == "Rao burns the sealed letter."
        assert found(search, "selling a sword")[0] == "Lin sells the Frost Sword for salt."
        assert found(search, "照夜剑")[0] == "雨夜里，林把照夜剑沉进了河。"
        assert "Rao burns the sealed letter." not in found(search, "letter", chapter=5)
        assert found(search, "mill", TaskId("t1")) == []
        scores = [score for _, score in search.search("the mill at night")]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)
        assert len(embedder.embedded) == 4
        offer(desk, TaskId("t2"), "The cook reads the letter aloud.", chapter=6)
        assert found(search, "cook letter")[0] == "The cook reads the letter aloud."
        assert len(embedder.embedded) == 5, "what is new alone"
        again = OfferSearch(desk.offers, chroma)
        assert found(again, "cook letter")[0] == "The cook reads the letter aloud."
        assert len(embedder.embedded) == 5, "their vectors are kept"


def test_an_empty_shelf_finds_nothing(tmp_path: Path) -> None:
    empty = Desk(tmp_path / "tasks")
    with Chroma(ChromaSettings(folder=tmp_path), HashedNgrams()) as chroma:
        assert OfferSearch(empty.offers, chroma).search("letter") == ()
    empty.close()
