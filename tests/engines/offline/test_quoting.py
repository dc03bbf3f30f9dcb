"""What is quoted: neighbours, lists, near misses, one fact once; always what the passage says. And what is asked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.asking import question_of, stated
from memorybank.engines.offline.quotable import Passage
from memorybank.engines.offline.quoting import SENTENCES, Length, Quote, quotes
from memorybank.engines.offline.units import width
from memorybank.language.text import fold_space, one_form
from memorybank.memory.types import EntryId, Span
from memorybank.prompts.claim_words import shown
from tests.scripted import LetterEmbedder
from tests.tables import tables

TABLES = tables(__file__)

EMBEDDER = HashedNgrams()
PARSE = EMBEDDER.parse
ANSWER = Length(stretch=400, room=900)

HALL = (
    "# Merrow Hall\n\nMerrow Hall is a concert hall in the harbour of Lund. The architect was Ida Bry. "
    "It was closed for repairs twice. Concerts are given on Sundays."
)
ACADEMY = "# The Alder Academy\n\nThe Alder Academy was founded in 1785 by a bishop. It has 340 pupils."
BRIDGE = "# Alder Bridge\n\nThe bridge beside the Alder Academy was founded on oak piles in 1846. It is 35 metres long."
STONE = "# Stones\n\nA stone over the gate tells that the Alder Academy was founded in 1785."

THINGS = (("bell", "cast in 1683"), ("bell", "made in 1685"), ("clock", "made in 1701"))


def ask(question: str, *texts: str, limit: int = 4, length: Length = ANSWER) -> list[Quote]:
    passages = [Passage(source=f"{at}.md", text=text) for at, text in enumerate(texts)]
    return quotes(question_of(question, PARSE), passages, EMBEDDER, PARSE, limit, length)


def test_a_short_passage_is_quoted_whole_and_a_sentence_alone_where_no_stretch_is_wanted() -> None:
    (whole,) = ask("In which town is the concert hall Merrow Hall?", HALL)
    assert whole.text == fold_space(HALL.partition("\n\n")[2])
    (alone, *_) = ask("In which town is the concert hall Merrow Hall?", HALL, limit=1, length=SENTENCES)
    assert alone.text == "Merrow Hall is a concert hall in the harbour of Lund."


def test_what_is_said_of_another_thing_beside_the_subject_is_no_answer() -> None:
    found = ask("When was the Alder Academy founded?", BRIDGE, ACADEMY)
    assert [quote.passage.source for quote in found] == ["1.md"]
    assert "1785" in found[0].text
    tower = "云顶塔位于江城。云顶塔高468米，共有97层。"
    bridge = "云顶塔旁的云顶大桥桥塔高86米，全长1200米。"
    assert not any("86米" in quote.text for quote in ask("云顶塔有多高？", bridge, tower))


@pytest.mark.parametrize(
    ("question", "beside", "says"), TABLES["what_a_text_on_the_subject_says_of_its_nameless_things_answers"]
)
def test_what_a_text_on_the_subject_says_of_its_nameless_things_answers(question: str, beside: str, says: bool) -> None:
    subject = "云溪水库1965年建成。" if question.startswith("云") else "Ravensholm has a breakwater of 1893. "
    other = "云溪水库在青岭脚下。" if question.startswith("云") else "Ravensholm lies on the coast."
    found = ask(question, subject + beside, other, length=SENTENCES)
    assert any(quote.text == beside for quote in found[:1]) is says


@pytest.mark.parametrize(
    ("question", "texts", "first"),
    TABLES["what_a_part_only_means_is_told_by_a_heading_or_by_the_text"],
)  # fmt: skip
def test_what_a_part_only_means_is_told_by_a_heading_or_by_the_text(
    question: str, texts: list[str], first: str
) -> None:
    assert ask(question, *texts, length=SENTENCES)[0].text == first


def test_a_document_that_says_it_in_other_words_has_its_say_and_one_on_another_thing_has_not() -> None:
    texts = [f"The {thing} of Merrow Hall was {made}." for thing, made in THINGS]
    passages = [Passage(source=f"{at}", text=text) for at, text in enumerate(texts)]
    found = quotes(question_of("When was the bell of Merrow Hall cast?", PARSE), passages, LetterEmbedder(), PARSE, 4)
    assert [quote.passage.source for quote in found] == ["0", "1"]


def test_a_clause_without_a_subject_names_nothing_else() -> None:
    (whole,) = ask("《青岚纪》的导演", "《青岚纪》于2019年上映。由导演郭远完成。")
    assert whole.text.endswith("由导演郭远完成。")


def test_one_fact_is_quoted_once() -> None:
    found = ask("When was the Alder Academy founded?", ACADEMY, STONE)
    assert [quote.passage.source for quote in found] == ["0.md"]


def test_lists_are_quoted_without_their_marks() -> None:
    text = "The tower has these rooms:\n\n- A library with 12,000 books.\n- A café up there.\n\n1. The hall is open."
    (found,) = ask("What rooms has the tower?", text)
    assert found.text == ("The tower has these rooms: A library with 12,000 books. A café up there. The hall is open.")


def test_a_title_that_a_quote_names_leads_to_the_second_source() -> None:
    film = "# Night Ferry\n\nNight Ferry is a film. It was directed by Ida Karlsen in spring."
    director = "# Ida Karlsen\n\nShe was born in the village of Sund and wrote plays."
    other = "# Tom Reed\n\nHe was born in the village of Holm and wrote plays."
    question = "In which village was the person born who directed the film Night Ferry?"
    found = ask(question, other, film, director, limit=2)
    assert {quote.passage.source for quote in found} == {"1.md", "2.md"}


def test_a_heading_alone_brings_no_other_sentence_and_under_it_a_value_answers_in_other_words() -> None:
    near = LetterEmbedder()  # finds all sentences alike
    answer, asides = "白石书院有340名学生。", (f"这里的第{number}箱装满了旧信件。" for number in range(1, 20))
    passage = Passage(source="a.md", text="\n\n".join(["# 白石书院", answer, *asides]))
    found = quotes(question_of("白石书院有多少名学生？", PARSE), [passage], near, PARSE, 4)
    assert [quote.text for quote in found] == [answer]
    asked = question_of("When was the Alder Academy founded?", PARSE)
    passage = Passage(source="a.md", text="# The Alder Academy\n\nThe opening was held in 1785. It has rooms.")
    assert "1785" in quotes(asked, [passage], near, PARSE, 4)[0].text
    assert quotes(asked, [passage], EMBEDDER, PARSE, 4) == [], "and nothing that is far from it"


def test_what_was_left_out_is_not_quoted_and_of_what_was_quoted_before_only_what_bears_on_it() -> None:
    left_out = frozenset({"The architect was Ida Bry."})
    passage = Passage(source="hall.md", text=HALL, left_out=left_out)
    asked = question_of("How often was Merrow Hall closed for repairs?", PARSE)
    found = quotes(asked, [passage], EMBEDDER, PARSE, 4, ANSWER)
    assert found
    assert not any("Ida Bry" in quote.text for quote in found)
    asked = question_of("In which town is Merrow Hall?", PARSE)
    again = quotes(asked, [passage], EMBEDDER, PARSE, 4, ANSWER, before=found)
    assert again[0].text == "Merrow Hall is a concert hall in the harbour of Lund."


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.text(max_size=200), max_size=4),
    st.text(max_size=40),
    st.sampled_from([Length(stretch=0, room=300), Length(stretch=80, room=200)]),
)
def test_any_text_gives_quotes_that_it_says(texts: list[str], question: str, length: Length) -> None:
    places = [Span(entry_id=EntryId(f"e{at}"), start=0, end=len(text)) for at, text in enumerate(texts)]
    passages = [Passage(source="", text=text, place=place) for text, place in zip(texts, places, strict=True)]
    asked = question_of(question, PARSE)
    found = quotes(asked, passages, EMBEDDER, PARSE, 4, length)
    assert found == quotes(asked, passages, EMBEDDER, PARSE, 4, length)
    assert len(found) <= 4
    for quote in found:
        raw = texts[int(quote.place.entry_id.removeprefix("e"))][quote.place.start : quote.place.end]
        said = "".join(one_form(raw).split())
        assert all(word in said for word in quote.text.split())
    assert sum(width(quote.text) for quote in found[1:]) <= length.room + 4 * len(found)


# -- what a question asks, and which statements answer it: the entity, the kind of value, and every other word ---------


TEXTS: dict[str, str] = TABLES["asked_texts"]
"""By the names that the rows have for them; a row may also give its own."""


@pytest.mark.parametrize(("question", "text", "values"), TABLES["only_a_statement_on_what_is_asked_answers"])
def test_only_a_statement_on_what_is_asked_answers(question: str, text: str, values: list[str]) -> None:
    text = TEXTS.get(text, text)
    found = stated(question_of(question, PARSE), [Passage(source="n1: a.md", text=text)], PARSE)
    assert [shown(one.claim) for one in found] == values
    assert all(shown(one.claim) in text for one in found)


@pytest.mark.parametrize(("question", "text"), TABLES["nothing_is_quoted_that_only_shares_words"])
def test_nothing_is_quoted_that_only_shares_words(question: str, text: str) -> None:
    passage = Passage(source="a.md", text=TEXTS.get(text, text))
    assert quotes(question_of(question, PARSE), [passage], EMBEDDER, PARSE, 4) == []
