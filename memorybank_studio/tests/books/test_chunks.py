from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank_studio.books.chapters import Chapter
from memorybank_studio.books.importing import chunks, passages, width
from memorybank_studio.names import cast_from

SENTENCE = "他沿着山路慢慢地走了下去，一路上没有遇见一个人。"
LATIN = "He went down the hill slowly and met nobody on the way. "


def cut(text: str) -> list[str]:
    return [text[piece.start : piece.end] for piece in passages(text)]


@settings(deadline=None)  # a busy machine has nothing to do with it
@given(
    st.lists(
        st.sampled_from([SENTENCE, LATIN, "\n", "\r\n\r\n", "山" * 700, "word " * 500, "x" * 2_000, "……”", " "])
    ).map("".join)
    | st.text()
)
def test_every_character_is_in_exactly_one_passage(text: str) -> None:
    pieces = cut(text)
    assert "".join(pieces) == text
    assert all(pieces)
    assert all(width(piece) <= 1_900 for piece in pieces)


def test_about_400_chinese_or_1200_latin_characters() -> None:
    chinese = [len(piece) for piece in cut(SENTENCE * 300)]
    latin = [len(piece) for piece in cut(LATIN * 300)]
    assert 350 <= min(chinese[:-1]) <= max(chinese) <= 500
    assert 1_150 <= min(latin[:-1]) <= max(latin) <= 1_500


def test_sentences_stay_whole_and_paragraphs_where_they_can() -> None:
    paragraph = SENTENCE * 13 + "\n"
    assert cut(paragraph * 3) == [paragraph] * 3
    assert all(piece.endswith("。") for piece in cut(SENTENCE * 300))


def test_a_long_sentence_is_cut_at_its_pauses() -> None:
    assert all(piece.endswith("，") for piece in cut("山高水长，" * 500)[:-1])
    assert [len(piece) for piece in cut("山" * 1_000)] == [400, 400, 200]


def test_a_short_rest_goes_with_the_passage_before_it() -> None:
    assert len(cut(SENTENCE * 17 + "\n他走了。")) == 1


def test_chunks_know_their_chapter_place_and_entities() -> None:
    chapter = Chapter(number=4, title="第四回", start=99, text="林远上山。" * 90 + "\n" + "苏青与阿林。" * 90)
    made = chunks(chapter, cast_from({"林远": "林远", "苏青": "苏青", "阿林": "林远"}))
    assert [chunk.place for chunk in made] == list(range(len(made)))
    assert all(chapter.text[chunk.start : chunk.end] == chunk.text for chunk in made)
    assert {(chunk.chapter_id, chunk.chapter_title) for chunk in made} == {(4, "第四回")}
    assert made[0].entity_list == ("林远",)
    assert made[-1].entity_list == ("苏青", "林远")


@pytest.mark.parametrize("text", ["山" * 1_000_000, "a" * 1_000_000, "，" * 1_000_000, "\n" * 1_000_000])
def test_a_million_characters_without_a_sentence_take_seconds(text: str) -> None:
    began = time.process_time()
    assert "".join(cut(text)) == text
    assert time.process_time() - began < 20
