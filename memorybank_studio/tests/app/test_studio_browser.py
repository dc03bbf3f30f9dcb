"""The studio in a real browser, on its real stores: each part of it, the plan board, what is saved as it is typed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, FilePayload, Page

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_studio.page.demo import demo
from memorybank_studio.page.hub import PARTS
from memorybank_studio.page.tab import VIEWS
from tests.app.by_keys import Keys
from tests.app.driving import SMALL
from tests.app.foreign_words import foreign_words
from tests.app.looking import LOOKS, Look, at_rest, faults, show, violations
from tests.app.test_demo import opened
from tests.serving import served
from tests.tables import tables
from tests.watching import expect

TABLES = tables(__file__)

OPENING = 120_000
"""Milliseconds that the graph engine may take to start beside other work."""
HERE = 60_000


def press(page: Page, key: str) -> None:
    button = page.locator(f".st-key-{key} button:visible").first  # one with a hint is there twice, for each width
    expect(button).to_be_enabled(timeout=HERE)
    button.click()


def turn_to_studio(page: Page) -> None:
    at_rest(page)
    page.locator('a[href*="studio"]').first.click()
    expect(page.locator(".st-key-studio-demo")).to_be_visible(timeout=HERE)


def open_demo(page: Page) -> None:
    press(page, "studio-demo")
    expect(page.locator(".st-key-studio-view")).to_be_visible(timeout=OPENING)


def turn_to(page: Page, place: str, part: str = "") -> None:
    expect(page.locator(".st-key-studio-view")).to_be_visible(timeout=HERE)
    page.locator(".st-key-studio-view button").nth(VIEWS.index(place)).click()
    at_rest(page)
    if part:
        page.locator(f".st-key-studio-{place}-part button").nth(list(PARTS[place]).index(part)).click()
        expect(page.locator(f".st-key-studio-part-{part}")).to_be_visible(timeout=HERE)


def each_part(page: Page) -> Iterator[str]:
    """Turn to one part of the studio after the other."""
    for place, parts in PARTS.items():
        for part in parts:
            turn_to(page, place, part)
            if part == "facts":
                expect(page.locator(".st-key-studio-graph canvas").first).to_be_visible(timeout=HERE)
            yield part


def serious(page: Page) -> list[str]:
    """What axe finds, with the pointer on nothing: a button it rests on has Streamlit's own paint."""
    page.mouse.move(2, 2)
    at_rest(page)
    return violations(page)


def unfold(page: Page) -> None:
    """Open what is folded away on the page."""
    page.locator("[data-testid=stExpander] details:not([open]) > summary").evaluate_all(
        "all => all.forEach((folded) => folded.click())"
    )
    at_rest(page)


def test_each_part_of_the_studio_can_be_read(browser: Browser, serve_app: Callable[..., str]) -> None:
    """The plan's board, a task, its table and each place: axe finds nothing serious, no word is of the other language.

    One place after the other is looked at in another width and theme. The browser speaks Chinese. Of the Chinese studio
    the words alone are others: they are read in test_book_browser.py, and where a sentence is written down.
    """
    found: dict[tuple[str, Look], list[str]] = {}
    looks = itertools.cycle(LOOKS)

    def look(place: str, *given: str) -> None:
        way = next(looks)
        found.setdefault((place, way), []).extend(faults(page, way, "en", given))

    def read(place: str) -> None:
        at_rest(page)
        found[place, LOOKS[0]] = foreign_words(page, "en")

    with opened(browser, f"{serve_app(**SMALL)}/?lang=en", "zh") as (_, page):
        turn_to_studio(page)
        open_demo(page)
        a_card_is_moved_by_mouse_and_keys(page)
        for words in TABLES["said"]:
            say(page, f"/new {words}", 1)
            unfold(page)
            look("a task")
        press(page, "studio-settle-t3")
        expect(page.locator(".st-key-studio-settling")).to_be_visible(timeout=HERE)
        unfold(page)
        look("a table")
        keys = Keys(page)
        keys.go("studio-unread-next")
        keys.press("Enter")
        expect(page.locator("[class*=st-key-form-studio-unread-]").first).to_be_visible(timeout=HERE)
        look("the form of a sentence that was not read")
        press(page, "studio-confirm")
        expect(page.locator(".st-key-studio-written")).to_be_visible(timeout=HERE)
        unfold(page)
        look("what was written")
        page.locator("[class*=st-key-studio-switch-] button").first.click()
        page.locator("[class*=st-key-studio-ask-discard-] button").first.click()
        read("a task about to be discarded")
        for part in each_part(page):
            look(part)
        turn_to(page, "chapters", "archive")
        page.locator(".st-key-studio-archive-search input").fill("the lamp")
        page.keyboard.press("Enter")
        expect(page.locator(".st-key-studio-archive .raw").first).to_be_visible(timeout=HERE)
        read("found in the chapters")
        for place in ("write", "plan"):
            turn_to(page, place)
            look(place)
        turn_to(page, "chapters", "book")
        expect(page.locator(".st-key-studio-story-card")).to_be_visible(timeout=HERE)
        look("book")
        show(page, *LOOKS[0])
        book: FilePayload = {**TABLES["book"], "buffer": TABLES["book"]["buffer"].encode()}
        page.locator(".st-key-studio-import-file input[type=file]").set_input_files([book])
        expect(page.locator(".st-key-studio-left-over")).to_be_visible(timeout=HERE)
        look("a book of fewer chapters")
        page.locator(".st-key-studio-left-over-do label").last.click()
        press(page, "studio-import-start")
        expect(page.locator(".st-key-studio-import-done")).to_be_visible(timeout=HERE)
        read("a book that was read")
        press(page, "studio-close")
        expect(page.locator(".st-key-studio-demo")).to_be_visible(timeout=HERE)
        look("a studio that is saved", *demo("en").title.split(), demo("zh").title)  # stories keep their own names
    assert {place: told for place, told in found.items() if told} == {}


