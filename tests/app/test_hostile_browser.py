"""Payloads × places, in a real browser: each payload in each field of a run, looked at on each page and in the export.

None runs, none asks for anything, none becomes an element or a link; each stands there as the text it is.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from google.protobuf.json_format import MessageToDict
from playwright.sync_api import Browser, Page, TimeoutError
from streamlit.testing.v1 import AppTest

from memorybank.runs.export import to_json
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.ui.shell import links, state
from memorybank.views.html_export import export_html
from memorybank.views.i18n import t
from tests.app.driving import SMALL, arrive_by, says, tab_of
from tests.app.hostile_run import write_hostile_run
from tests.app.hostile_sight import SIGNS, faults, look, missing
from tests.app.looking import LEAST_UNTOUCHED, at_rest, press
from tests.app.test_demo import opened
from tests.hostile import PAYLOADS
from tests.tables import tables
from tests.ui.html_export.test_opened import opened as opened_file
from tests.watching import expect

LOCAL = {**SMALL, "LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "model"}
"""A language model that nothing asks: the run names one, and names of models are hostile too."""
CHOICES = (
    "[data-testid=stButtonGroup] button:not(.st-key-lang button), [data-testid=stTab], [data-testid=stExpander] summary"
    ", .st-key-feed-more button"
)
"""What unfolds more of a page."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A folder of runs, the hostile run in it, and one that began with that run's memory.json."""
    folder, written, imported = tmp_path_factory.mktemp("hostile"), secrets.token_hex(16), secrets.token_hex(16)
    (folder / written).mkdir()
    write_hostile_run(folder / written, written)
    memory = json.dumps(to_json(state_at(load(folder / written))))
    parts = assemble(Settings(embedding_model=SMALL["EMBEDDING_MODEL"], lang="en"), [])
    shutil.copytree(folder / written / "files", folder / imported / "files")
    with Session.start(folder / imported, parts, memory=memory, run_id=imported):
        pass
    return folder, written, imported


@pytest.fixture(scope="module")
def address(runs: tuple[Path, str, str], serve_app: Callable[..., str]) -> str:
    return serve_app(STORAGE_DIR=str(runs[0]), **LOCAL)


LENGTH = """() => {
  const all = (root) => [...root.querySelectorAll("*")].reduce(
    (sum, one) => sum + (one.shadowRoot ? all(one.shadowRoot) : 0), root.innerHTML.length
  );
  return all(document.body);
}"""
"""Of all that the page holds, what stands in its components with it."""


def settle(page: Page) -> None:
    """Until the script is through and nothing more comes, in components neither."""
    at_rest(page, LEAST_UNTOUCHED)
    before = -1
    while (now := page.evaluate(LENGTH)) != before:
        before = now
        at_rest(page, LEAST_UNTOUCHED)


def unfolded(page: Page) -> Iterator[str]:
    """Each view that the page's own choices unfold, by the choice's words, as they are found: one may bring others."""
    done: set[str] = set()
    while True:
        names = page.locator(CHOICES).evaluate_all("all => all.map(one => one.innerText)")
        left = [name for name in names if name not in done]
        if not left:
            return
        done.add(left[0])
        try:
            page.locator(CHOICES).nth(names.index(left[0])).click(timeout=5_000)
        except TimeoutError:
            continue  # it went away, or is switched off
        yield left[0].partition("\n")[0]


def look_closely(page: Page, place: str, address: str, seen: set[str]) -> list[str]:
    """The page as it comes, and as each of its choices shows it. Answers with what is wrong, each with its place."""
    found: list[str] = []

    def note(where: str) -> None:
        settle(page)
        sight = look(page)
        seen.update(sight.seen())
        found.extend(f"{place}{where}: {one}" for one in faults(sight, address))

    note("")
    for words in unfolded(page):
        note(f" / {words}")
    return found


FULL = ("session", "graph", "conflicts", "tree", "prompt")
"""Pages that show something of every payload."""
IMPORTED = ("session", "conflicts", "tree")
"""The same, of a run that began with a memory."""


