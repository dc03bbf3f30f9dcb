"""Small samples of what the robustness evaluation runs at length."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline import OfflineEngine
from memorybank.session.stages.recording import Source
from memorybank_lab.evaluation.robustness import CHANGES, is_filed_whole, random_texts, stayed, verdicts

ENGINE = OfflineEngine(HashedNgrams(), HashedNgrams().parse)
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


def test_texts_that_nobody_would_write_are_filed_whole() -> None:
    texts = list(random_texts(60))
    assert texts == list(random_texts(60))
    assert all(is_filed_whole(text, ENGINE) for text in texts)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_text_is_filed_whole(text: str) -> None:
    assert is_filed_whole(text, ENGINE)