def say(page: Page, words: str, answered: int) -> None:
    """Type into the input, below `/new Title` into the form of a new task; so many turns are there then."""
    if words.startswith("/"):
        title, _, first = words.partition(" ")[2].partition("\n")
        page.locator(".st-key-studio-task-title input").fill(title)
        page.locator(".st-key-studio-task-words textarea").fill(first)
        page.locator("[data-testid=stForm]", has=page.locator(".st-key-studio-task-title")).get_by_role(
            "button"
        ).last.click()
        expect(page.locator(".wr-turn.assistant")).to_have_count(answered, timeout=HERE)
        return
    field = page.locator(".st-key-studio-input textarea")
    expect(field).to_be_enabled(timeout=HERE)
    field.fill(words)
    field.press("Enter")
    expect(page.locator(".wr-turn.assistant")).to_have_count(answered, timeout=HERE)


def test_a_sentence_that_was_not_read_is_written_down_by_keys_alone(
    browser: Browser, serve_app: Callable[..., str]
) -> None:
    lang: Lang = "zh"
    night = TABLES["night"]

    def nothing_is_serious() -> None:
        assert foreign_words(page, lang, ("Night", "Cast")) == []
        for _, scheme in LOOKS:
            show(page, 1440, scheme)
            assert violations(page) == [], scheme

    with opened(browser, f"{serve_app(**SMALL)}/?lang={lang}", lang, "dark") as (_, page):
        at_rest(page)
        page.reload()  # it is loaded twice before the system's theme changes: test_accessibility.py
        turn_to_studio(page)
        page.locator(".st-key-studio-new-title input").fill("Night")
        page.get_by_role("button", name=t("studio.new_do", lang), exact=True).click()
        expect(page.locator(".st-key-studio-task-title")).to_be_visible(timeout=OPENING)
        say(page, f"/new Cast\n{night['cast']}", 1)
        press(page, "studio-settle-t1")
        press(page, "studio-confirm")
        expect(page.locator(".st-key-studio-written")).to_be_visible(timeout=HERE)
        say(page, f"/new Night\n{night['prose']}", 1)
        press(page, "studio-settle-t2")
        count = page.locator(".st-key-studio-unread-count")
        expect(count).to_have_text(t("studio.unread", lang, count=2), timeout=HERE)
        at_rest(page)
        keys = Keys(page)
        keys.go("studio-unread-next")
        keys.press("Enter")
        field = lambda name: page.locator(f".st-key-form-studio-unread-t2-2-0-fact-{name} input")  # noqa: E731
        expect(field("subject")).to_be_visible(timeout=HERE)
        nothing_is_serious()
        for name, value in zip(("subject", "object"), night["names"], strict=True):
            expect(field(name)).to_have_value(value, timeout=HERE)
        for name in night["names"]:  # one over the other: what was picked before is not picked again
            field("object").press("Control+a")
            page.keyboard.type(name)
            page.keyboard.press("Tab")
            expect(field("object")).to_have_value(name, timeout=HERE)
        field("predicate").fill(night["relation"])
        field("predicate").press("Tab")  # it is taken as it was typed
        expect(field("chapter")).to_have_value("4")
        field("chapter").press("Enter")
        expect(count).to_have_text(t("studio.unread", lang, count=1), timeout=HERE)
        at_rest(page)
        keys.is_at("studio-unread-next")  # whence the form was opened: the next one is a press away
        keys.press("Enter")
        page.get_by_role("button", name=t("studio.unread_dismiss", lang), exact=True).press("Enter")
        expect(count).to_have_text(t("studio.unread_none", lang), timeout=HERE)
        row = page.locator(".st-key-studio-row-words-1")
        expect(row).to_contain_text(night["names"][0])
        expect(page.locator(".st-key-studio-unread-dismissed")).to_be_visible()
        nothing_is_serious()


