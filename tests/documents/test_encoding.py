"""What encoding a file is in: told with certainty, or refused."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.documents import decode
from memorybank.documents.encoding import decode_page, loss
from memorybank.errors import InputError

CHINESE = "量子计算机利用叠加态和纠缠来进行计算，IBM 在 2023 年发布了 1121 个量子比特的处理器。\r\n第二行。"
ENGLISH = "The café’s owner said “hello” — and left.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "utf-8"),
        (CHINESE, "utf-8-sig"),
        (CHINESE, "utf-16"),
        (CHINESE, "utf-32"),
        (CHINESE, "gbk"),
        (CHINESE, "gb18030"),
        ("你好，世界", "gbk"),
        ("张三在北京。", "gb2312"),
        (ENGLISH, "utf-8"),
        (ENGLISH, "utf-16"),
        ("plain ASCII\ttext\r\n", "ascii"),
        ("مرحبا بالعالم", "utf-8"),
        ("", "utf-8"),
    ],
)
def test_text_comes_back_as_it_was(text: str, encoding: str) -> None:
    assert decode("a.txt", text.encode(encoding)) == text


def test_marked_utf_16_of_either_order_is_read() -> None:
    assert decode("a.txt", codecs.BOM_UTF16_BE + CHINESE.encode("utf-16-be")) == CHINESE


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (ENGLISH, "cp1252"),
        ("Größe und Länge der Straße", "latin-1"),
        ("Квантовый компьютер использует суперпозицию.", "cp1251"),
        ("Квантовый компьютер", "koi8-r"),
        ("안녕하세요. 오늘 날씨가 아주 좋습니다.", "euc-kr"),
        ("量子コンピュータは重ね合わせを利用する。", "shift_jis"),
        ("量子コンピュータは重ね合わせを利用する。", "euc-jp"),
        ("量子計算機利用疊加態進行計算。", "big5"),
    ],
)
def test_other_encodings_are_refused_with_the_remedy(text: str, encoding: str) -> None:
    with pytest.raises(InputError, match=r"^notes\.txt: its encoding cannot be told .*: save it as UTF-8$"):
        decode("notes.txt", text.encode(encoding))


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        (CHINESE.encode("gbk").replace("利用".encode("gbk"), b"\xff" + "利用".encode("gbk")), "\ufffd利用叠加态"),
        (CHINESE.encode("gbk")[:-1], "第二行"),
        (CHINESE.encode()[:-1], "第二行"),
        (CHINESE.encode().replace("利用".encode(), b"\x80" + "利用".encode()), "\ufffd利用叠加态"),
    ],
)
def test_a_bad_byte_is_named_and_costs_no_more_than_itself(data: bytes, kept: str) -> None:
    text = decode("notes.txt", data)
    assert kept in text
    assert abs(len(text) - len(CHINESE)) <= 1
    assert str(loss("notes.txt", text)).startswith("notes.txt: 1 ")
    assert loss("notes.txt", CHINESE) is None


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01\x00\x00",
        bytes(range(256)),
        b"PK\x03\x04\x14\x00",
        b"\x89PNG\r\n\x1a\n\x00",
        b"\x01\x02\x03ab" * 9,
    ],
)
def test_binary_files_are_refused(data: bytes) -> None:
    with pytest.raises(InputError, match=r"a binary file|encoding cannot be told"):
        decode("x.md", data)


def test_a_wrong_mark_is_named() -> None:
    with pytest.raises(InputError, match=r"marked as utf-8 but is not \(byte 5\)"):
        decode("x.md", codecs.BOM_UTF8 + b"ab\xff")


@given(st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\ufeff")))
def test_any_utf_8_text_is_read_exactly(text: str) -> None:
    assert decode("x.txt", text.encode()) == text


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        text = decode("x.txt", data)
    except InputError:
        return
    assert "\x00" not in text or data.startswith((b"\xff\xfe", b"\xfe\xff"))


def test_a_page_may_say_its_encoding() -> None:
    def page(text: str, encoding: str, label: str) -> bytes:
        return f'<html><head><meta charset="{label}"></head><p>{text}</p>'.encode(encoding)

    assert "Größe" in decode_page("x.html", page("Größe", "cp1252", "iso-8859-1"))
    assert "雷公藤" in decode_page("x.html", page("雷公藤", "gbk", "gb2312"))
    assert "疊加態" in decode_page("x.html", page("疊加態", "big5", "big5"))
    assert "量子" in decode_page("x.html", page("量子", "utf-8", "gbk")), "what is UTF-8 is read as UTF-8"
    for label in ("zlib", "rot13", "unicode_escape", "utf-7", "x"):
        with pytest.raises(InputError):
            decode_page("x.html", page("Größe", "cp1252", label))
