"""Two runs as figures: every number is one of the journal's, and what is not known is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorybank.contradiction.disputes.dispute import STATES
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory.events import AgentCalled, NodesMerged, PromptEnhanced
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load, state_at
from memorybank.settings.config import ALL_RELATIONS, WITHOUT_MERGE
from memorybank.views.run.comparison import Figures, compare, figures, preset_of
from tests.recorded import recorded_run


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_figures_are_the_runs_own(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    found, events = figures(records), [record.event for record in records]
    bank, values = state_at(records), found.values
    assert values["conflicts"] == len(disputes_of(bank)) == sum(values[f"conflicts_{each}"] for each in STATES) > 0
    assert values["merges"] == sum(isinstance(one, NodesMerged) for one in events)
    assert values["nodes"] == len(bank.graph.nodes)
    assert values["calls"] == sum(isinstance(one, AgentCalled) for one in events)
    prompts = [one for one in events if isinstance(one, PromptEnhanced)]
    assert values["prompt_tokens"] == sum(part.tokens for one in prompts for part in one.parts) > 0
    assert found.answer == bank.progress.answer != ""
    assert [values[name] for name in ("engine", "preset", "k", "alpha")] == ["offline", "default", 5, 0.5]
    assert figures(records, bank) == found


def test_a_run_compared_with_itself_differs_in_nothing() -> None:
    found = figures(load(recorded_run("en").path))
    rows = compare(found, found)
    assert not any(row.differs for row in rows)
    missing = {row.name for row in rows if row.left is None}
    assert missing == {"input_tokens", "cached_input_tokens", "output_tokens"}


def test_what_differs_is_marked_and_a_little_time_is_not() -> None:
    one = figures(load(recorded_run("en").path))
    other = replace(one, values={**one.values, "alpha": 1.0, "merges": 99, "seconds": one.values["seconds"] * 1.05})
    assert {row.name for row in compare(one, other) if row.differs} == {"alpha", "merges"}
    slow = replace(one, values={**one.values, "seconds": one.values["seconds"] * 2})
    assert {row.name for row in compare(one, slow) if row.differs} == {"seconds"}


def test_a_run_that_has_not_begun_has_no_numbers() -> None:
    one = figures(load(recorded_run("en").path))
    nothing = figures([])
    assert nothing == Figures()
    rows = compare(one, nothing)
    assert all(row.right is None for row in rows)
    early = figures(load(recorded_run("en").path)[:30])
    assert {row.name: row.right for row in compare(one, early)}["result"] is None


@pytest.mark.parametrize(
    ("relations", "strategy", "name"),
    [
        (ALL_RELATIONS, "single", "default"),
        (WITHOUT_MERGE, "single", "final"),
        (ALL_RELATIONS, "two_stage", "v3"),
        (WITHOUT_MERGE, "two_stage", "own"),
    ],
)
def test_presets_by_name(relations: tuple[object, ...], strategy: str, name: str) -> None:
    assert preset_of(relations, strategy) == name  # type: ignore[arg-type]
