"""Chapters in all their spellings."""

from __future__ import annotations

import pytest

from memorybank_studio.counting import chapter_number
from memorybank_studio.reading.mentions import first_chapter_named


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
    assert chapter_number("九十九万九千九百九十九") == 999_999
    assert chapter_number("1000000") is None
    assert chapter_number("nine hundred and ninety-nine thousand") == 999_000
    assert chapter_number("lantern") is None
