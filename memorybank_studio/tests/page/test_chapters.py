"""A chapter on the page: begun, planned, written, stopped by a model that fails, revised, by hand without a model."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_lab.scripted import Script, ScriptedServer, asks, error_reply, on
from memorybank_studio.books.files import book_from_bytes
from memorybank_studio.page import chapters as chapters_page
from memorybank_studio.page.tab import DRAFT_CHAPTER, DRAFT_TEXT, STUDIO_VIEW
from memorybank_studio.tests.books.packed_files import docx, p
from memorybank_studio.tests.chapters.story import answers
from memorybank_studio.tests.page.conftest import Tab, use_model
from memorybank_studio.types import PlanStatus
from tests.app.driving import keys, says, shown

WORDS = "Ilse finds her mother in the lamp room of the Tide Tower."


def wait(tab: Tab) -> Tab:
    """Until the work on the chapter is over."""
    if tab.held.writing is not None:
        assert tab.held.writing.wait(60)
    return tab.run()


def press(tab: Tab, key: str) -> Tab:
    tab.page.button(key=key).click()
    tab.run()
    return wait(tab)


def begin(tab: Tab, *labels: str, title: str = "The Lamp Room") -> Tab:
    tab.show("write")
    tab.page.text_input(key="chapter-title").set_value(title)
    tab.page.text_area(key="chapter-outline").set_value(WORDS)
    tab.page.number_input(key="chapter-length").set_value(1_300)
    tab.submit(*labels)
    return wait(tab)


def test_a_chapter_is_planned_written_and_revised_on_the_page(tabs: type[Tab], monkeypatch: pytest.MonkeyPatch) -> None:
    own: dict[str, Any] = {**answers("en")}  # those to a chapter that has an outline and no steps
    own["plan"] = {"pieces": [{**piece, "step": ""} for piece in own["plan"]["pieces"]]}
    broken = error_reply(500, "it broke")
    rules = [
        on(asks(schema="chapter_plan"), own["plan"]),
        on(asks(schema="chapter_piece"), own["pieces"][0], broken, *own["pieces"][1:]),
        on(asks(schema="chapter_passage"), own["passage"]),
    ]
    with ScriptedServer(Script(rules=rules)) as server:
        use_model(server, monkeypatch)
        tab = begin(tabs().begin(), t("chapter.plan_do", "en"))
        assert says(tab.page, "The brass lock"), "the plan is there before a word is written"
        press(tab, "chapter-all")
        assert says(tab.page, "it broke"), "why it stopped"
        assert says(tab.page, "Mind your feet."), "and the first piece stands"
        assert says(tab.page, t("chapter.pieces_of", "en", written=1, planned=3))
        press(tab, "chapter-all")
        assert not says(tab.page, "it broke")
        assert says(tab.page, "Then she turned round.")
        assert says(tab.page, "the lamp room of the Tide Tower"), "where Ilse is by now"
        assert says(tab.page, "You had it in the boat"), "with the words it stands on"

        tab.page.session_state["chapter-change-2"] = True
        tab.run()
        text = next(area for area in tab.page.text_area if str(area.key).startswith("chapter-revise-2"))
        text.set_value(own["passage_of"])
        order = next(field for field in tab.page.text_input if str(field.key).startswith("chapter-revise-2"))
        order.set_value(own["order"])
        tab.submit(t("chapter.revise", "en"))
        wait(tab)
        assert own["order"] in shown(tab.page, "chapter-offered")
        assert "put it with the rest of what I owe" in shown(tab.page, "chapter-offered")
        press(tab, "chapter-accept")
        assert "put it with the rest of what I owe" in shown(tab.page, "chapter-piece-text-2")
        assert t("chapter.older", "en", number=2) in shown(tab.page, "chapter-piece-head-3")

        tab.press("chapter-archive-do")
        assert dict(tab.held.studio.stores.archive.chapters()) == {1: "The Lamp Room"}
        assert tab.held.studio.stores.facts.count() == (0, 0)
        assert tab.page.session_state[STUDIO_VIEW.key] == "write", "the author stays where they are"
        tab.press("chapter-settle")
        assert tab.page.session_state[STUDIO_VIEW.key] == "discuss"


def test_without_a_model_it_is_written_by_hand_and_says_that_nobody_read_it(tabs: type[Tab]) -> None:
    tab = tabs("zh").begin().show("write")
    tab.submit(t("chapter.begin_do", "zh"))
    assert says(tab.page, "请选一个步骤或短期大纲"), "one without anything to tell is refused in words"
    begin(tab, t("chapter.begin_do", "zh"), title="灯室")
    assert says(tab.page, t("chapter.no_model", "zh"))
    assert not any(str(button.key) == "chapter-next" for button in tab.page.button)
    field = next(area for area in tab.page.text_area if str(area.key).startswith("chapter-hand-text"))
    field.set_value("韩船长提着灯走上石梯。")
    tab.submit(t("chapter.hand_keep", "zh"))
    wait(tab)
    assert "见“设置”页" in shown(tab.page, "chapter-piece-failure-1")
    assert "chapter-check" not in keys(tab.page), "no button that could do nothing"
    tab.press("chapter-drop")
    tab.press("chapter-drop-do")
    assert tab.held.studio.gateway.chapters.all() == ()


BODY = p("前言。") + "".join(
    p(title, "2") + p(text) for title, text in (("雨", "下雨。"), ("雪", "下雪。"), ("日", "晴。"))
)
PICTURE = "<w:p><w:r><w:drawing/></w:r></w:p>"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_word_file_comes_in_and_goes_out_in_four_kinds(tabs: type[Tab], lang: Lang) -> None:
    tab = tabs(lang).begin("山中书").show("chapters", "book")
    assert says(tab.page, t("book.export_none", lang))
    tab.page.file_uploader(key="studio-import-file").upload("书.epub", b"PK\x03\x04 no book")
    assert says(tab.rest().page, {"en": "not an e-book", "zh": "名不副实"}[lang])
    assert tab.held.studio.stores.archive.chapters() == ()
    tab.page.file_uploader(key="studio-import-file").upload("书.docx", docx(BODY + PICTURE))
    tab.rest()
    assert t("book.left_images", lang, count=1) in shown(tab.page, "studio-import-left")
    tab.page.checkbox(key="studio-import-front").uncheck()
    tab.rest().press("studio-import-start")
    assert tab.held.importing.wait(60)
    tab.rest()
    assert tab.held.studio.stores.archive.chapters() == ((1, "雨"), (2, "雪"), (3, "日"))

    tab.page.text_input(key="studio-book-author").set_value("某人 <i>")
    tab.rest()
    for kind in ("docx", "epub", "md"):
        tab.press(f"studio-make-book-{kind}")
        _, data = tab.desk.exports[f"book-{kind}"]
        back = book_from_bytes(f"x.{kind}", data)
        assert back.title == "山中书"
        assert [(chapter.number, chapter.title) for chapter in back.chapters] == [(1, "雨"), (2, "雪"), (3, "日")]
    assert 'author: "某人 <i>"' in tab.desk.exports["book-md"][1].decode()
    tab.press("studio-make-book-txt")
    assert tab.desk.exports["book-txt"][1].decode().startswith("雨\n\n")
    with pytest.raises(KeyError):
        tab.page.button(key="studio-make-book-docx")
    tab.held.studio.gateway.chapters.begin(4, "月", length=500, outline="月出。")
    tab.rest().page.button(key="studio-make-book-docx")  # the file of a story that was written to since is not offered


def test_chapters_in_the_making_go_out_with_the_others(tabs: type[Tab]) -> None:
    tab = tabs().begin("Night")
    chapters = tab.held.studio.gateway.chapters
    id_ = chapters.begin(1, "Rain", length=500, outline="It rains.").id
    chapters.plan_by_steps(id_)
    chapters.write_by_hand(id_, "It rained.\n\nThen it stopped.")
    tab.show("chapters", "book").press("studio-make-book-md")
    text = tab.desk.exports["book-md"][1].decode()
    assert text.endswith("# Rain\n\nIt rained.\n\nThen it stopped.\n")


def test_the_coming_chapter_moves_on_with_the_story_but_not_over_the_authors_own(
    tabs: type[Tab], monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = tabs().begin().show("write")

    def number(coming: int) -> Any:
        monkeypatch.setattr(chapters_page, "next_chapter", lambda _: coming)
        return tab.run().page.number_input(key=DRAFT_CHAPTER.key).value

    assert [number(1), number(5)] == [1, 5]
    tab.page.number_input(key=DRAFT_CHAPTER.key).set_value(3)
    assert [number(5), number(6)] == [3, 3]


def test_a_draft_becomes_a_chapter_for_the_step_in_progress_and_the_field_is_free(tabs: type[Tab]) -> None:
    tab = tabs("zh").press("studio-demo").show("write")
    assert says(tab.page, t("chapter.own_no_model", "zh"))
    tab.page.text_area(key=DRAFT_TEXT.key).set_value("灯室里没有人。")
    tab.page.text_input(key=chapters_page.DRAFT_TITLE).set_value("灯室")
    tab.press("studio-draft-keep")
    (chapter,) = tab.held.studio.gateway.chapters.all()
    assert (chapter.number, chapter.title, chapter.text) == (4, "灯室", "灯室里没有人。")
    plans = tab.held.studio.stores.plans
    assert [plans.plan(key).status for key in chapter.plans] == [PlanStatus.IN_PROGRESS]
    assert "chapter-archive-do" in [button.key for button in tab.page.button], "it is shown"
    tab.choose("chapter-chosen", "")
    assert tab.page.text_area(key=DRAFT_TEXT.key).value == ""
    assert tab.held.studio.gateway.typed.get(DRAFT_TEXT.key) is None
    tab.show("chapters", "archive")
    assert shown(tab.page, "studio-archive"), "the last chapter, before any is chosen"
