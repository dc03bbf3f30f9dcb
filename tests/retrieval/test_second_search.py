"""What is searched for next: the rest of a question, and what the document found first is about."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Entry, EntryId
from memorybank.retrieval.second_search import next_question, unsaid


@pytest.mark.parametrize(
    ("question", "text", "left"),
    [
        (
            "Which river passes the birthplace of Ada Kerr?",
            "Ada Kerr, of Port Elin.",
            "Which river passes the birthplace",
        ),
        ("When did it open?", "It was opened in 1961.", "When did"),
        ("沈砚秋出生的县城流过哪条河？", "沈砚秋出生于临江县。", "生的县城流过哪条河？"),
        ("河？", "一条河。", "？"),
        ("", "Anything.", ""),
        ("Who wrote 《雪国》 first?", "川端康成写了《雪国》。", "Who wrote 《》 first?"),
    ],
)
def test_what_a_text_does_not_say_is_left(question: str, text: str, left: str) -> None:
    assert unsaid(question, text) == left


def test_the_next_question_names_what_the_document_is_about() -> None:
    found = Entry(id=EntryId("e1"), kind="document", text="# Ada Kerr\n\nBorn in Port Elin.", source="a.md", sha256="1")
    assert next_question("Where was Ada Kerr taught?", found) == "Ada Kerr Where was taught?"
    untitled = Entry(id=EntryId("e2"), kind="document", text="Born in Port Elin.", source="a.md", sha256="2")
    assert next_question("Where was Ada Kerr taught?", untitled) == ""
