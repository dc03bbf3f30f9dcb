"""A task's turns as numbered sentences: none is lost, each is in one piece, and what the author takes counts."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.llm.tokens import estimate
from memorybank_studio.settlement.numbered import MOST_COUNTED, NumberedSentence, before, numbered, pieces, ranges
from memorybank_studio.types import Turn

TEXTS = st.lists(st.text(st.sampled_from("ab 12。？.!\n、林人“”-"), max_size=80), max_size=8)


def turns_of(texts: Sequence[str]) -> list[Turn]:
    return [
        Turn(number=number, role="author" if number % 2 else "assistant", text=text, at=0.0)
        for number, text in enumerate(texts, start=1)
    ]


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(5, 60))
def test_every_letter_is_in_a_sentence_and_every_sentence_in_one_piece(texts: list[str], window: int) -> None:
    sentences = numbered(turns_of(texts), window)
    told: dict[int, str] = {}
    for sentence in sentences:
        told[sentence.turn] = told.get(sentence.turn, "") + sentence.text
    assert {turn: letters(text) for turn, text in told.items()} == {
        number: letters(text) for number, text in enumerate(texts, start=1) if letters(text)
    }
    assert [sentence.number for sentence in sentences] == list(range(1, len(sentences) + 1))
    cut = list(pieces(sentences, window))
    assert [sentence for piece in cut for sentence in piece] == list(sentences)
    for piece in cut:
        assert sum(sentence.cost for sentence in piece) <= window or len(piece) == 1
        assert sum(sentence.counts for sentence in piece) <= MOST_COUNTED
    assert all(estimate(sentence.text) <= window for sentence in sentences)


def test_what_the_author_takes_of_an_offer_counts_and_the_taking_does_not() -> None:
    offer = "1. Lin sells it. Rao buys it.\n2. Lin breaks it on the ice. She weeps."
    sentences = numbered(turns_of(["What now?", offer, "Let's go with option 2. But she never weeps!"]), 200)
    assert [(one.text, one.turns) for one in sentences if one.counts] == [
        ("What now?", (1,)),
        ("2. Lin breaks it on the ice.", (2, 3)),
        ("She weeps.", (2, 3)),
        ("But she never weeps!", (3,)),
    ]


def test_in_chinese_too() -> None:
    offer = "方案一：林霜卖剑。饶青买下。\n方案二：林霜在冰上折剑。她哭了。"
    sentences = numbered(turns_of(["接下来呢？", offer, "选方案二。但是她没有哭。"]), 200)
    assert [(one.text, one.turns) for one in sentences if one.counts] == [
        ("接下来呢？", (1,)),
        ("方案二：林霜在冰上折剑。", (2, 3)),
        ("她哭了。", (2, 3)),
        ("但是她没有哭。", (3,)),
    ]


def sentence(number: int, words: int) -> NumberedSentence:
    return NumberedSentence(number=number, turn=1, role="author", text="word " * words, turns=(1,), counts=True)


def test_the_sentences_before_are_the_nearest_that_fit() -> None:
    sentences = [sentence(number, 10) for number in range(1, 6)]
    cost = sentences[0].cost
    assert [one.number for one in before(sentences, 4, 2 * cost)] == [2, 3]
    assert before(sentences, 1, 100) == ()


def test_numbers_are_told_in_runs() -> None:
    assert ranges([4, 1, 2, 3, 6, 8, 9]) == "1-4, 6, 8-9"
    assert ranges([]) == ""
