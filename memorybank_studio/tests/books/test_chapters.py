from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.errors import InputError
from memorybank_studio.books.chapters import chapters
from memorybank_studio.books.files import book_from_bytes
from tests.tables import tables

TABLES = tables(__file__)

LINES = st.sampled_from(TABLES["lines"])
BOOKS = st.lists(st.tuples(LINES, st.sampled_from(["\n", "\r\n", "\n\n", "\r"])), max_size=40).map(
    lambda lines: "".join(line + end for line, end in lines)
)


def cut(text: str) -> list[tuple[int, str, str]]:
    return [(chapter.number, chapter.title, chapter.text) for chapter in chapters(text)]


def titles(text: str) -> list[tuple[int, str]]:
    return [(chapter.number, chapter.title) for chapter in chapters(text)]


@given(BOOKS | st.text())
def test_every_character_is_in_exactly_one_chapter(text: str) -> None:
    found = chapters(text)
    assert "".join(chapter.text for chapter in found) == text
    assert [chapter.start for chapter in found] == [
        sum(len(before.text) for before in found[:at]) for at in range(len(found))
    ]
    numbers = [chapter.number for chapter in found]
    assert numbers == sorted(set(numbers))
    assert all(chapter.text for chapter in found)


def test_a_volume_goes_with_the_chapter_that_follows() -> None:
    _, *opened = cut("卷一\n第一章 山\n甲。\n卷二\n第二章 雨\n丙。\n")
    assert opened == [(2, "第二章 雨", "卷二\n第二章 雨\n丙。\n")], "a volume's heading opens the chapter that follows"


PROSE = "They went up the hill and came down again before it was dark.\n" * 4
ZH_PROSE = "他们上了山，天黑以前又下来了。\n" * 4


def told(text: str) -> str:
    return text.replace("{prose}", PROSE).replace("{散文}", ZH_PROSE)


@pytest.mark.parametrize("what", TABLES["titled"])
def test_chapters_are_numbered_and_titled(what: str) -> None:
    for text, expected in TABLES["titled"][what]:
        assert titles(told(text)) == list(map(tuple, expected)), text[:80]


@pytest.mark.parametrize("lines", TABLES["numbers_in_a_row_open_chapters"], ids=lambda lines: lines[1])
def test_numbers_in_a_row_open_chapters(lines: list[str]) -> None:
    body = ZH_PROSE if not lines[0].isascii() else PROSE
    text = "".join(f"{line}\n\n{body}\n" for line in lines)
    bare = [line.strip("*") for line in lines]
    assert titles(text) == list(enumerate(bare, start=1))
    contents = "".join(f"{line}\n" for line in lines)
    assert titles(f"{contents}\n{text}")[1:] == list(enumerate(bare, start=1)), "a table of contents at the front"
    with_list = text.replace(body, body + contents + body, 1)
    assert titles(with_list) == list(enumerate(bare, start=1)), "a list inside a chapter"
    after_prologue = f"Prologue\n{body}{text}Epilogue\n{body}"
    assert [number for number, _ in titles(after_prologue)] == list(range(len(lines) + 2))


@pytest.mark.parametrize("text", TABLES["numbers_that_open_no_chapter"], ids=range(10))
def test_numbers_that_open_no_chapter(text: str) -> None:
    assert len(chapters(told(text))) == 1


@pytest.mark.parametrize(
    ("name", "data"), [("a.png", b"\x89PNG"), ("a.txt", b""), ("a.txt", bytes(range(256))), ("a.csv", b"a,b\n1,2\n")]
)
def test_what_is_no_book_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(InputError, match="a\\."):
        book_from_bytes(name, data)


def test_a_text_is_a_book_by_its_name() -> None:
    text = "第一回 山中的人们\r\n他们在山上住了很久。\r\n第二回 水\r\n后来他们走了。\r\n"
    book = book_from_bytes("山.txt", text.encode("gb18030"))
    assert (book.title, [chapter.number for chapter in book.chapters]) == ("山", [1, 2])
    assert "".join(chapter.text for chapter in book.chapters) == text
