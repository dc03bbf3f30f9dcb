"""Small samples of what the robustness evaluation runs at length, and texts that nobody would write."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline import OfflineEngine
from memorybank.language.text import detect_lang
from memorybank.memory.contracts import ClassificationInput, StructureInput
from memorybank.session.stages.recording import Source
from memorybank_lab.evaluation.robustness import CHANGES, stayed, verdicts

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


PIECES = (
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "```python\nx = 1\n```\n",
    "- one\n  - two\n",
    "# Heading\n\n",
    "\r\n\t\n\n\n",
    "🙂🙃 e\u0301\u200b \u202eRTL\u202c \x00\x07",
    "…。。!!?? ５–10 km 3:2 ١٢٣ ",
    "no end mark ",
    "青岚隧道长5公里。《书》",
    "A: hello\nB: hi\n",
    "https://example.org/?q=1&x=%20 ",
)
ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40)
TEXTS = st.lists(st.sampled_from(PIECES) | ANY_TEXT, max_size=12).map("".join)


@given(TEXTS)
@example("no end mark " * 80_000)
@settings(max_examples=100, deadline=None)
def test_any_text_is_filed_whole(text: str) -> None:
    """The clusters of a text hold every character exactly once, each with a summary; a blank text is not filed."""
    if not text.strip():
        return
    lang = detect_lang(text)
    clusters = ENGINE.classification.run(ClassificationInput(text=text, lang=lang)).clusters
    for cluster in clusters:
        content = "".join(text[start:end] for start, end in cluster.spans)
        summary = cluster.summary or ENGINE.structure.run(StructureInput(content=content, lang=lang)).summary
        assert bool(summary.strip()) == bool(content.strip())
    spans = sorted(span for cluster in clusters for span in cluster.spans)
    assert all(start < end for start, end in spans)
    assert [0, *(end for _, end in spans)] == [*(start for start, _ in spans), len(text)]
