"""A story goes out and comes back: the same chapters, whatever their texts and titles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memorybank_studio.books.chapters import Chapter, chapters
from memorybank_studio.books.docx_writing import story_docx, story_epub
from memorybank_studio.books.files import PackedLimits, marked_chapters
from memorybank_studio.books.packed.blocks import Reading
from memorybank_studio.books.packed.worker import answer
from memorybank_studio.books.story import BookLanguage, Edition, markdown_blocks, story_chapters, story_markdown
from tests.tables import tables

TABLES = tables(__file__)

AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
LIMITS = asdict(PackedLimits())

WRITERS: dict[str, Callable[[Edition], bytes]] = {
    "docx": story_docx,
    "epub": story_epub,
    "md": lambda story: story_markdown(story).encode(),
}

HOSTILE: list[str] = TABLES["hostile"]
LINES = st.sampled_from(HOSTILE) | st.text(max_size=40)
TITLES = st.sampled_from(["第一回 山", "Chapter 2: Rain", "Rain", "", "楔子", *HOSTILE]) | st.text(max_size=100)
TEXTS = st.lists(LINES, max_size=6).map("\n".join)
STORIES = st.dictionaries(st.integers(0, 99_999), st.tuples(TITLES, TEXTS), min_size=1, max_size=4)


def story_of(texts: dict[int, tuple[str, str]], language: BookLanguage = "zh-Hans", title: str = "山中书") -> Edition:
    return Edition(title=title, author="某人 <b>", language=language, chapters=story_chapters(texts, language), at=AT)


def back(kind: str, data: bytes) -> tuple[Chapter, ...]:
    """Read as `book_from_bytes` does, but in this process."""
    if kind == "md":
        reading = markdown_blocks(data.decode())
        assert reading is not None
    else:
        reading = Reading.from_json(answer(kind, data, LIMITS))
    assert reading.title == "山中书"
    return marked_chapters(reading.blocks, title=reading.title)


def texts_of(book: Sequence[Chapter]) -> dict[int, tuple[str, str]]:
    return {chapter.number: (chapter.title, chapter.text) for chapter in book}


@pytest.mark.parametrize("kind", WRITERS)
@settings(max_examples=20, deadline=None)
@given(STORIES)
@example({0: ("第一回 山", ""), 1: ("IV", "卷二 风\nIV")})  # the first stands in no part, the second in one
def test_any_story_comes_back_chapter_by_chapter(kind: str, texts: dict[int, tuple[str, str]]) -> None:
    story = story_of(texts)
    book = back(kind, WRITERS[kind](story))
    assert story_chapters(texts_of(book), "zh-Hans") == story.chapters
    second = back(kind, WRITERS[kind](story_of(texts_of(book))))
    assert second == book, "what was imported once is not changed by going out and in again"


CHINESE = (
    "\ufeff《山中书》\r\n某人著\r\n\r\n卷一　风\r\n\r\n第一回　山中\r\n\r\n"
    "　　林远上山，苏青下山。\r\n　　夜里下了雨。\r\n\r\n第二回　水上\r\n　　没有人来。\r\n　　＊＊＊\r\n"
    "　　天亮了。\r\n卷二 雪\r\n第三回\r\n　　雪。\r\n"
)
WRAPPED = (
    "CHAPTER I\n\nThe Bridge\n\n"
    "It was late in the year, and the river stood\nhigher than anybody in the village could\n"
    "remember; the bridge was gone.\n\n“Who goes there?”\n\n"
    "CHAPTER II. Rain\n\nIt rained for as long as the moon took to\ncome round, and Mara did not leave the\nhouse.\n"
)


def test_paragraphs_are_the_lines_or_what_was_wrapped() -> None:
    first, second = story_chapters(texts_of(chapters(WRAPPED)), "en")
    assert first.heading == "CHAPTER I The Bridge"
    assert first.paragraphs == (
        "It was late in the year, and the river stood higher than anybody in the village could remember; "
        "the bridge was gone.",
        "“Who goes there?”",
    )
    assert second.heading == "CHAPTER II. Rain"
    front, one, two, three = story_chapters(texts_of(chapters(CHINESE)), "zh-Hans")
    assert (front.heading, front.paragraphs) == ("《山中书》", ("某人著",))
    assert (one.above, one.heading, one.paragraphs) == (
        ("卷一 风",),
        "第一回 山中",
        ("林远上山，苏青下山。", "夜里下了雨。"),
    )
    assert two.paragraphs == ("没有人来。", "＊＊＊", "天亮了。")
    assert (three.above, three.heading, three.paragraphs) == (("卷二 雪",), "第三回", ("雪。",))
