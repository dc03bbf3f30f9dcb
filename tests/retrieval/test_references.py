"""Passages of raw text, titles that documents mention, and what is searched for next."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Entry, EntryId, EntryKind
from memorybank.retrieval.documents import EntrySearch, next_question, unsaid
from memorybank.retrieval.passages import AROUND, PassageIndex
from memorybank.retrieval.recall import References, title_of
from memorybank.session.stages.recording import Source
from memorybank_lab.evaluation.retrieval import filed
from tests.tables import tables

TABLES = tables(__file__)


def entry(name: str, text: str, kind: EntryKind = "document") -> Entry:
    return Entry(id=EntryId(name), kind=kind, text=text, source=f"{name}.md", sha256=name)


def named(*texts: str) -> tuple[str, ...]:
    """What the first of these documents names, by place."""
    entries = {EntryId(str(place)): entry(str(place), text) for place, text in enumerate(texts)}
    return References().named_by(EntryId("0"), entries)


@pytest.mark.parametrize(("text", "kind", "title"), TABLES["a_title_is_the_heading_that_a_document_begins_with"])
def test_a_title_is_the_heading_that_a_document_begins_with(text: str, kind: EntryKind, title: str) -> None:
    assert title_of(entry("e1", text, kind)) == title


def test_titles_are_found_as_words_of_their_own_in_the_order_of_their_mention() -> None:
    asked = "# Ada Kerr\n\nShe was born in Port Elin and studied with John Marsh, not in Port Elinor."
    others = ("# John Marsh\n\nA teacher.", "# Port Elin\n\nA town.", "# Marsh\n\nWet land.", "# ort Elin\n\nNothing.")
    assert named(asked, *others) == ("2", "1", "3")
    assert named("# 沈砚秋\n\n她生于临江县，师从顾维舟。", "# 顾维舟\n\n画家。", "# 临江县\n\n在江边。") == ("2", "1")
    of_one_title = ("# Port Elin\n\nPort Elin is near Ada Kerr.", "# Port Elin\n\nMore.", *["# Ada Kerr\n\nOne."] * 2)
    assert named(*of_one_title) == ("2", "3"), "never itself, and all parts of one"


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


@pytest.mark.parametrize(("question", "text", "left"), TABLES["what_a_text_does_not_say_is_left"])
def test_what_a_text_does_not_say_is_left(question: str, text: str, left: str) -> None:
    assert unsaid(question, text) == left


def test_the_next_question_names_what_the_document_is_about() -> None:
    question = "Where was Ada Kerr taught?"
    assert next_question(question, entry("e1", "# Ada Kerr\n\nBorn in Port Elin.")) == "Ada Kerr Where was taught?"
    assert next_question(question, entry("e2", "Born in Port Elin.")) == ""


# -- passages ----------------------------------------------------------------------------------------------------------

GARDEN = TABLES["garden"]
STARS = TABLES["stars"]
MILL = TABLES["mill"]


def test_turns_and_sentences_come_back_word_for_word_with_their_memory() -> None:
    sources = [
        Source(name="spring", text=GARDEN, kind="dialogue"),
        Source(name="autumn", text=STARS, kind="dialogue"),
        Source(name="mill", text=MILL, kind="document"),
    ]
    with filed(sources, HashedNgrams()) as memory:
        bank, recall = memory.bank, memory.recall

        def found(question: str, count: int = 9) -> list[str]:
            recalled, _ = recall.for_text(question, bank.graph.nodes, k=5, alpha=0.5, share=0.5)
            passages = recall.passages(question, recalled.hits, bank.tree, count=count, alpha=0.5)
            for one in passages:
                assert bank.tree.entries[one.entry_id].text[one.start : one.end].strip() == one.text
                assert any(
                    span.entry_id == one.entry_id and span.start <= one.start < span.end
                    for span in bank.tree.spans[one.node_id]
                )
            assert [one.score for one in passages] == sorted((one.score for one in passages), reverse=True)
            return [one.text for one in passages]

        everything = found("What was rebuilt of brick?")
        assert everything[0] == "It was rebuilt of brick."
        assert len(everything) == len(set(everything)) == 9
        # The answer shares no word with the question; the turn before it asks the same.
        assert "Ana: Forty seedlings that my aunt gave me." in found("What did she plant in the greenhouse?", 3)
        assert found("telescope", 2) == found("telescope", 9)[:2]
        assert found("telescope", 0) == []
        assert recall.passages("telescope", (), bank.tree, count=5, alpha=0.5) == ()


def test_what_stands_around_a_passage_counts_within_its_entry_alone() -> None:
    """Against the definition, passage by passage: entries of one to seven sentences, scores drawn."""
    draw = np.random.default_rng(0)
    sizes = [1, 3, 7, 2, 5]
    index = PassageIndex(HashedNgrams())
    for number, size in enumerate(sizes):
        text = " ".join(f"Sentence {place} of report {number} is here." for place in range(size))
        assert len(index._read(entry(f"e{number}", text))) == size
    own = draw.random(sum(sizes))
    expected = own.copy()
    starts = np.cumsum([0, *sizes])
    for first, end in pairwise(starts):
        for row in range(first, end):
            for distance, share in enumerate(AROUND, start=1):
                near = [own[other] for other in (row - distance, row + distance) if first <= other < end]
                expected[row] += share * max(near, default=0.0)
    assert index._around(own) == pytest.approx(expected)