# -- what is typed is saved as it is typed -----------------------------------------------------------------------------


FIELD = ".st-key-studio-draft textarea"
NUMBER = ":is(.st-key-studio-draft-chapter, .st-key-chapter-number) input"
SEARCH = ".st-key-studio-settings-search input"
FIRST, SECOND = "The water rose.", " It fell again."


def load_anew(page: Page) -> None:
    """Load the address again, but by the root: a page's own path answers a reload with errors of Streamlit's."""
    page.goto(urlsplit(page.url)._replace(path="/").geturl())
    at_rest(page)
    page.locator('a[href*="studio"]').first.click()


def test_what_is_typed_is_saved_and_waits_where_it_was_typed(browser: Browser, tmp_path: Path) -> None:
    """In a list, a form, a number's field, a search; over another place, a reload, a server that is started anew."""
    given = {"STORAGE_DIR": str(tmp_path / "runs"), "XDG_STATE_HOME": str(tmp_path / "state"), **SMALL}
    page = browser.new_page(locale="zh")
    with served(Path("app.py"), tmp_path / "log.txt", given) as url:
        page.goto(f"{url}/?lang=zh")
        type_and_come_back(page)
        turn_to(page, "bible", "settings")
        page.locator(SEARCH).fill("灯")
        expect(page.locator(".saved")).to_contain_text("已于", timeout=HERE)
        turn_to(page, "chapters")
        turn_to(page, "bible")
        expect(page.locator(SEARCH)).to_have_value("灯", timeout=HERE)
    with served(Path("app.py"), tmp_path / "log.txt", given, urlsplit(url).port or 0):
        expect(page.locator(".st-key-studio-opening")).to_be_visible(timeout=HERE)
        expect(page.locator(SEARCH)).to_have_value("灯", timeout=OPENING)
        turn_to(page, "write")
        expect(page.locator(FIELD)).to_have_value(f"{FIRST}{SECOND} The end.", timeout=HERE)
        expect(page.locator(NUMBER).first).to_have_value("2")
        expect(page.locator(NUMBER).last).to_have_value("7")
    page.close()


