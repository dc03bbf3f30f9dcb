"""Runs of the same words in an earlier piece are found, whole and once; a turn of speech is none."""

from __future__ import annotations

from memorybank_studio.chapters.manuscript import Piece
from memorybank_studio.chapters.marks import repeated

EARLIER = [
    Piece(number=1, text="The light went out over the water to the houses, and came back again. She waited."),
    Piece(number=2, text="灯光越过水面，扫到那些人家，然后它又扫了回来。她等着，像等一个死结松开。"),
]


def test_a_sentence_said_again_is_found_with_its_piece_whatever_its_case_and_marks() -> None:
    text = "Once more: THE LIGHT went out over the water, to the houses and came back. Nothing else."
    (run,) = repeated(text, EARLIER)
    assert (run.words, run.of) == ("THE LIGHT went out over the water, to the houses and came back", 1)
    assert text[run.start : run.end] == run.words


def test_chinese_is_compared_by_characters() -> None:
    (run,) = repeated("夜深了。灯光越过水面，扫到那些人家，又不见了。", EARLIER)
    assert (run.words, run.of) == ("灯光越过水面，扫到那些人家", 2)


def test_a_few_words_in_common_are_no_repetition() -> None:
    assert list(repeated("She waited. The light went out over the hill. 她等着，像等一个人。", EARLIER)) == []
    assert list(repeated("", EARLIER)) == []
    assert list(repeated("The light went out over the water to the houses", [])) == []
