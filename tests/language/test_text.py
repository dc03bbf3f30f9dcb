from __future__ import annotations

import re
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memorybank
from memorybank.language.text import (
    HAN,
    NEGATION_RE,
    SHORT,
    TURN_RE,
    UNSPACED,
    blocks,
    cjk_share,
    detect_lang,
    fold_space,
    form_and_places,
    is_han,
    is_known_language,
    one_form,
    one_line,
    remembered,
    sentences,
)
from memorybank.language.tokens import tokenize
from memorybank_studio.names import Cast
from tests.tables import tables

TABLES = tables(__file__)

any_text = st.text(alphabet=st.characters(codec="utf-8"), max_size=300)
rough_text = st.text(alphabet=' \n\t.。!?…"”)#|-`1aA中文;:=', max_size=300)


@pytest.mark.parametrize(("text", "expected"), TABLES["sentences"])
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[start:end].strip() for start, end in sentences(text)] == expected


def test_a_wrapped_line_goes_on() -> None:
    wrapped = "The quick brown fox jumped over the lazy dog again and\nagain until the sun had set.\nShort line"
    assert len(sentences(wrapped)) == 2
    assert len(sentences("Caroline: I went to the support group yesterday evening\nMelanie: How was it?")) == 2


@given(st.one_of(any_text, rough_text))
def test_pieces_joined_are_the_text(text: str) -> None:
    for pieces in (sentences(text), blocks(text)):
        assert "".join(text[piece.start : piece.end] for piece in pieces) == text
        assert all(left.end == right.start for left, right in pairwise(pieces))
        assert all(piece.end > piece.start for piece in pieces)
    assert all(text[piece.start : piece.end].strip() for piece in sentences(text)) or not text.strip()


DOCUMENT = TABLES["document"]


def test_blocks_by_kind() -> None:
    found = [(block.kind, DOCUMENT[block.start : block.end].strip().splitlines()[0]) for block in blocks(DOCUMENT)]
    assert found == list(map(tuple, TABLES["blocks_by_kind"]))


def test_blocks_of_other_shapes() -> None:
    assert [block.kind for block in blocks("第一回 甄士隐梦幻识通灵\n\n    此开卷第一回也。\n")] == ["heading", "prose"]
    assert [block.kind for block in blocks("Intro\n=====\nText.\n")] == ["heading", "prose"]
    assert [block.kind for block in blocks("name\tage\tcity\nAnn\t30\tRome\n")] == ["table"]
    poem = "roses\n\nviolets\n\nsugar\n\nyou\n"
    assert {block.kind for block in blocks(poem)} == {"prose"}, "lines of a poem are no headings"
    unclosed = "One.\n```\nTwo.\n\nThree.\n"
    assert len(blocks(unclosed)) > 1, "a fence that never closes swallows nothing"


@pytest.mark.parametrize(
    "unit", [".", " ", "\n", "-", "|", "(a)", "（。", "a.)", "a\n", "``` \n", "A. ", "| a |\n", "\t", "“a", "1.", "…"]
)
def test_linear_on_degenerate_text(unit: str) -> None:
    text = unit * (100_000 // len(unit)) + "x"
    started = time.process_time()
    sentences(text)
    blocks(text)
    TURN_RE.match(text)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(("text", "form"), TABLES["one_form"])
def test_one_form(text: str, form: str) -> None:
    assert one_form(text) == form == one_form(form)
    found, places = form_and_places(text)
    assert (found, len(places), places[-1]) == (form, len(form) + 1, len(text))
    assert list(places) == sorted(places)
    for char, place in zip(form, places, strict=False):
        assert char in one_form(text[place]) or char == text[place]


def test_every_radical_has_a_character() -> None:
    """But the two that Unicode gives none: U+2E80 and the unassigned U+2E9A."""
    blocks_of_radicals = map(chr, [*range(0x2E80, 0x2EF4), *range(0x2F00, 0x2FD6)])
    assert [char for char in blocks_of_radicals if one_form(char) == char] == ["\u2e80", "\u2e9a"]


def test_language_and_space() -> None:
    assert detect_lang("The Willow chip") == "en"
    assert detect_lang("谷歌的Willow芯片有105个量子比特") == "zh"
    assert detect_lang("") == "en"
    assert cjk_share("中文 two words") == 0.5
    assert cjk_share("123 …") == 0.0
    assert fold_space("  a\n b　c\u00ad ") == "a b c"
    assert one_line("  a\n b　c\u00ad ") == "a b c\u00ad"


@pytest.mark.parametrize(
    ("text", "known"), TABLES["a_text_in_another_language_than_english_and_chinese_is_known_as_such"]
)
def test_a_text_in_another_language_than_english_and_chinese_is_known_as_such(text: str, known: bool) -> None:
    assert is_known_language(text) is known


def test_a_short_text_is_read_once_and_a_long_one_is_not_kept() -> None:
    read: list[str] = []

    @remembered
    def length(text: str) -> int:
        read.append(text)
        return len(text)

    sentence, book = "It was built in 1912.", "x" * (SHORT + 1)
    assert [length(sentence), length(sentence), length(book), length(book)] == [21, 21, SHORT + 1, SHORT + 1]
    assert read == [sentence, book, book]


DENIED = TABLES["denied"]
PARTS = TABLES["parts"]


@pytest.mark.parametrize("text", [*DENIED, *PARTS])
def test_a_denial_is_seen_and_a_part_of_another_word_denies_nothing(text: str) -> None:
    assert (NEGATION_RE.search(text) is not None) == (text in DENIED)


# -- Han characters: written once, and the same for every reader -----------------------------------------------------

RARE = ("〇", "々", "㐂", "䶮", "丂", "鿏", "\ufa11", "𠮷", "𫍽", "\U000320a0")
"""Zero, the mark that repeats, extension A, the main block to its ends, a compatibility form, extensions B, C, H."""
OTHERS = ("a", "é", "5", "５", "，", "。", "、", "《", "か", "ア", "한", "䷀", "🙂", " ", "\ue000", "")


@pytest.mark.parametrize("char", [*RARE, *OTHERS])
def test_a_rare_character_is_han_and_other_scripts_marks_and_hexagrams_are_not(char: str) -> None:
    assert is_han(char) == is_han(f"Li {char}") == (char in RARE)
    assert bool(re.match(f"[{HAN}]", char)) == (char in RARE)
    assert bool(re.match(f"[{UNSPACED}]", char)) == (char in (*RARE, "か", "ア", "한"))


def test_readers_of_every_room_take_a_rare_character_as_han() -> None:
    assert detect_lang("𠮷野家𠮷野家 in Tokyo") == "zh"
    assert tokenize("二〇二三") == ["二〇", "〇二", "二三"]
    assert not Cast([("𠮷", "吉")]).names_in("𠮷野家")  # one character alone is no name


def test_the_range_is_written_once() -> None:
    root = Path(memorybank.__file__).parent
    written = re.compile(r"\\u4e00|\\u3400|\\u9fff|[㐀一]-[鿿龥龿]", re.IGNORECASE)
    files = [path.relative_to(root) for path in root.rglob("*.py") if written.search(path.read_text("utf-8"))]
    assert files == [Path("language/text.py")]
