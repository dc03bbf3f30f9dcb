from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.language.text import fold_space
from memorybank_studio.books.chapters import Chapter
from memorybank_studio.books.importing import chunks, passages, width
from memorybank_studio.names import cast_from, cast_of
from memorybank_studio.tests.hub.semantic.made import HOSTILE
from memorybank_studio.types import Entity, EntityKind, Origin, TaskId

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


ORIGIN = Origin(task=TaskId("t1"))


def test_latin_names_stand_between_word_borders() -> None:
    cast = cast_from(["Ann", "Reed", "Ann Reed", "K."])
    assert cast.names_in("Anna and Joann saw Ann's dog; Reeds grow.") == ("Ann",)
    assert cast.names_in("(Ann Reed)") == ("Ann Reed",)
    assert cast.names_in("Ann\r\n  Reed came; ann did not.") == ("Ann Reed",), "a line may break within a name"
    assert cast.names_in("K. came") == ("K.",)
    assert cast_from(["Ann", "Ann Reed"]).names_in("Ann") == ("Ann",)
    assert cast_from(["Ann"]).names_in("林远和Ann走了") == ("Ann",)


def test_aliases_lead_to_their_bearer_and_a_shared_one_to_both() -> None:
    def someone(name: str, *aliases: str) -> Entity:
        return Entity(kind=EntityKind.CHARACTER, name=name, aliases=aliases, origin=ORIGIN)

    cast = cast_of([someone("林远", "阿远", "师兄"), someone("苏青", "师兄", "青")])
    assert cast.names_in("阿远来了") == ("林远",)
    assert cast.names_in("师兄来了") == ("林远", "苏青")
    assert cast.names_in("青山") == (), "a single Han character stands in every other word"


def test_hostile_names_are_names() -> None:
    for name in HOSTILE[:-1]:
        assert cast_from([name, "旁人"]).names_in(f"旁人，{name}，") == ("旁人", name)
    assert len(cast_from(HOSTILE[-1:])) == 0, "thousands of characters are no name"


@given(st.lists(st.text("ab 王夫人", max_size=4), max_size=8), st.text("ab 王夫人\n", max_size=40))
def test_what_is_found_stands_there(names: list[str], text: str) -> None:
    cast = cast_from(names)
    found = cast.mentions(text)
    for mention in found:
        assert fold_space(text[mention.start : mention.end]) in map(fold_space, mention.names)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert cast.names_in(text) == tuple(dict.fromkeys(name for mention in found for name in mention.names))
