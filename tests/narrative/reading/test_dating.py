"""The chapter of each statement, and chapters in all their spellings."""

from __future__ import annotations

import pytest

from memorybank.language.numerals import whole
from memorybank.memory.types import Lang
from memorybank.narrative.reading.dating import first_chapter_named
from tests.narrative.reading.extracting import EN, ZH, Row, table

CARDS = {"en": EN, "zh": ZH}


@pytest.mark.parametrize(
    ("text", "chapter"),
    [
        ("in chapter 1200 he fell", 1200),
        ("in chapter 12,000 he fell", 12_000),
        ("chapter twelve", 12),
        ("Chapter Twenty-One", 21),
        ("chapter one thousand two hundred and three", 1203),
        ("ch. 12", 12),
        ("Chapter XIV", 14),
        ("the chapter I wrote", None),
        ("chapter and verse", None),
        ("第一百二十一章", 121),
        ("第1200章", 1200),
        ("第一千二百章", 1200),
        ("第１２章", 12),
        ("第三万零五回", 30_005),
        ("第一二〇回", 120),
        ("一章", None),
    ],
)
def test_a_chapter_is_read_however_it_is_written(text: str, chapter: int | None) -> None:
    assert first_chapter_named(text) == chapter


def test_whole_numbers_go_up_to_a_million() -> None:
    assert whole("九十九万九千九百九十九") == 999_999
    assert whole("1000000") is None
    assert whole("nine hundred and ninety-nine thousand") == 999_000
    assert whole("lantern") is None


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        (
            "en",
            "Settled: In chapter 5 Odo gave the Copper Horn to Fenn. In chapter 6 Fenn died. Odo is dead.",
            {("Fenn", "OWNS", "Copper Horn", 5), ("Fenn", "HAS_STATUS", "dead", 6), ("Odo", "HAS_STATUS", "dead", 6)},
        ),
        (
            "en",
            "Odo died.\n\nIn chapter 7 Fenn died.",
            {("Odo", "HAS_STATUS", "dead", 0), ("Fenn", "HAS_STATUS", "dead", 7)},
        ),
        (
            "en",
            "Settled: Odo died in chapter 9, and in chapter 4 Fenn moved to Ashford.",
            {("Odo", "HAS_STATUS", "dead", 9), ("Fenn", "LOCATED_IN", "Ashford", 4)},
        ),
        (
            "en",
            "Settled: Odo died in chapter 4.\nSettled: Fenn owns the Copper Horn.",
            {("Odo", "HAS_STATUS", "dead", 4), ("Fenn", "OWNS", "Copper Horn", 0)},
        ),
        (
            "zh",
            "第五章，苏芷加入了听雨楼。第六章，韩柏搬到了落霞镇。第８章，冯远死了。",
            {("苏芷", "MEMBER_OF", "听雨楼", 5), ("韩柏", "LOCATED_IN", "落霞镇", 6), ("冯远", "HAS_STATUS", "死", 8)},
        ),
    ],
)
def test_each_sentence_has_its_own_chapter(lang: Lang, text: str, expected: set[Row]) -> None:
    assert table(CARDS[lang], text, lang=lang).ticked == expected
