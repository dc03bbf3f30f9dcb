"""Of a long text the sentences that bear on a question stay, word for word and in their order."""

from __future__ import annotations

import pytest

from memorybank.prompts.excerpts import excerpt

HARBOUR = (
    "The old harbour of Vellmouth was dug in 1790. Its quays were built of granite from the Toll quarry. "
    "Fishing boats used it until the railway came. The lighthouse on the mole is 31 metres tall. "
    "A fire destroyed the customs house in 1904. Today a market is held there on Saturdays."
)
PORT_ZH = (
    "维尔茅斯旧港开凿于1790年。码头用托尔采石场的花岗岩砌成。铁路通车以前渔船一直在此停靠。"
    "防波堤上的灯塔高31米。1904年一场大火烧毁了海关大楼。如今每逢周六这里有集市。"
)


@pytest.mark.parametrize(
    ("text", "question", "first", "answer"),
    [
        (HARBOUR, "How tall is the lighthouse?", "dug in 1790", "31 metres tall"),
        (HARBOUR, "When did the customs house burn?", "dug in 1790", "in 1904"),
        (PORT_ZH, "灯塔有多高？", "开凿于1790年", "高31米"),
        (PORT_ZH, "海关大楼是哪一年烧毁的？", "开凿于1790年", "1904年一场大火"),
    ],
)
def test_what_answers_stays_with_the_sentence_that_names_the_subject(
    text: str, question: str, first: str, answer: str
) -> None:
    short = excerpt(text, question, len(text) * 4 // 9, len)
    assert first in short.text
    assert answer in short.text
    assert len(short.text) < 0.6 * len(text)
    for part in short.text.split("…"):
        assert part.strip() in text, "word for word"
    assert 0 < short.left_out < 5


def test_a_text_that_fits_is_left_as_it_is() -> None:
    assert excerpt(HARBOUR, "anything", 10_000, len) == (HARBOUR, 0)


def test_a_single_sentence_that_is_too_long_is_cut() -> None:
    short = excerpt("granite " * 200, "granite", 80, len)
    assert len(short.text) <= 82
    assert short.left_out == 1


def test_without_a_shared_word_the_text_is_cut_at_its_end() -> None:
    short = excerpt(HARBOUR, "Quantum processors", 160, len)
    assert HARBOUR.startswith(short.text.removesuffix("…").rstrip()[:90])
    assert short.left_out > 0
