"""The Insight Doc at each moment of a run."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load, state_at
from memorybank.views.memory.doc_history import DocHistory
from tests.recorded import recorded_run


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_doc_at_every_moment_is_the_banks(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    history = DocHistory()
    for record in records:
        history.take(record)
    seen = []
    for k in range(0, len(records) + 1, 7):
        now = history.at(k)
        bank = state_at(records, k)
        assert (now.doc, now.answer) == (bank.doc, bank.progress.answer)
        assert now.seq <= k
        seen.append(now.seq)
    assert len(set(seen)) > 8, "the demo changes its doc often"
