from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.errors import StoreUnavailableError
from memorybank_studio.page.demo import CHAPTER, NAMES
from memorybank_studio.page.shelf import CARD, Card, open_studio
from memorybank_studio.tasks.gateway import Gateway
from memorybank_studio.types import TaskId, TaskState

RECORDED = Card(title="Recorded", lang="zh", made=0.0, recorded=True)


def test_a_recorded_session_is_acted_once_without_a_key_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDING_MODEL", "hashed-ngrams")
    (tmp_path / CARD).write_text("{}")

    def lost(*given: object, **named: object) -> None:
        raise StoreUnavailableError("the graph was lost: start it")

    with monkeypatch.context() as cut:
        cut.setattr(Gateway, "confirm", lost)
        with pytest.raises(StoreUnavailableError, match="lost"):
            open_studio(tmp_path, RECORDED)
    with open_studio(tmp_path, RECORDED) as studio:
        gateway = studio.gateway
        states = [task.state for task in gateway.tasks()]
        assert states == [TaskState.CLOSED, TaskState.OPEN, TaskState.OPEN, TaskState.OPEN], "begun anew, and whole"
        assert gateway.chapters.chapter(CHAPTER).archived
        assert not gateway.chapters.can_write, "no language model is set"
        (option,) = gateway.offers(TaskId("t4"))
        assert option.option.draft.made_by == NAMES["zh"], "it says that it is recorded"
        gateway.handle("顾三爷人在哪儿？", task=TaskId("t3"))
    with open_studio(tmp_path, RECORDED) as studio:
        assert len(studio.gateway.history(TaskId("t3"))) == 4, "what came after it stays"
    assert (tmp_path / CARD).exists()
