"""Words of the story and of each day, and the goals: what counts, what does not, and what is kept."""

from __future__ import annotations

import pytest

from memorybank.errors import InputError
from memorybank_studio.books.files import book_from_bytes
from memorybank_studio.chapters.manuscript import MOST_GOAL, Goals, story_words
from memorybank_studio.counting import words_in
from memorybank_studio.journal.events import GoalsSet
from memorybank_studio.tests.tasks.studio import Studio

BOOK = b"Chapter 1 The Light\n\nHer lamp burned blue.\n\nChapter 2 The Gate\n\nNobody came.\n"
DAY = 86_400.0


def words(studio: Studio) -> list[tuple[int, int, bool]]:
    chapters = story_words(studio.stores, studio.gateway.chapters.all())
    return [(chapter.number, chapter.words, chapter.in_writing) for chapter in chapters]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("Her lamp -- it's blue.", 4),
        ("她说：“走吧。”", 4),
        ("他用 iPhone 15 拍照", 6),
        ("co-op, 3.5", 3),
        ("—… 。", 0),
    ],
)
def test_words_are_counted_as_word_processors_count_them(text: str, count: int) -> None:
    assert words_in(text) == count


def test_a_chapter_in_writing_stands_for_the_archives_and_an_import_is_no_days_work(studio: Studio) -> None:
    gateway = studio.gateway
    for _ in gateway.by_hand.import_book(book_from_bytes("book.txt", BOOK)):
        pass
    assert words(studio) == [(1, 8, False), (2, 6, False)], "with their headings"
    assert gateway.by_hand.written_today() == 0
    chapter = gateway.chapters.begin(2, "The Gate", length=100, outline="They come.")
    assert words(studio) == [(1, 8, False), (2, 0, True)]
    gateway.chapters.write_by_hand(chapter.id, "They came at night.")
    gateway.chapters.write_by_hand(chapter.id, "All of them.")
    assert words(studio) == [(1, 8, False), (2, 7, True)]
    assert gateway.by_hand.written_today() == 7


def test_a_days_words_are_what_the_chapters_grew_by_and_outlive_the_process(studio: Studio) -> None:
    chapter = studio.gateway.chapters.begin(1, "One", length=100, outline="They come.")
    studio.gateway.chapters.write_by_hand(chapter.id, "They came at night.")
    studio.clock.now += DAY
    assert studio.gateway.by_hand.written_today() == 0, "that was yesterday"
    studio.gateway.chapters.edit(chapter.id, 1, "They came at night, and it rained.")
    assert studio.gateway.by_hand.written_today() == 3, "what was there already is not written again"
    studio.gateway.by_hand.set_goals(Goals(story=80_000, day=500))
    reopened = studio.reopened()
    assert (reopened.gateway.by_hand.written_today(), reopened.gateway.by_hand.goals) == (
        3,
        Goals(story=80_000, day=500),
    )
    reopened.gateway.chapters.edit(chapter.id, 1, "They came.")
    assert reopened.gateway.by_hand.written_today() == 0, "never less than nothing"
    reopened.gateway.close()


def test_a_goal_that_is_none_is_refused_and_not_logged(studio: Studio) -> None:
    for goals in (Goals(story=-1), Goals(chapter=MOST_GOAL + 1), Goals(day=-5)):
        with pytest.raises(InputError, match="give a number from 0"):
            studio.gateway.by_hand.set_goals(goals)
    assert not [one for one in studio.gateway._desk.records() if isinstance(one.event, GoalsSet)]
    assert studio.gateway.by_hand.goals == Goals()
