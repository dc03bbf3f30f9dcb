"""The file opened from disk in a real browser, with the network cut off: what a reader sees and does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from memorybank.contradiction.disputes import describe, disputes_of
from memorybank.memory.types import Lang, MergeEventId
from memorybank.runs.run_folder import load
from memorybank.views.html_export import export_html
from memorybank.views.i18n import t
from memorybank.views.memory.lineage import merge_stories
from memorybank.views.run.playback import Playback
from memorybank.views.text.passages import Address, address, read_address
from tests.app.looking import TWO_FRAMES
from tests.recorded import recorded_run
from tests.views.html_export.reading import data_in
from tests.watching import expect

NODES = """box => box.network.body.data.nodes.get()
    .map(node => ({ id: node.id, ...box.network.canvasToDOM(box.network.getPosition(node.id)) }))"""


RAW = "#panel-sources .raw"


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
    asked, errors = listen(context, file)
    page = context.new_page()
    page.goto(file.as_uri())
    yield page
    assert (asked, errors) == ([], [])
    context.close()


def listen(context: BrowserContext, file: Path) -> tuple[list[str], list[str]]:
    """What is asked for beside the file, and what is logged; both grow while the context is open."""
    asked: list[str] = []
    errors: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            errors.append(message.text)

    def on_page(page: Page) -> None:
        page.on("request", lambda one: asked.append(one.url) if one.url != file.as_uri() else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", on_console)

    context.on("page", on_page)
    return asked, errors


def at(page: Page) -> int:
    return int(page.locator("input[type=range]").input_value())


def test_the_slider_moves_everything(browser: Browser, files: dict[Lang, Path]) -> None:
    records = load(recorded_run("en").path)
    playback = Playback()
    with opened(browser, files["en"]) as page:
        last = len(records)
        expect(page.locator(".count")).to_have_text(f"Event {last} of {last}")
        expect(page.locator("main .answer-box")).to_be_visible()
        expect(page.locator("h1")).to_have_text(playback.at(records).bank.doc.task_goal)
        canvas = page.locator(".canvas")
        places = {one["id"]: (one["x"], one["y"]) for one in canvas.evaluate(NODES)}
        assert places.keys() == playback.at(records).bank.graph.nodes.keys()
        for k in (0, 90, 178, 300):
            page.locator("input[type=range]").fill(str(k))
            expect(page.locator(".count")).to_have_text(f"Event {k} of {last}")
            moment = playback.at(records, k)
            assert {one["id"] for one in canvas.evaluate(NODES)} == moment.bank.graph.nodes.keys()
        expect(page.locator("main .answer-box")).to_have_count(0)
        page.keyboard.press("End")
        again = {one["id"]: (one["x"], one["y"]) for one in canvas.evaluate(NODES)}
        assert again.keys() == places.keys()


def test_a_click_on_a_node_shows_its_raw_text(browser: Browser, files: dict[Lang, Path]) -> None:
    run = recorded_run("en")
    bank = Playback().at(load(run.path)).bank
    with opened(browser, files["en"]) as page:
        canvas = page.locator(".canvas")
        for spot in canvas.evaluate(NODES)[:3]:
            canvas.click(position={"x": spot["x"], "y": spot["y"]})
            panel = page.locator("#panel-node")
            expect(panel).to_be_visible()
            expect(panel.get_by_text(bank.graph.nodes[spot["id"]].context, exact=True).first).to_be_visible()
            span = bank.tree.spans[spot["id"]][0]
            first = next(line for line in bank.tree.text(span).splitlines() if line.strip())
            expect(panel.locator(".raw", has_text=first.strip()[:40]).first).to_be_visible()
        assert page.locator("#panel-node .raw mark").count()
        images = {entry.id for entry in bank.tree.entries.values() if entry.kind == "image"}
        pictured = next(one for one in bank.graph.nodes if images.intersection(bank.tree.entries_of(one)))
        page.locator("#panel-node select").select_option(pictured)
        picture = page.locator("#panel-node img")
        expect(picture).to_be_visible()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 50


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_dispute_stands_once_with_its_sources_and_unfolds_to_its_conflicts(
    browser: Browser, files: dict[Lang, Path], lang: Lang
) -> None:
    disputes = disputes_of(Playback().at(load(recorded_run(lang).path)).bank)
    several = next(one for one in disputes if len(one.conflict_ids) > 1)
    with opened(browser, files[lang]) as page:
        page.get_by_role("tab", name=t("export.page.tab.conflicts", lang)).click()
        expect(page.locator(".cases > [id^='dispute-']")).to_have_count(len(disputes))
        case = page.locator(f"[id='dispute-{several.id}']")
        expect(case.locator("> summary")).to_contain_text(describe(several, lang))
        assert all(one.sources for one in several.values), "the words above name them"
        if case.get_attribute("open") is None:
            case.locator("> summary").click()
        inner = case.locator(".pairs > details")
        expect(inner).to_have_count(len(several.conflict_ids))
        for merge in page.locator(".cases > .merged:not([open]) > summary").all()[::-1]:
            merge.click()
        leads = page.locator(".cases > .merged [data-choose^='conflict:']")
        leads.first.wait_for()
        targets = set(leads.evaluate_all("leads => leads.map(one => one.dataset.choose.split(':')[1])"))
        led = [one for one in disputes if targets.intersection(one.conflict_ids)]
        assert {len(one.conflict_ids) > 1 for one in led} >= {True}
        for dispute in led:
            whole = page.locator(f"[id='dispute-{dispute.id}']")
            for target in targets.intersection(dispute.conflict_ids):
                if whole.get_attribute("open") is not None:
                    whole.locator("> summary").click()
                page.locator(f".cases > .merged [data-choose='conflict:{target}']").first.click()
                expect(whole.locator("> .case-body")).to_be_visible()
                if len(dispute.conflict_ids) > 1:
                    expect(page.locator(f"#conflict-{target} > .case-body")).to_be_visible()


def test_conflicts_merges_and_sources(browser: Browser, files: dict[Lang, Path]) -> None:
    bank = Playback().at(load(recorded_run("en").path)).bank
    with opened(browser, files["en"]) as page:
        page.get_by_role("tab", name="Conflicts and merges").click()
        cases = page.locator(".cases > details.case")
        disputes = disputes_of(bank)
        expect(cases).to_have_count(len(disputes) + len(bank.tree.merge_events))
        newest = cases.first
        assert newest.get_attribute("open") is not None
        for pair in newest.locator(".pairs summary").all():
            pair.click()
        expect(newest.locator("mark").nth(1)).to_be_visible()
        expect(newest.get_by_text(describe(disputes[-1], "en")).first).to_be_visible()
        expect(newest.get_by_text(t("conflict.evidence", "en"), exact=True).first).to_be_visible()
        if page.locator("#merge-m1").get_attribute("open") is None:  # the newest of all is open
            page.locator("#merge-m1 > summary").click()
        merge = merge_stories(load(recorded_run("en").path))[MergeEventId("m1")]
        expect(page.locator("#merge-m1 .case-body").get_by_text(merge.result.context).first).to_be_visible()
        for source in merge.sources:
            expect(page.locator("#merge-m1 .case-body").get_by_text(source.summary).first).to_be_visible()
        page.get_by_role("tab", name="Sources").click()
        last = list(bank.tree.entries.values())[-1]
        page.locator("#panel-sources select").select_option(last.id)
        expect(page.locator("#panel-sources .raw")).to_have_text(last.text, use_inner_text=True)
        page.get_by_role("tab", name="Events").click()
        page.locator("#panel-events li.merge [role=button]").first.click()
        expect(page.locator("#panel-node")).to_be_visible()


def test_a_link_to_a_source_opens_that_source_with_its_stretch_marked(
    browser: Browser, files: dict[Lang, Path]
) -> None:
    tree = Playback().at(load(recorded_run("en").path)).bank.tree
    with opened(browser, files["en"]) as page:
        shown = places_in(page)
        assert len({place.id for place in shown}) > 3
        for place in dict.fromkeys(shown):
            follow(page, f"entry:{address(*place)}")
            entry = tree.entries[place.id]
            expect(page.locator("#panel-sources select")).to_have_value(entry.id)
            expect(page.locator(RAW)).to_have_text(entry.text, use_inner_text=True)
            if place.end:
                expect(page.locator(f"{RAW} mark")).to_be_in_viewport()
                assert page.locator(f"{RAW} mark").text_content() == entry.text[place.start : place.end]
        page.keyboard.press("Home")
        page.keyboard.press("Shift+ArrowRight")
        expect(page.locator("#panel-sources .note")).to_have_text(
            t("export.page.no_such_source", "en", id=list(dict.fromkeys(shown))[-1].id)
        )
        expect(page.locator(RAW)).to_be_hidden()


def test_a_source_that_is_not_there_is_missed_and_a_place_counts_what_is_not_shown(
    browser: Browser, files: dict[Lang, Path], tmp_path: Path
) -> None:
    """A copy in which one link leads nowhere, and one into a text that begins with a null byte and an emoji."""
    with opened(browser, files["en"]) as page:
        known, gone = [place for place in places_in(page) if place.end], read_address("e999@5-9")
    moved, lost = known[0], next(one for one in known if one.id != known[0].id)
    found = data_in(files["en"].read_bytes())
    source = found["sources"][moved.id]
    found["pool"].append("\U0001f600" + found["pool"][source[2]])
    source[2] = len(found["pool"]) - 1
    source[5] = [0]
    text = json.dumps(found, ensure_ascii=False)
    later = moved._replace(start=moved.start + 2, end=moved.end + 2)
    for old, new in ((moved, later), (lost, gone)):
        text = text.replace(f'"entry:{address(*old)}"', f'"entry:{address(*new)}"')
    page_text = files["en"].read_text("utf-8")
    begin = page_text.index('id="run">') + len('id="run">')
    copy = tmp_path / "copy.html"
    whole = page_text[:begin] + text.replace("<", "\\u003c") + page_text[page_text.index("</script>", begin) :]
    copy.write_text(whole, "utf-8")
    entry = Playback().at(load(recorded_run("en").path)).bank.tree.entries[moved.id]
    with opened(browser, copy) as page:
        places_in(page)
        follow(page, f"entry:{address(*later)}")
        assert page.locator(f"{RAW} mark").text_content() == entry.text[moved.start : moved.end]
        follow(page, f"entry:{address(*gone)}")
        expect(page.locator("#panel-sources .note")).to_have_text(t("export.page.no_such_source", "en", id="e999"))
        expect(page.locator(RAW)).to_be_hidden()
        expect(page.locator("#panel-sources select")).to_have_value("")


def places_in(page: Page) -> list[Address]:
    """All places in sources that the conflicts lead to, each conflict and merge unfolded."""
    page.get_by_role("tab", name="Conflicts and merges").click()
    for case in (".cases > .case", ".pairs > .case"):
        for summary in page.locator(f"{case}:not([open]) > summary").all()[::-1]:
            summary.click()
    page.evaluate(TWO_FRAMES)  # that one was unfolded is told later, and only then is it filled
    leads = page.locator("#panel-conflicts [data-choose^='entry:']")
    leads.first.wait_for()
    found = leads.evaluate_all("leads => leads.map(one => one.dataset.choose)")
    return [read_address(one.removeprefix("entry:")) for one in found]


def follow(page: Page, target: str) -> None:
    page.get_by_role("tab", name="Conflicts and merges").click()
    page.locator(f"#panel-conflicts [data-choose='{target}']").first.click()
    expect(page.locator("#panel-sources")).to_be_visible()


def test_it_is_moved_by_keyboard(browser: Browser, files: dict[Lang, Path]) -> None:
    with opened(browser, files["en"]) as page:
        page.keyboard.press("Home")
        assert at(page) == 0
        page.keyboard.press("ArrowRight")
        assert at(page) == 1
        page.keyboard.press("Shift+ArrowRight")
        assert at(page) > 1
        page.keyboard.press("End")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement !== document.body")


def test_play_goes_from_stage_to_stage_to_the_end(browser: Browser, files: dict[Lang, Path]) -> None:
    with opened(browser, files["zh"]) as page:
        page.clock.install()
        page.keyboard.press("Home")
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name="暂停")).to_be_visible()
        page.clock.run_for(10_000)
        assert 0 < at(page) < 363
        page.clock.run_for(600_000)
        expect(page.get_by_role("button", name="播放")).to_be_visible()
        assert at(page) == int(page.locator("input[type=range]").get_attribute("max") or 0)


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("zh", "dark")])
def test_no_serious_finding_of_axe(
    browser: Browser, files: dict[Lang, Path], lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(color_scheme=scheme, offline=True, bypass_csp=True)
    page = context.new_page()
    page.goto(files[lang].as_uri())
    found = []
    for tab in page.get_by_role("tab").all():
        tab.click()
        for select in page.locator("#panel-node:visible select").all():
            select.select_option(index=2)
        findings = Axe().run(page).response["violations"]
        found += [(tab.inner_text(), one["id"]) for one in findings if one["impact"] in ("serious", "critical")]
    context.close()
    assert found == []


@pytest.mark.parametrize(("lang", "scheme"), [("en", "dark"), ("zh", "light")])
def test_both_languages_light_dark_and_narrow(
    browser: Browser, files: dict[Lang, Path], lang: Lang, scheme: Literal["light", "dark"]
) -> None:
    with opened(browser, files[lang], scheme, width=420) as page:
        expect(page.get_by_role("tab").first).to_have_text(t("export.page.tab.doc", lang))
        assert page.evaluate("document.documentElement.lang") == ("zh-CN" if lang == "zh" else "en")
        background = "getComputedStyle(document.body).backgroundColor"
        colours = {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 23, 29)"}
        assert page.evaluate(background) == colours[scheme]
        page.get_by_role("button", name=t("export.page.theme", lang)).click()
        assert page.evaluate(background) == colours["light" if scheme == "dark" else "dark"]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


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
    _, errors = listen(context, copy)
    page = context.new_page()
    reached: list[str] = []
    context.route("http://**", lambda route: (reached.append(route.request.url), route.abort()))  # type: ignore[func-returns-value]
    page.goto(copy.as_uri())
    expect(page.locator("main .answer-box")).to_be_visible()
    assert page.evaluate("window.__ran") is None
    assert reached == []
    assert page.evaluate("getComputedStyle(document.body).display") == "block"
    assert sum("Content Security Policy" in error for error in errors) >= 5
    context.close()
