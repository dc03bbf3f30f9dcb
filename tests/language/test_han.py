import re
from pathlib import Path

import pytest

import memorybank
from memorybank.language.text import HAN, UNSPACED, detect_lang, is_han
from memorybank.language.tokens import tokenize
from memorybank_studio.names import Cast

RARE = ("〇", "々", "㐂", "䶮", "丂", "鿏", "\ufa11", "𠮷", "𫍽", "\U000320a0")
"""Zero, the mark that repeats, extension A, the main block to its ends, a compatibility form, extensions B, C, H."""
OTHERS = ("a", "é", "5", "５", "，", "。", "、", "《", "か", "ア", "한", "䷀", "🙂", " ", "\ue000")


@pytest.mark.parametrize("char", RARE)
def test_a_rare_character_is_han_as_a_common_one(char: str) -> None:
    assert is_han(char)
    assert is_han(f"Li {char}")
    assert re.fullmatch(f"[{UNSPACED}]", char)


@pytest.mark.parametrize("char", OTHERS)
def test_other_scripts_marks_and_hexagrams_are_not_han(char: str) -> None:
    assert not is_han(char)
    assert not re.match(f"[{HAN}]", char)


def test_an_empty_text_has_none() -> None:
    assert not is_han("")


def test_readers_of_every_room_take_a_rare_character_as_han() -> None:
    assert detect_lang("𠮷野家𠮷野家 in Tokyo") == "zh"
    assert tokenize("二〇二三") == ["二〇", "〇二", "二三"]
    assert not Cast([("𠮷", "吉")]).names_in("𠮷野家")  # one character alone is no name


def test_the_range_is_written_once() -> None:
    root = Path(memorybank.__file__).parent
    written = re.compile(r"\\u4e00|\\u3400|\\u9fff|[㐀一]-[鿿龥龿]", re.IGNORECASE)
    files = [path.relative_to(root) for path in root.rglob("*.py") if written.search(path.read_text("utf-8"))]
    assert files == [Path("language/text.py")]
