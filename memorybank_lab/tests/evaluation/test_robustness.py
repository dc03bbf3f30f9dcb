"""Small samples of what the robustness evaluation runs at length, and texts that nobody would write."""

from __future__ import annotations

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.session.stages.recording import Source
from memorybank_lab.evaluation.robustness import CHANGES, stayed, verdicts

SOURCES = [
    Source(name=f"{place}.md", text=text, kind="document")
    for place, text in enumerate(
        (
            "The Orla tunnel was opened in 2019.\nIt is 5.2 km long.",
            "The Orla tunnel is 5.2 km long, says the café at its gate.",
            "The county counted the lamps.\n\nThe Orla tunnel is 5.2 km long.",
            "The Orla tunnel is 8.4 km long.",
        )
    )
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_that_says_nothing_new_changes_no_verdict(change: str) -> None:
    before = verdicts(SOURCES, "en", HashedNgrams())
    assert {end for _, end in before} == {"5.2 km"}
    changed = CHANGES[change](SOURCES)
    assert list(changed) != SOURCES
    assert all(stayed(before, verdicts(changed, "en", HashedNgrams())))


def test_a_verdict_that_one_session_lacks_has_not_stayed() -> None:
    verdict = (frozenset({"5.2 km", "8.4 km"}), "5.2 km")
    assert stayed(frozenset(), frozenset()) == [True]
    assert stayed(frozenset({verdict}), frozenset()) == [False]
    assert stayed(frozenset({verdict}), frozenset({verdict})) == [True]