def type_and_come_back(page: Page) -> None:
    turn_to_studio(page)
    title = page.locator(".st-key-studio-new-title input")
    title.click()
    page.keyboard.type("夜")
    expect(page.locator(".saved")).to_contain_text("已于", timeout=HERE)
    english, chinese = (page.locator(".st-key-studio-new-title-lang button").nth(at) for at in range(2))
    english.click()
    at_rest(page)
    load_anew(page)
    expect(title).to_have_value("夜", timeout=HERE)
    expect(english).to_have_attribute("aria-checked", "true")
    chinese.click()
    at_rest(page)
    title.press("Enter")
    expect(page.locator(".st-key-studio-task-title")).to_be_visible(timeout=OPENING)
    at_rest(page)
    assert page.evaluate("sessionStorage.getItem('memorybank-typed-new')") is None, "the story was begun with it"
    field = page.locator(".st-key-studio-input textarea")
    for number, title in enumerate(("甲", "乙"), start=1):
        new = page.locator(".st-key-studio-task-title input")
        new.fill(title)
        page.locator(".st-key-studio-task-words textarea").fill(f"{title}说了第一句。")
        page.get_by_role("button", name="新建任务").click()
        expect(page.locator(".st-key-studio-current")).to_have_text(title, timeout=HERE)
        expect(page.locator(".wr-turn.assistant")).to_have_count(1, timeout=HERE)
        expect(field).to_have_value("")
        at_rest(page)
        field.click()
        page.keyboard.type(f"写给{title}的半句话")
        expect(page.locator(".saved")).to_contain_text("已于", timeout=HERE)
        turn_to(page, "write")  # and back
        turn_to(page, "discuss")
        expect(field).to_have_value(f"写给{title}的半句话", timeout=HERE)
        assert number == page.locator("[class*=st-key-studio-task-words-]").count()
    press(page, "studio-switch-t1")
    expect(field).to_have_value("写给甲的半句话", timeout=HERE)
    load_anew(page)
    expect(field).to_have_value("写给甲的半句话", timeout=HERE)
    field.press("Enter")
    expect(page.locator(".wr-turn.assistant")).to_have_count(2, timeout=HERE)
    expect(field).to_have_value("")
    page.wait_for_timeout(1500)  # what the browser tells of the words after they were sent
    load_anew(page)
    expect(field).to_be_visible(timeout=HERE)
    expect(field).to_have_value("")
    press(page, "studio-switch-t2")
    expect(field).to_have_value("写给乙的半句话", timeout=HERE)

    turn_to(page, "write")
    saved = page.locator(".saved")
    expect(saved).not_to_have_text("")
    page.locator(FIELD).click()
    for words in (FIRST, SECOND):  # the field is never left
        page.keyboard.type(words)
        expect(saved).to_have_text(t("studio.saved_saving", "zh"))
        expect(saved).to_contain_text("已于", timeout=HERE)
    expect(page.locator(FIELD)).to_be_focused()
    assert page.locator(FIELD).input_value() == FIRST + SECOND, "nothing that was typed is drawn over"
    at_rest(page)
    assert violations(page) == []
    page.keyboard.type(" The end.")
    page.keyboard.press("Control+Enter")
    chapter = page.locator(".st-key-studio-draft-chapter")
    chapter.get_by_test_id("stNumberInputStepUp").click()  # at once: the field is left by this press; both count
    expect(chapter.locator("input")).to_have_value("2", timeout=HERE)
    expect(saved).to_contain_text("已于", timeout=HERE)
    length = page.locator(NUMBER).last  # in a form, which tells nobody of it
    length.fill("7")
    length.press("ArrowUp")
    length.press("ArrowDown")
    expect(saved).to_have_text(t("studio.saved_saving", "zh"))
    expect(saved).to_contain_text("已于", timeout=HERE)


# -- the plan board ----------------------------------------------------------------------------------------------------


LANES = """lanes => Object.fromEntries(lanes.map((lane) =>
  [lane.querySelector("h4").textContent,
   [...lane.querySelectorAll(".wr-card .leads")].map((title) => title.textContent)]))"""
BEGUN: dict[str, list[str]] = TABLES["begun"]


def lanes(page: Page) -> dict[str, list[str]]:
    at_rest(page)
    found: dict[str, list[str]] = page.locator(".wr-lane").evaluate_all(LANES)
    return found


def a_card_is_moved_by_mouse_and_keys(page: Page) -> None:
    turn_to(page, "plan")
    expect(page.locator(".wr-card").first).to_be_visible(timeout=HERE)
    assert lanes(page) == BEGUN
    assert violations(page) == []
    page.get_by_role("button", name="Quill stays behind").click()
    step = page.locator(".st-key-studio-board-step")
    expect(step).to_contain_text("storyline Quill, 2 of 2", timeout=HERE)
    at_rest(page)
    assert violations(page) == []
    step.locator("[data-testid=stSelectbox] button").click()
    page.get_by_role("option", name="Ilse").click()
    expect(step).to_contain_text("storyline Ilse, 1 of 1", timeout=HERE)
    press(page, "studio-bible-undo")
    expect(step).to_contain_text("storyline Quill, 2 of 2", timeout=HERE)
    assert lanes(page) == BEGUN

    keys = Keys(page)
    first, second, third = BEGUN["Ilse"]
    keys.go("studio-board", first)
    keys.press("Enter")
    expect(step).to_contain_text(f"{first}storyline Ilse, 1 of 3", timeout=HERE)
    keys.is_at("studio-board", first)
    keys.go("studio-board-later", back=True)
    keys.press("Enter")
    expect(step).to_contain_text("2 of 3", timeout=HERE)
    keys.is_at("studio-board-later")
    keys.press("Enter")
    expect(step).to_contain_text("3 of 3", timeout=HERE)
    keys.is_at("studio-board-")  # what had the focus is switched off: it is nearby
    assert lanes(page) == {**BEGUN, "Ilse": [second, third, first]}
    turn_to(page, "discuss")