def test_every_page_shows_it_as_text(browser: Browser, runs: tuple[Path, str, str], address: str) -> None:
    found: list[str] = []
    shown: dict[str, set[str]] = {}
    with opened(browser, f"{address}/?run={runs[1]}&lang=en&node=n7") as (_, page):
        for name in links.PAGES:
            if name != "session":
                turn_to(page, name)
            shown[name] = set()
            found += look_closely(page, name, address, shown[name])
        page.goto(f"{address}/?lang=en")
        for place in (0, 1):  # both saved runs, side by side
            page.locator(".st-key-runs-rows .tick").nth(place).click()
            expect(page.locator(".st-key-runs-rows .run-row.selected")).to_have_count(place + 1)
        press(page, "runs-compare")
        page.locator(".st-key-compare-table").wait_for()
        found += look_closely(page, "compared", address, set())
        page.goto(f"{address}/?run={runs[2]}&lang=en")
        for name in IMPORTED:
            if name != "session":
                turn_to(page, name)
            settle(page)
            sight = look(page)
            shown.setdefault("imported", set()).update(sight.seen())
            found += [f"imported, {name}: {one}" for one in faults(sight, address)]
    assert found == []
    assert {name: left for name in (*FULL, "imported") if (left := missing(shown[name]))} == {}


def turn_to(page: Page, name: str) -> None:
    page.get_by_role("link", name=t(f"page.{name}", "en"), exact=True).first.click()
    page.wait_for_url(lambda url: urlsplit(url).path == f"/{name}")
    at_rest(page)


def test_the_exported_page_shows_it_as_text(browser: Browser, runs: tuple[Path, str, str], tmp_path: Path) -> None:
    folder = RunFolder(runs[0] / runs[1])
    file = tmp_path / "run.html"
    file.write_bytes(export_html(load(folder.path), folder.files.read, "en"))
    with opened_file(browser, file) as page:
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        sight = look(page)
        found = [f"export: {one}" for one in faults(sight, file.as_uri())]
        page.emulate_media(media="print")
        found += [f"export / printed: {one}" for one in faults(look(page), file.as_uri())]
        found += [f"export title: {page.title()[:80]}"] if "\u202e" in page.title() else []
    assert found == []
    assert missing(sight.seen()) == set()


# -- without a browser: nothing from outside is handed to what reads Markdown ------------------------------------------

TABLES = tables(__file__)
PLAIN = {(element, field) for element, fields in TABLES["plain"].items() for field in fields}
"""Fields of elements that are drawn as they are."""
SHOWN: dict[links.PageName, tuple[str, ...]] = TABLES["shown"]
"""What a page is led to, by links; a moment by the type of its event, the last of them."""


@pytest.fixture
def page(app: AppTest, runs: tuple[Path, str, str], monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The app in this process, on the folder of the hostile run."""
    for variable, value in {"STORAGE_DIR": str(runs[0]), **LOCAL}.items():
        monkeypatch.setenv(variable, value)
    state.local.clear()
    state.runs.clear()
    app.default_timeout = 60
    app.query_params["lang"] = "en"
    return app


def read_as_markdown(page: AppTest) -> set[tuple[str, str]]:
    """Elements and their fields that hold text from outside and are not drawn as it is."""
    return {
        (element.type, field)
        for element in page
        if (proto := getattr(element, "proto", None)) is not None
        for field, text in _strings(MessageToDict(proto))
        if (element.type, field) not in PLAIN and any(sign in text for sign in SIGNS.values())
    }


def test_no_text_from_outside_is_read_as_markdown(page: AppTest, runs: tuple[Path, str, str]) -> None:
    page.query_params.update({"run": runs[1], "node": "n7"})
    page.run()
    last = {type(record.event).__name__: str(record.seq) for record in tab_of(page).run.records}
    for name, target in [(page_name, one) for page_name in links.PAGES for one in SHOWN.get(page_name, ("",))]:
        if target:
            kind, _, id_ = target.partition(":")
            arrive_by(page, f"{kind}:{last.get(id_, id_)}")
        page.switch_page(links.PAGES[name][0]).run()
        assert not page.exception, (name, target)
        assert read_as_markdown(page) == set(), (name, target)


def test_titles_of_saved_runs_and_names_of_uploads_are_text(page: AppTest, runs: tuple[Path, str, str]) -> None:
    tab_of(page).runs_opened = list(runs[1:])
    page.run()
    page.switch_page(links.PAGES["graph"][0]).run()
    assert not page.exception
    assert says(page, SIGNS["script"]), "the saved run is not told of"
    assert read_as_markdown(page) == set()
    page.switch_page(links.PAGES["session"][0]).run()
    page.text_area(key="new-prompt").set_value(PAYLOADS["formula"])
    name = PAYLOADS["event handler"].replace("/", "_")
    page.file_uploader(key="new-context").upload(f"{name}.txt", b"\x00\x01" * 500)
    page.button(key="new-run").click().run()
    assert not page.exception
    assert says(page, "That did not work")
    assert says(page, SIGNS["event handler"])
    assert read_as_markdown(page) == set()


def _strings(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inside in value.items():
            yield from _strings(inside, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for inside in value:
            yield from _strings(inside, path)
