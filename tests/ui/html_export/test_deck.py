"""The slides opened from disk in a real browser, with the network cut off: led by keys, read, printed."""

from __future__ import annotations

import io
from pathlib import Path
from unicodedata import normalize

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from pypdf import PdfReader

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.views.i18n import t
from memorybank.views.storyboard import make_storyboard
from memorybank.views.storyboard.slides import build_slides
from tests.app.hostile_run import write_hostile_run
from tests.app.hostile_sight import faults, listen, look
from tests.app.looking import TWO_FRAMES
from tests.recorded import recorded_run
from tests.ui.html_export.test_opened import opened
from tests.watching import expect

PHONE = 420
SIZES = ((PHONE, 800), (1280, 720), (1920, 1080))
OVERFLOW = """() => [...document.querySelectorAll(".slide.now")].filter((slide) => {
    const card = slide.querySelector(".card-place");
    const inside = card?.shadowRoot.querySelector(".rich");
    const sentence = slide.querySelector(".sentence");
    return sentence.scrollHeight > sentence.clientHeight + 2
        || (inside && inside.getBoundingClientRect().height > card.getBoundingClientRect().height + 2);
}).length"""


def bare(text: str) -> str:
    """Without gaps; a ligature is its letters."""
    return "".join(normalize("NFKC", text).split())


def now(page: Page) -> str:
    return page.locator(".slide.now .sentence").inner_text()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_clicker_leads_through_the_decisive_moments(browser: Browser, tmp_path: Path, lang: Lang) -> None:
    records, file = load(recorded_run(lang).path), tmp_path / "deck.html"
    slides = build_slides(records, lang)
    file.write_bytes(make_storyboard(records, lang, "html").data)
    with opened(browser, file, "dark" if lang == "zh" else "light", 1280) as page:
        seen = [now(page)]
        for key in ["PageDown", "ArrowRight", " ", *["PageDown"] * (len(slides) - 4)]:
            page.keyboard.press(key)
            seen.append(now(page))
        assert seen == [slide.sentence for slide in slides]
        page.keyboard.press("PageDown")  # after the last one nothing comes
        expect(page.locator(".slide.now .top")).to_contain_text(f"{len(slides)} / {len(slides)}")
        expect(page.locator("[role=status]")).to_contain_text(slides[-1].sentence)
        page.keyboard.press("Home")
        page.keyboard.press("n")
        expect(page.locator(".notes")).to_contain_text(slides[0].notes.splitlines()[0])
        expect(page.locator(".notes")).to_contain_text(slides[1].sentence)
        assert page.locator(".slide.now").bounding_box()["height"] < 0.75 * 1000
        page.get_by_role("button", name=t("storyboard.page.key.on", lang)).click()
        assert now(page) == slides[1].sentence
        page.keyboard.press("PageUp")
        page.reload()
        assert now(page) == slides[0].sentence
        lit = next(slide for slide in slides if slide.card is not None and slide.graph)
        page.goto(f"{file.as_uri()}#{lit.number}")
        expect(page.locator(".slide.now svg")).to_have_attribute("aria-label", lit.described)
        assert Axe().run(page).response["violations"] == []
        assert page.evaluate(OVERFLOW) == 0, "beside the notes"
        page.keyboard.press("n")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(TWO_FRAMES)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate("document.documentElement.scrollHeight") <= height or width == PHONE
            for _ in range(len(slides) if width == 1280 else 1):
                assert width == PHONE or page.evaluate(OVERFLOW) == 0, now(page)
                page.keyboard.press("PageDown")
        page.set_viewport_size({"width": 900, "height": 1000})
        printed = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=True)))
        assert len(printed.pages) == len(slides)
        for slide, sheet in zip(slides, printed.pages, strict=True):
            assert bare(slide.sentence) in bare(sheet.extract_text())


def test_hostile_texts_are_text_on_every_slide(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "deck.html"
    made = make_storyboard(load(write_hostile_run(tmp_path, "ab" * 16)), "en", "html")
    file.write_bytes(made.data)
    context = browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    heard = listen(context, file.as_uri())
    page = context.new_page()
    page.goto(file.as_uri())
    page.keyboard.press("n")
    found = []
    for _ in range(made.slides):
        found += faults(look(page), file.as_uri())
        page.keyboard.press("PageDown")
    context.close()
    assert (found, heard) == ([], [])
