"""What holds and where it came from: the environment before a run, then the run itself and what was changed in it."""

from __future__ import annotations

from memorybank.memory.events import SettingsChanged
from memorybank.memory.types import Relation
from memorybank.runs.run_folder import load, state_at
from memorybank.settings import env
from memorybank.views.run.effective import Holding, holding
from tests.recorded import recorded_run

SET = {"RETRIEVAL_K": "9", "EMBEDDING_MODEL": "hashed-ngrams", "LLM_API_KEY": "sk-0123456789abcdefghij"}


def by_name(rows: tuple[Holding, ...]) -> dict[str, tuple[str, str]]:
    return {row.name: (row.value, row.origin) for row in rows}


def test_before_a_run_it_is_this_machines() -> None:
    found = by_name(holding(env.load(SET, None)))
    assert found["k"] == ("9", "environment")
    assert found["alpha"] == ("0.5", "default")
    assert found["neighbor_share"] == ("0.5", "default")
    assert found["embedding_model"] == ("hashed-ngrams", "environment")
    assert found["engine"] == ("offline", "default")
    assert not any("sk-" in value for value, _ in found.values())


def test_of_a_run_it_is_what_it_began_with_and_what_was_changed() -> None:
    begun = state_at(load(recorded_run("zh").path)).settings
    local = env.load({**SET, "RETRIEVAL_ALPHA": "1"}, None)
    found = by_name(holding(local, begun))
    assert found["k"] == ("5", "run")
    assert found["lang"] == ("zh", "run")
    assert "model" not in found, "the offline engine has none"
    relations = (Relation.CONFLICT, Relation.RELATED)
    changed = SettingsChanged(k=7, alpha=0.5, neighbor_share=0.0, relations=relations, strategy="single")
    found = by_name(holding(local, begun, changed))
    assert (found["k"], found["alpha"]) == (("7", "changed"), ("0.5", "run"))
    assert found["neighbor_share"] == ("0", "changed")
    assert found["relations"] == ("conflict,related", "changed")
    assert found["strategy"] == ("single", "run")
