"""The file opened from disk in a real browser, with the network cut off: what a reader sees and does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.views.html_export import export_html
from memorybank.views.html_export import page as page_file
from memorybank.views.i18n import t
from memorybank.views.run.playback import Playback
from memorybank.views.text.passages import read_address
from tests.app.hostile_sight import listen
from tests.app.looking import violations
from tests.recorded import recorded_run
from tests.views.html_export.reading import data_in
from tests.watching import expect

NODES = """box => box.network.body.data.nodes.get()
    .map(node => ({ id: node.id, ...box.network.canvasToDOM(box.network.getPosition(node.id)) }))"""

OPEN = "all => all.forEach((one) => { one.removeAttribute('name'); one.open = true; })"
"""Those of one name close each other."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[Lang, Path]:
    folder = tmp_path_factory.mktemp("exported")
    for lang in ("en", "zh"):
        run = recorded_run(lang)
        (folder / f"{lang}.html").write_bytes(export_html(load(run.path), run.files.read, lang))
    return {"en": folder / "en.html", "zh": folder / "zh.html"}


@contextmanager
def opened(
    browser: Browser, file: Path, scheme: Literal["light", "dark"] = "light", width: int = 1440
) -> Iterator[Page]:
    """A window without a network. Leaving it asserts that nothing was asked for and no error was logged."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 1000}, offline=True)
    heard = listen(context, file.as_uri(), ("error", "warning"))
    page = context.new_page()
    page.goto(file.as_uri())
    yield page
    assert heard == []
    context.close()


def at(page: Page) -> int:
    return int(page.locator("input[type=range]").input_value())


def test_a_click_on_a_node_shows_it_and_from_there_its_raw_text_and_picture(
    browser: Browser, files: dict[Lang, Path]
) -> None:
    bank = Playback().at(load(recorded_run("en").path)).bank
    images = {entry.id for entry in bank.tree.entries.values() if entry.kind == "image"}
    pictured = next(one for one in bank.graph.nodes if images.intersection(bank.tree.entries_of(one)))
    with opened(browser, files["en"]) as page:
        canvas = page.locator(".canvas")
        spots = {spot["id"]: spot for spot in canvas.evaluate(NODES)}
        for node_id in [*list(spots)[:2], pictured]:
            canvas.scroll_into_view_if_needed()
            canvas.click(position={"x": spots[node_id]["x"], "y": spots[node_id]["y"]})
            card = page.locator(f"#node-{node_id} > .case-body")
            expect(card).to_be_visible()
            expect(card.get_by_text(bank.graph.nodes[node_id].summary, exact=True).first).to_be_visible()
        card.locator(f"[data-choose^='entry:{next(iter(images))}']").last.click()
        picture = page.locator("#panel-sources img")
        expect(picture).to_be_visible()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 50


def test_a_merge_leads_to_its_conflict_and_that_to_the_marked_source(browser: Browser, files: dict[Lang, Path]) -> None:
    bank = Playback().at(load(recorded_run("en").path)).bank
    with opened(browser, files["en"]) as page:
        page.locator("#panel-conflicts > summary").click()
        for merge in page.locator("#panel-conflicts > .merged > summary").all():
            merge.click()
        leads = page.locator("#panel-conflicts > .merged [data-choose^='conflict:']:visible")
        target = str(leads.first.get_attribute("data-choose")).removeprefix("conflict:")
        leads.first.focus()
        page.keyboard.press("Enter")
        conflict = page.locator(f"#conflict-{target}")
        expect(conflict.get_by_text(t("conflict.evidence", "en"), exact=True)).to_be_visible()
        found = conflict.locator("[data-choose^='entry:'][data-choose*='@']")
        for place in dict.fromkeys(found.evaluate_all("leads => leads.map(one => one.dataset.choose)")):
            page.locator("#panel-conflicts").evaluate("panel => { panel.open = true; }")
            found.and_(page.locator(f"[data-choose='{place}']")).first.click()
            named = read_address(place.removeprefix("entry:"))
            entry = bank.tree.entries[named.id]
            raw = page.locator(f"#entry-{entry.id} .case-body > .raw")
            expect(raw.locator("mark")).to_be_in_viewport()
            assert raw.text_content() == entry.text
            assert raw.locator("mark").text_content() == entry.text[named.start : named.end]


def test_a_place_counts_what_is_not_shown_and_what_is_not_there_is_not_marked(browser: Browser, tmp_path: Path) -> None:
    """A page of one text that begins with an emoji, of which two characters before it were left out."""
    markup = (
        '<div class="page"><header><h1>x</h1></header><main><div class="graph-place"></div>'
        '<b data-choose="entry:e1@3-5">near</b><b data-choose="entry:e1@3-99">far</b>'
        '<details id="entry-e1"><div class="case-body"><div class="raw" data-dropped="0 1">\U0001f600abc</div></div>'
        "</details></main></div>"
    )
    file = tmp_path / "page.html"
    data = data_in(export_html([], None, "en"))
    file.write_bytes(page_file(data, "en", markup))
    with opened(browser, file) as page:
        page.get_by_text("near").click()
        expect(page.locator("mark")).to_have_text("ab")
        page.get_by_text("far").click()
        expect(page.locator("mark")).to_have_count(0)
        expect(page.locator(".raw")).to_have_text("\U0001f600abc")


def test_it_is_moved_by_keyboard_and_played_from_stage_to_stage(browser: Browser, files: dict[Lang, Path]) -> None:
    with opened(browser, files["zh"]) as page:
        page.clock.install()
        page.keyboard.press("Home")
        assert at(page) == 0
        page.keyboard.press("ArrowRight")
        assert at(page) == 1
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name="暂停")).to_be_visible()
        page.clock.run_for(10_000)
        last = int(page.locator("input[type=range]").get_attribute("max") or 0)
        assert 1 < at(page) < last
        page.clock.run_for(600_000)
        expect(page.get_by_role("button", name="播放")).to_be_visible()
        assert at(page) == last
        page.locator("#panel-events > summary").click()
        page.locator("#panel-events .feed [role=button]").last.click()
        assert at(page) == 1


@pytest.mark.parametrize(("lang", "scheme"), [("en", "dark"), ("zh", "light")])
def test_it_is_read_in_both_languages_and_themes_on_a_narrow_screen_and_by_axe(
    browser: Browser, files: dict[Lang, Path], lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    with opened(browser, files[lang], scheme, width=420) as page:
        expect(page.locator(".panel > summary").first).to_have_text(t("export.tab.doc", lang))
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN" if lang == "zh" else "en")
        for colours in ("rgb(255, 255, 255)", "rgb(18, 23, 29)")[:: -1 if scheme == "dark" else 1]:
            expect(page.locator("body")).to_have_css("background-color", colours)
            page.get_by_role("button", name=t("export.page.theme", lang)).click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context = browser.new_context(color_scheme=scheme, offline=True, bypass_csp=True)
    page = context.new_page()
    page.goto(files[lang].as_uri())
    page.locator(".panel, .panel > .case:nth-child(1 of .case)").evaluate_all(OPEN)  # all of it under axe at once
    assert violations(page) == []
    context.close()


def test_the_policy_holds_even_if_something_slipped_through(
    browser: Browser, files: dict[Lang, Path], tmp_path: Path
) -> None:
    """A copy with a script, a handler, a sheet and requests put into it by hand."""
    injected = (
        "<script>window.__ran = 'script'</script><img src=x onerror=\"window.__ran = 'handler'\">"
        "<style>body { display: none }</style><img src='http://evil.test/image'>"
        "<script src='http://evil.test/script'></script><link rel=stylesheet href='http://evil.test/sheet'>"
        "<iframe src='http://evil.test/frame'></iframe>"
    )
    text = files["en"].read_text("utf-8")
    copy = tmp_path / "copy.html"
    copy.write_text(text.replace("<noscript>", f"{injected}<noscript>"), "utf-8")
    context = browser.new_context()
    heard = listen(context, copy.as_uri())
    page = context.new_page()
    reached: list[str] = []
    context.route("http://**", lambda route: (reached.append(route.request.url), route.abort()))  # type: ignore[func-returns-value]
    page.goto(copy.as_uri())
    expect(page.locator("main .answer-box")).to_be_visible()
    assert page.evaluate("window.__ran") is None
    assert reached == []
    assert page.evaluate("getComputedStyle(document.body).display") == "block"
    assert sum("Content Security Policy" in one for one in heard) >= 5
    context.close()
