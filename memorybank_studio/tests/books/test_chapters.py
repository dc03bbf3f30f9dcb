from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.errors import InputError
from memorybank_studio.books.chapters import chapters
from memorybank_studio.books.files import book_from_bytes
from tests.tables import tables

TABLES = tables(__file__)

LINES = st.sampled_from(
    [
        "第一回 山",
        "第二回 水",
        "第三章 雨",
        "第十回",
        "卷一",
        "卷二 风",
        "楔子",
        "尾声",
        "Chapter 1",
        "CHAPTER II. Rain",
        "# Title",
        "## Part",
        "I",
        "II",
        "1. Rain",
        "2、雪",
        "一、山",
        "二",
        "chapter one",
        "**Chapter 3**",
        "他走了。",
        "It rained.",
        "",
        "  ",
        "\u3000\u3000山高水长，人来人往。",
    ]
)
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


def test_chapters_with_their_own_numbers() -> None:
    assert cut("第一回 山\n甲。\n第二回 水\n乙。\n") == [
        (1, "第一回 山", "第一回 山\n甲。\n"),
        (2, "第二回 水", "第二回 水\n乙。\n"),
    ]
    assert [number for number, *_ in cut("第101章 a\n甲\n第一百零三章 b\n乙\n")] == [101, 103]


PROSE = "They went up the hill and came down again before it was dark.\n" * 4
ZH_PROSE = "他们上了山，天黑以前又下来了。\n" * 4
CONTENTS = "目录\n第一回 山......1\n第二回 水......9\n第三回 雨......17\n"
BODY = "第一回 山\n甲。\n第二回 水\n乙。\n第三回 雨\n丙。\n"
IN_BODY = [(0, "目录"), (1, "第一回 山"), (2, "第二回 水"), (3, "第三回 雨")]
TITLED: dict[str, list[tuple[str, list[tuple[int, str]]]]] = {
    "what comes before the first chapter is chapter 0": [
        ("《山中书》\n某人著\n\n第一回 山\n甲。\n", [(0, "《山中书》"), (1, "第一回 山")]),
        ("\n \n第一回 山\n甲。", [(1, "第一回 山")]),
        ("山中书\n楔子\n很久以前。\n第一回 山\n甲。", [(0, "楔子"), (1, "第一回 山")]),
        ("# Hills\n\n## Prologue\n\nLong ago.\n\n## Chapter 1\n\nRain.\n", [(0, "Prologue"), (1, "Chapter 1")]),
    ],
    "a table of contents opens no chapter": [
        (CONTENTS + BODY, IN_BODY),
        (CONTENTS + "这是序言，说说写书的缘起。\n" + BODY, IN_BODY),
        (
            "CHAPTER I. Rain\nCHAPTER II. Snow\n\n\nCHAPTER I. Rain\n\nIt rained.\n\nCHAPTER II. Snow\n\nIt snowed.\n",
            [(0, "CHAPTER I. Rain"), (1, "CHAPTER I. Rain"), (2, "CHAPTER II. Snow")],
        ),
    ],
    "a repeated heading opens no chapter": [
        (
            "第三回  山高　水长\n甲。\n    第三回山高水长——\n乙。\n第四回 雨\n丙。\n第四回\n丁。\n",
            [(3, "第三回 山高 水长"), (4, "第四回 雨")],
        )
    ],
    "a slip in the numbers loses no chapter": [
        (
            "第一章 山\n甲。\n第二章 水\n乙。\n第二章 雨\n丙。\n第四章 雪\n丁。\n",
            [(1, "第一章 山"), (2, "第二章 水"), (3, "第二章 雨"), (4, "第四章 雪")],
        )
    ],
    "what comes after the last chapter goes on counting": [
        (
            "第九章 山\n甲。\n番外 旧事\n乙。\n第十章 水\n丙。\n尾声\n丁。\n后记\n戊。\n",
            [(9, "第九章 山"), (10, "第十章 水"), (11, "尾声"), (12, "后记")],
        )
    ],
    "sections, volumes and Markdown where there are no chapters": [
        ("卷一\n甲。\n卷二\n乙。\n", [(1, "卷一"), (2, "卷二")]),
        ("卷一\n卷二\n乙。\n", [(1, "卷一"), (2, "卷二")]),
        ("卷一\n第一节 山\n甲。\n第二节 水\n乙。", [(1, "第一节 山"), (2, "第二节 水")]),
        ("第一章 a\n第一节 b\n甲。\n第二节 c\n乙。", [(1, "第一章 a")]),
        ("# Hills\n\n## Rain\n\nText.\n\n## Snow\n\nText.\n", [(0, "Hills"), (1, "Rain"), (2, "Snow")]),
    ],
    "a book without headings is one chapter": [("", []), ("It rained.\nIt snowed.\n", [(1, "It rained.")])],
    "the title may stand on the next line": [
        ("CHAPTER I\n\nDown the Hill\n\nIt rained.\n", [(1, "CHAPTER I Down the Hill")]),
        (f"☆、雨\n{ZH_PROSE}\n☆、狐\n{ZH_PROSE}", [(1, "雨"), (2, "狐")]),
        ("CHAPTER I\n\nIt rained all day.\n\nThen not.", [(1, "CHAPTER I")]),
        ("Chapter 1\nRain\n\nChapter 2\nSnow", [(1, "Chapter 1"), (2, "Chapter 2")]),
    ],
    "numbers beside real headings are text": [
        (
            "".join(f"Chapter {n}\n\n{PROSE}1. Salt\n{PROSE}2. Bread\n{PROSE}" for n in (1, 2)),
            [(1, "Chapter 1"), (2, "Chapter 2")],
        ),
        (f"第廿九回 雨\n{ZH_PROSE}第卅回 雪\n{ZH_PROSE}", [(29, "第廿九回 雨"), (30, "第卅回 雪")]),
        (f"# The Hills\n\n1. Rain\n{PROSE}2. Snow\n{PROSE}", [(0, "The Hills"), (1, "1. Rain"), (2, "2. Snow")]),
    ],
}


