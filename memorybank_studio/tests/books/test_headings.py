from __future__ import annotations

import pytest

from memorybank_studio.books.headings import Rank, english_number, headings
from tests.tables import tables

TABLES = tables(__file__)

CHAPTERS = TABLES["chapters"]
SENTENCES = TABLES["sentences"]


@pytest.mark.parametrize(("line", "number", "name"), CHAPTERS, ids=[line for line, *_ in CHAPTERS])
def test_a_chapters_heading(line: str, number: int, name: str) -> None:
    [found] = headings(f"text\n\n{line}\r\n\ntext")
    assert (found.rank, found.number, found.name) == (Rank.CHAPTER, number, name)


@pytest.mark.parametrize("line", SENTENCES)
def test_a_sentence_is_no_heading(line: str) -> None:
    assert headings(f"text\n\n{line}\n\ntext") == []


@pytest.mark.parametrize(("line", "rank", "number"), TABLES["other_parts"])
def test_other_parts(line: str, rank: str, number: int | None) -> None:
    [found] = headings(f"{line}\n")
    assert (found.rank, found.number) == (rank, number)


def test_english_numbers() -> None:
    read = {word: english_number(word) for word in ("XLIX", "iv", "ninety nine", "Seven", "IIII", "mice", "", "12")}
    hundreds = ("one hundred", "one hundred and one", "Two Hundred Thirty-Four", "one two", "hundred")
    assert [english_number(word) for word in hundreds] == [100, 101, 234, None, None]
    assert read == {"XLIX": 49, "iv": 4, "ninety nine": 99, "Seven": 7, "IIII": None, "mice": None, "": None, "12": 12}
