from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.errors import StoreUnavailableError
from memorybank_studio.page.shelf import Card, open_studio
from memorybank_studio.tasks.gateway import Gateway

CARD = Card(title="Demo", lang="en", made=0.0, demo=True)


def test_a_demo_that_was_left_half_full_is_filled_when_it_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDING_MODEL", "hashed-ngrams")

    def lost(*given: object, **named: object) -> None:
        raise StoreUnavailableError("the graph was lost: start it")

    with monkeypatch.context() as cut:
        cut.setattr(Gateway, "confirm", lost)
        with pytest.raises(StoreUnavailableError, match="lost"):
            open_studio(tmp_path, CARD)
    with open_studio(tmp_path, CARD) as studio:
        assert studio.stores.archive.chapters()
        assert studio.stores.facts.names()
        assert len(studio.gateway.tasks()) == 1, "the task that was begun is gone on with"
    with open_studio(tmp_path, CARD) as studio:
        assert len(studio.gateway.tasks()) == 1
