"""What is taken from a DOCX, and what is not and said."""

from __future__ import annotations

import pytest

from memorybank_studio.books.chapters import Book
from memorybank_studio.books.files import book_from_bytes
from memorybank_studio.books.packed.docx import han
from memorybank_studio.tests.books.packed_files import STYLES, W, docx, p

pytestmark = pytest.mark.usefixtures("read_here")


def read(body: str, **more: str | bytes) -> Book:
    return book_from_bytes("book.docx", docx(body, **more))


def cut(book: Book) -> list[tuple[int, str, str]]:
    return [(chapter.number, chapter.title, chapter.text) for chapter in book.chapters]


@pytest.mark.parametrize(
    ("style", "outline"), [("2", ""), ("mine", ""), ("out", ""), ("", '<w:outlineLvl w:val="0"/>')]
)
def test_chapters_open_at_headings_by_style_or_outline_level(style: str, outline: str) -> None:
    def heading(text: str) -> str:
        return p(text, style) if style else f"<w:p><w:pPr>{outline}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"

    book = read(heading("雨") + p("夜里下雨。", "loop") + heading("雪") + p("夜里下雪。"))
    assert cut(book) == [(1, "雨", "雨\n\n夜里下雨。\n\n"), (2, "雪", "雪\n\n夜里下雪。\n\n")]
    assert book.title == "book"


def test_numbers_and_parts_are_those_of_the_headings() -> None:
    body = p("卷一 风", "2") + p("第三章 雨", "3") + p("甲。") + p("卷二 雪", "2") + p("第四章 山", "3") + p("乙。")
    assert [(number, title) for number, title, _ in cut(read(body))] == [(3, "第三章 雨"), (4, "第四章 山")]
    part_one = p("Part One", "2") + p("Rain", "3") + p("a") + p("Snow", "3") + p("b")
    english = part_one + p("Part Two", "2") + p("Sun", "3") + p("c")
    assert cut(read(english))[0] == (1, "Rain", "Part One\n\nRain\n\na\n\n")
    assert [title for _, title, _ in cut(read(english))] == ["Rain", "Snow", "Sun"]


def test_chapters_of_one_title_are_chapters_each() -> None:
    body = "".join(p("Mara", "2") + p(text) for text in ("a", "b")) + p("Tom", "2") + p("c")
    assert [(number, title) for number, title, _ in cut(read(body))] == [(1, "Mara"), (2, "Mara"), (3, "Tom")]


def test_without_headings_the_lines_tell_chapters_as_in_a_text() -> None:
    assert [title for _, title, _ in cut(read(p("第一章 雨") + p("甲。") + p("第二章 雪") + p("乙。")))] == [
        "第一章 雨",
        "第二章 雪",
    ]
    assert cut(read(p("甲。") + p("乙。"))) == [(1, "book", "甲。\n\n乙。\n\n")]


def test_a_title_page_and_a_table_of_contents_are_no_part_of_the_story() -> None:
    control = (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
        f"<w:sdtContent>{p('雨 … 1')}</w:sdtContent></w:sdt>"
    )
    front = p("山中书", "T") + control + p("雪 … 2", "toc1") + p("序言。")
    book = read(front + p("雨", "2") + p("甲。") + p("雪", "2") + p("乙。"))
    assert [text for *_, text in cut(book)] == ["序言。\n\n", "雨\n\n甲。\n\n", "雪\n\n乙。\n\n"]
    assert dict(book.left) == {"contents": 1}
    assert book.front is not None
    assert [number for number, *_ in cut(book.without_front())] == [1, 2]


def test_footnotes_stand_at_the_end_of_their_chapter_and_tables_are_rows() -> None:
    notes = (
        f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="0" w:type="separator">{p("----")}</w:footnote>'
        f'<w:footnote w:id="7">{p("一种酒。")}</w:footnote></w:footnotes>'
    )
    table = f"<w:tbl><w:tr><w:tc>{p('甲')}</w:tc><w:tc>{p('乙')}{p('丙')}</w:tc></w:tr></w:tbl>"
    body = p("雨", "2") + p("他喝了酒", inner='<w:r><w:footnoteReference w:id="7"/></w:r><w:r><w:t>。</w:t></w:r>')
    book = read(body + table + p("雪", "2") + p("乙。"), footnotes=notes)
    assert cut(book)[0][2] == "雨\n\n他喝了酒[1]。\n\n| 甲 | 乙 丙 |\n\n[1] 一种酒。\n\n"


def test_what_word_would_not_show_is_left_out_and_pictures_are_counted() -> None:
    run = "<w:r><w:t>{}</w:t></w:r>"
    inner = (
        f"<w:ins>{run.format(' 新的')}</w:ins><w:del><w:r><w:delText>旧的</w:delText></w:r></w:del>"
        '<w:r><w:instrText>HYPERLINK "http://a.b"</w:instrText></w:r>'
        f'<w:hyperlink>{run.format(" 链接")}</w:hyperlink><w:r><w:br/><w:t>下一行</w:t><w:br w:type="page"/></w:r>'
        '<w:r><w:drawing><a/></w:drawing></w:r><w:r><w:commentReference w:id="1"/></w:r>'
    )
    box = (
        '<w:r><mc:AlternateContent xmlns:mc="m"><mc:Choice><w:drawing><w:txbxContent>'
        f"{p('框里')}</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>{p('框里')}</w:txbxContent>"
        "</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    book = read(p("原来", inner=inner) + p("有框", inner=box))
    assert cut(book)[0][2] == "原来 新的 链接\n下一行\n\n有框\n\n框里\n\n"
    assert dict(book.left) == {"comments": 1, "deletions": 1, "images": 1}


NUMBERING = (
    f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="5">'
    '<w:lvl w:ilvl="0"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="2"><w:abstractNumId w:val="5"/></w:num></w:numbering>'
)
LISTED = STYLES.replace(
    '<w:name w:val="heading 1"/>', '<w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr>'
)


@pytest.mark.parametrize(
    ("form", "text", "start", "numbers", "titles"),
    [
        ("chineseCountingThousand", "第%1章", 10, [10, 11, 12], ["第十章 雨", "第十一章 雪", "第十二章 日"]),
        ("decimal", "Chapter %1:", 1, [1, 2, 3], ["Chapter 1: 雨", "Chapter 2: 雪", "Chapter 3: 日"]),
        ("upperRoman", "Part %1", 3, [3, 4, 5], ["Part III 雨", "Part IV 雪", "Part V 日"]),
        ("bullet", "*", 1, [1, 2, 3], ["雨", "雪", "日"]),
    ],
)
def test_numbers_that_word_writes_by_itself_are_part_of_the_heading(
    form: str, text: str, start: int, numbers: list[int], titles: list[str]
) -> None:
    numbering = NUMBERING.format(form=form, text=text, start=start)
    body = "".join(p(title, "mine") + p("甲。") for title in ("雨", "雪", "日"))
    chapters = cut(read(body, styles=LISTED, numbering=numbering))
    assert [(number, title) for number, title, _ in chapters] == list(zip(numbers, titles, strict=True))


def test_chinese_numerals_as_word_writes_them() -> None:
    assert [han(number) for number in (2, 10, 19, 20, 100, 105, 110, 1001, 1020, 2222)] == (
        "二 十 十九 二十 一百 一百零五 一百一十 一千零一 一千零二十 二千二百二十二".split()
    )
