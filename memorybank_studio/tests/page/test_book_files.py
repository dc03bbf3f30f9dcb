"""A story goes out as DOCX, EPUB and Markdown, by range, and comes back; what a file holds besides is told."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_studio.books.files import book_from_bytes
from memorybank_studio.tests.books.packed_files import docx, p
from memorybank_studio.tests.page.conftest import Tab
from tests.app.driving import says, shown

BODY = p("前言。") + "".join(
    p(title, "2") + p(text) for title, text in (("雨", "下雨。"), ("雪", "下雪。"), ("日", "晴。"))
)
PICTURE = "<w:p><w:r><w:drawing/></w:r></w:p>"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_word_file_comes_in_and_a_part_of_it_goes_out_in_three_kinds(tabs: type[Tab], lang: Lang) -> None:
    tab = tabs(lang).begin("山中书").show("book")
    assert says(tab.page, t("book.export_none", lang))
    tab.page.file_uploader(key="studio-import-file").upload("书.docx", docx(BODY + PICTURE))
    tab.rest()
    assert t("book.left_images", lang, count=1) in shown(tab.page, "studio-import-left")
    tab.page.checkbox(key="studio-import-front").uncheck()
    tab.rest().press("studio-import-start")
    assert tab.held.importing.wait(60)
    tab.rest()
    assert tab.held.studio.stores.archive.chapters() == ((1, "雨"), (2, "雪"), (3, "日"))

    tab.page.text_input(key="studio-book-author").set_value("某人 <i>")
    tab.choose("studio-book-from-1-3", 2)
    for kind in ("docx", "epub", "md"):
        tab.press(f"studio-make-book-{kind}")
        _, data = tab.desk.exports[f"book-{kind}"]
        back = book_from_bytes(f"x.{kind}", data)
        assert back.title == "山中书"
        assert [(chapter.number, chapter.title) for chapter in back.chapters] == [(2, "雪"), (3, "日")]
    assert 'author: "某人 <i>"' in tab.desk.exports["book-md"][1].decode()

    tab.choose("studio-book-to-1-3", 1)
    assert says(tab.page, t("book.none_between", lang))
    tab.choose("studio-book-to-1-3", 2)
    tab.page.button(key="studio-make-book-docx")  # the file of another range is not offered any more
    tab.choose("studio-book-to-1-3", 3)
    with pytest.raises(KeyError):
        tab.page.button(key="studio-make-book-docx")
    tab.held.studio.gateway.chapters.begin(4, "月", length=500, outline="月出。")
    tab.rest().page.button(key="studio-make-book-docx")  # nor that of a story that was written to since


def test_a_file_that_cannot_be_read_is_said_and_leaves_the_studio_as_it_was(tabs: type[Tab]) -> None:
    tab = tabs("zh").begin("书").show("book")
    tab.page.file_uploader(key="studio-import-file").upload("书.epub", b"PK\x03\x04 no book")
    tab.rest()
    assert "名不副实" in shown(tab.page, "studio-import-problem")
    assert tab.held.studio.stores.archive.chapters() == ()


def test_chapters_in_the_making_go_out_with_the_others(tabs: type[Tab]) -> None:
    tab = tabs().begin("Night")
    chapters = tab.held.studio.gateway.chapters
    id_ = chapters.begin(1, "Rain", length=500, outline="It rains.").id
    chapters.plan_by_steps(id_)
    chapters.write_by_hand(id_, "It rained.\n\nThen it stopped.")
    tab.show("book").press("studio-make-book-md")
    text = tab.desk.exports["book-md"][1].decode()
    assert text.endswith("# Rain\n\nIt rained.\n\nThen it stopped.\n")
