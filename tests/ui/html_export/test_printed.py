"""The page printed by a real browser: a sheet for each decisive moment, light, and without a script."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from unicodedata import normalize

from playwright.sync_api import Browser, Page
from pypdf import PdfReader

from memorybank.language.text import RADICALS
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.views.html_export import export_html
from memorybank.views.i18n import t
from tests.recorded import recorded_run
from tests.ui.html_export.test_opened import opened
from tests.views.html_export.reading import slides_in


def bare(text: str) -> str:
    """Without gaps; a ligature is its letters, and a radical that a PDF has for a character is the character."""
    signs = "".join(RADICALS.get(sign, sign) for sign in normalize("NFKC", text))
    return "".join(signs.split()).replace("戶", "户")


def sheets(page: Page) -> list[str]:
    printed = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=True)))
    assert {round(float(sheet.mediabox.width / sheet.mediabox.height), 2) for sheet in printed.pages} == {1.78}
    return [bare(sheet.extract_text()) for sheet in printed.pages]


def test_each_moment_begins_a_sheet_and_all_of_it_is_printed(browser: Browser, tmp_path: Path, lang: Lang) -> None:
    file = tmp_path / "run.html"
    file.write_bytes(export_html(load(recorded_run(lang).path), None, lang))
    slides = slides_in(file.read_bytes())
    with opened(browser, file, "dark") as page:
        button = page.get_by_role("button", name=t("export.page.print", lang))
        page.evaluate("window.print = () => { window.asked = true; }")
        button.click()
        assert page.evaluate("window.asked")
        page.get_by_role("button", name=t("export.page.theme", lang)).click(click_count=2)  # chosen, and dark
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.locator(".slide h2").first.is_visible()
        assert not page.locator("input[type=range]").is_visible()
        page.emulate_media(media="null")
        assert not page.locator(".slides").is_visible()
        printed = sheets(page)
    begun = [sheet for sheet in printed if f"/{len(slides)}" in sheet]
    for number, (slide, sheet) in enumerate(zip(slides, begun, strict=True), start=1):
        assert sheet.startswith(bare(slide.kind))
        assert f"{number}/{len(slides)}{bare(slide.sentence)}" in sheet
    assert len(slides) <= len(printed) <= len(slides) + 2, "only the answer may need more than its sheet"
    for slide, sheet in zip(slides[:-1], begun, strict=False):
        assert all(bare(text) in sheet for part in slide.element.findall("div/div") for text in part.itertext())
    answer = Counter(bare("".join(slides[-1].element.findall("div")[0].itertext())))
    assert not answer - Counter("".join(printed[len(slides) - 1 :])), "its columns go on side by side"
    if lang == "en":  # without scripts it shows and prints the same
        context = browser.new_context(java_script_enabled=False, offline=True)
        page = context.new_page()
        page.goto(file.as_uri())
        assert page.locator(".slide h2").first.is_visible()
        assert sheets(page) == printed
        context.close()
