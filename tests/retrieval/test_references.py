"""Titles that documents mention, and what is searched for next: the rest of a question, and what was found first."""

from __future__ import annotations

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Entry, EntryId, EntryKind
from memorybank.retrieval.documents import EntrySearch
from memorybank.retrieval.references import References, title_of
from memorybank.retrieval.second_search import next_question, unsaid
from memorybank.session.stages.recording import Source
from memorybank_lab.evaluation.retrieval import filed


def entry(name: str, text: str, kind: EntryKind = "document") -> Entry:
    return Entry(id=EntryId(name), kind=kind, text=text, source=f"{name}.md", sha256=name)


def named(*texts: str) -> tuple[str, ...]:
    """What the first of these documents names, by place."""
    entries = {EntryId(str(place)): entry(str(place), text) for place, text in enumerate(texts)}
    return References().named_by(EntryId("0"), entries)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Severn Bridge\n\nIt spans the river.", "Severn Bridge"),
        ("# Mercury (planet)\n\nIt is small.", "Mercury"),
        ("## 鲁迅（作家）\n\n他是浙江人。", "鲁迅"),
        ("# notes\n\nWhat I saw.", ""),
        ("# Rio\n\nA city.", ""),
        ("# 书\n\n纸做的。", ""),
        ("No heading at all. # Severn Bridge", ""),
        (f"# {'Long ' * 30}\n\nNo name is so long.", ""),
        ("", ""),
    ],
)
def test_a_title_is_the_heading_that_a_document_begins_with(text: str, title: str) -> None:
    assert title_of(entry("e1", text)) == title


def test_what_was_said_in_a_dialogue_or_a_round_has_no_title() -> None:
    assert title_of(entry("e1", "# Severn Bridge\n\nYes.", "dialogue")) == ""
    assert title_of(entry("e1", "# Severn Bridge\n\nYes.", "transcript")) == ""
    assert title_of(entry("e1", "# Severn Bridge\n\nYes.", "tool")) == "Severn Bridge"


def test_titles_are_found_as_words_of_their_own_in_the_order_of_their_mention() -> None:
    asked = "# Ada Kerr\n\nShe was born in Port Elin and studied with John Marsh, not in Port Elinor."
    others = ("# John Marsh\n\nA teacher.", "# Port Elin\n\nA town.", "# Marsh\n\nWet land.", "# ort Elin\n\nNothing.")
    assert named(asked, *others) == ("2", "1", "3")


def test_chinese_titles_need_no_space_around_them() -> None:
    assert named("# 沈砚秋\n\n她生于临江县，师从顾维舟。", "# 顾维舟\n\n画家。", "# 临江县\n\n在江边。") == ("2", "1")


def test_a_document_does_not_name_itself_and_parts_of_one_title_all_come() -> None:
    parts = (
        "# Port Elin\n\nPort Elin is a town near Ada Kerr.",
        "# Port Elin\n\nMore.",
        "# Ada Kerr\n\nOne.",
        "# Ada Kerr\n\nTwo.",
    )
    assert named(*parts) == ("2", "3")


def test_documents_that_come_later_are_learnt() -> None:
    entries = {EntryId("e1"): entry("e1", "# Ada Kerr\n\nBorn in Port Elin.")}
    references = References()
    assert references.named_by(EntryId("e1"), entries) == ()
    entries[EntryId("e2")] = entry("e2", "# Port Elin\n\nA town.")
    assert references.named_by(EntryId("e1"), entries) == ("e2",)
    assert references.named_by(EntryId("e1"), {EntryId("e1"): entries[EntryId("e1")]}) == (), "not of this memory"


def test_what_the_first_document_names_moves_up() -> None:
    """The town's page has hardly a word of the question; the page that answers its first half names it."""
    towns = ("Aldmoor", "Brackley Ford", "Corven", "Dunmere", "Eastry Cross", "Farrow Hill")
    texts = [
        "# Ada Kerr\n\nAda Kerr, the botanist, was born in Port Elin and collected mosses.",
        "# Port Elin\n\nA harbour with a stone quay; the Tane passes under its two bridges.",
        *(
            f"# {name}\n\n{name} is the town that a river flows through; who was born there is not known."
            for name in towns
        ),
    ]
    sources = [Source(name=str(place), text=text, kind="document") for place, text in enumerate(texts)]
    question = "Which river flows through the town in which the botanist Ada Kerr was born?"
    with filed(sources, HashedNgrams()) as memory:
        nodes, tree = memory.bank.graph.nodes, memory.bank.tree
        search = EntrySearch(recall=memory.recall, nodes=nodes, tree=tree, alpha=0.5, share=0.5)

        def found(*, links: bool) -> list[str]:
            return [tree.entries[entry].source for entry in search.best(question, count=3, links=links)]

        assert found(links=False)[0] == "0"
        assert "1" not in found(links=False)
        assert found(links=True)[0] == "0", "what names others stays where it is"
        assert "1" in found(links=True)
        assert len(found(links=True)) == 3


# -- What is searched for next: the rest of a question, and what the document found first is about ---------------------


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