@pytest.mark.parametrize("what", TITLED)
def test_chapters_are_numbered_and_titled(what: str) -> None:
    for text, expected in TITLED[what]:
        assert titles(text) == expected, text[:80]


def test_a_table_of_contents_of_volumes() -> None:
    contents = "卷一\n第一章 山\n第二章 水\n卷二\n第一章 雨\n第二章 雪\n\n"
    body = "卷一\n第一章 山\n甲。\n第二章 水\n乙。\n卷二\n第一章 雨\n丙。\n第二章 雪\n丁。\n"
    assert titles(contents + body) == [
        (0, "卷一"),
        (1, "第一章 山"),
        (2, "第二章 水"),
        (3, "第一章 雨"),
        (4, "第二章 雪"),
    ]
    opened = chapters(contents + body)[3].text
    assert opened == "卷二\n第一章 雨\n丙。\n", "the volume's heading opens the chapter that follows"


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


@pytest.mark.parametrize(
    "text",
    [
        PROSE * 4 + "He wrote a list:\n1. Salt\n2. Bread\n3. Oil\n" + PROSE,
        PROSE * 4 + "He wrote a list:\n1. Salt\nIt was out.\n2. Bread\nIt was old.\n" + PROSE,
        "1. Salt\nIt was out.\n2. Bread\nIt was old.\n" + PROSE * 4,
        ZH_PROSE * 4 + "他写道：\n一、盐\n二、米\n三、油\n" + ZH_PROSE,
        PROSE + "“Who is there?”\nI\n" + PROSE,
        PROSE + "I\n" + PROSE + "III\n" + PROSE,
        PROSE + "II\n" + PROSE + "III\n" + PROSE,
        PROSE + "1. He went up the hill.\n" + PROSE + "2. He came down.\n" + PROSE,
        "the book says in\nchapter 12\nthat it rained\n" + PROSE,
        ZH_PROSE + "一\n" + ZH_PROSE,
    ],
    ids=range(10),
)
def test_numbers_that_open_no_chapter(text: str) -> None:
    assert len(chapters(text)) == 1


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
