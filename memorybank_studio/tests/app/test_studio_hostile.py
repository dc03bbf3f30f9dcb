"""Payloads × places of the studio, in a real browser: tasks, turns, facts, plans, hooks, settings, chapters, a draft, a
file's name. None runs, none asks for anything, none becomes an element or a link; each stands there as the text it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from memorybank.embedding.hashed import HashedNgrams
from memorybank.views.i18n import t
from memorybank_studio.drafts import DraftItem, Item
from memorybank_studio.page.hub import PARTS
from memorybank_studio.page.shelf import FOLDER, Shelf
from memorybank_studio.studio import Studio
from memorybank_studio.tests.app.test_studio_browser import HERE, OPENING, press, turn_to, turn_to_studio
from memorybank_studio.tests.tasks.studio import offered
from memorybank_studio.types import (
    HAS_STATUS,
    UNRESOLVED,
    Chunk,
    Command,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    Setting,
    TaskId,
)
from memorybank_studio.writes import StatusChange
from tests.app.driving import SMALL
from tests.app.hostile_sight import faults, listen, look, missing
from tests.app.test_hostile_browser import settle
from tests.hostile import OWNED, PAYLOADS
from tests.watching import expect

TEXTS = {
    **{name: text[:2_000] for name, text in PAYLOADS.items()},
    "cypher": "'}) DETACH DELETE n // `]->() \" MATCH (n) DELETE n",
    "command in a quote": "“/settle” and “/discard t1”",
}
INVISIBLE = ("control characters", "terminal", "direction marks")
"""What an author's own field shows as it is typed, and what makes a file no text."""
EVERYTHING = "\n".join(TEXTS.values())
FILE = f"\"><img class={OWNED} src=x onerror=window.__ran='file'>:red[x] $a$.txt"
ORIGIN = Origin(task=TaskId(""), chapter=1, source="word for word", turns=())


def one_line(text: str) -> str:
    return " ".join(text.split())[:150]


def items() -> Iterator[Item]:
    """Every payload as a name, an alias, a note, a source, a property, a title, a key, a text."""
    state = Entity(kind=EntityKind.STATUS, name=UNRESOLVED, origin=ORIGIN)
    lin = Entity(kind=EntityKind.CHARACTER, name="Lin", origin=ORIGIN)
    general = Plan(kind=PlanKind.GENERAL, title=one_line(TEXTS["script"]), text=EVERYTHING, origin=ORIGIN)
    long = Plan(kind=PlanKind.LONG, title=one_line(TEXTS["svg"]), parent=general.key, origin=ORIGIN)
    yield from (state, lin, general, long)
    for place, (name, text) in enumerate(TEXTS.items()):
        origin = Origin(task=TaskId(""), chapter=1, source=text, turns=())
        said = one_line(text)
        kind = EntityKind.CHARACTER if place % 2 else EntityKind.ITEM
        who = Entity(kind=kind, name=said, aliases=(f"{said} {name}",), note=text, origin=origin)
        hook = Entity(kind=EntityKind.HOOK, name=f"{said}?", note=text, origin=origin)
        yield from (who, hook)
        yield Fact(subject=lin.key, predicate="KNOWS", object=who.key, properties={said: text}, since=1, origin=origin)
        yield Fact(subject=hook.key, predicate=HAS_STATUS, object=state.key, since=1, origin=origin)
        line = said if place < 2 else "Lin"
        short = Plan(kind=PlanKind.SHORT, title=said, parent=long.key, storyline=line, origin=origin)
        step = Plan(kind=PlanKind.STEP, title=said, text=text, parent=short.key, storyline=line, origin=origin)
        yield from (short, step)
        yield StatusChange(plan=step.key, status=PlanStatus.COMPLETED if place % 3 else PlanStatus.PENDING)
        yield Setting(key=said, category=name, text=text, origin=origin)


def fill(studio: Studio) -> None:
    gateway = studio.gateway
    chunks = [
        Chunk(chapter_id=1, chapter_title=one_line(text), place=place, start=0, end=1, text=text, entity_list=(text,))
        for place, text in enumerate(TEXTS.values())
    ]
    with studio.hub.changing() as stores:
        stores.archive.put(chunks)
    confirmed = offered(gateway, "what is so", [DraftItem(item=item, turns=()) for item in items()])
    assert gateway.confirm(confirmed.task, confirmed.proposals).applied
    for name, text in TEXTS.items():
        gateway.handle("", task=None, command=Command.NEW, argument=f"{one_line(text)} {name}")
    gateway.handle(EVERYTHING, task=None, command=Command.NEW, argument=one_line(TEXTS["markdown image"]))
    offered(gateway, "Waiting", [DraftItem(item=item, turns=(), reason=EVERYTHING) for item in waiting()])


def waiting() -> Iterator[Item]:
    for text in TEXTS.values():
        yield Setting(key=f"new {one_line(text)}", text=text, origin=ORIGIN)
        yield Entity(kind=EntityKind.CHARACTER, name=f"new {one_line(text)}", note=text, origin=ORIGIN)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, serve_app: Callable[..., str]) -> str:
    root = tmp_path_factory.mktemp("hostile-studio")

    def no_opener(folder: Path, card: object) -> Studio:
        raise AssertionError("the app opens it")

    shelf = Shelf(root / FOLDER, no_opener)  # type: ignore[arg-type]
    id_ = shelf.add(one_line(TEXTS["event handler"])[:120], "en")
    with Studio.open(root / FOLDER / id_, HashedNgrams()) as studio:
        fill(studio)
    return serve_app(STORAGE_DIR=str(root), **SMALL)


def test_every_part_of_the_studio_shows_it_as_text(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, locale="en-GB")
    heard = listen(context, address)
    page = context.new_page()
    found: list[str] = []
    seen: dict[str, set[str]] = {}

    def note(place: str) -> None:
        settle(page)
        sight = look(page)
        seen[place] = sight.seen()
        found.extend(f"{place}: {one}" for one in faults(sight, address))

    page.goto(f"{address}/?lang=en")
    turn_to_studio(page)
    note("choice")
    page.locator("[class*=st-key-studio-open-] button").first.click()
    expect(page.locator(".st-key-studio-tasks-none, [class*=st-key-studio-task-t]").first).to_be_visible(
        timeout=OPENING
    )
    note("tasks")
    switch_to(page, "Waiting")
    note("table")
    press(page, "studio-row-edit-1")
    note("a row's form")
    switch_to(page, one_line(TEXTS["markdown image"]))
    note("turns and options")
    for place, part in ((place, part) for place, parts in PARTS.items() for part in parts):
        turn_to(page, place, part)
        if part == "facts":
            choose(page, "studio-entity", "Lin")
        if part == "archive":
            choose(page, "studio-archive-chapter", "1")
            expect(page.locator(".st-key-studio-archive .raw").first).to_be_visible()
        note(part)
    for name in ("plan", "write"):
        turn_to(page, name)
        note(name)
    settle(page)
    draft = page.locator(".st-key-studio-draft textarea")
    draft.fill("\n".join(["Lin spoke.", *(text for name, text in TEXTS.items() if name not in INVISIBLE)]))
    draft.press("Control+Enter")
    note("draft")
    turn_to(page, "chapters", "book")
    upload(page, "a null byte: \0")
    expect(page.locator(".st-key-studio-import-problem")).to_be_visible(timeout=HERE)
    note("a file that is refused")
    told = [text for name, text in TEXTS.items() if name not in INVISIBLE]
    upload(page, "\n\n".join(f"Chapter {place} {one_line(text)}\n\n{text}" for place, text in enumerate(told, 1)))
    expect(page.locator(".st-key-studio-chapters")).to_be_visible(timeout=HERE)
    note("book")
    context.close()
    assert found == []
    assert heard == []
    whole = ("turns and options", "hooks", "settings", "archive")
    assert {place: missing(seen[place]) for place in whole if missing(seen[place])} == {}


def upload(page: Page, text: str) -> None:
    field = page.locator(".st-key-studio-import-file input[type=file]")
    field.set_input_files({"name": FILE, "mimeType": "text/plain", "buffer": text.encode("utf-8", "replace")})


def switch_to(page: Page, title: str) -> None:
    card = page.locator("[class*=st-key-studio-task-t]", has=page.get_by_text(re.compile(f"^{re.escape(title)}$")))
    card.get_by_role("button", name=t("studio.switch", "en")).first.click()
    expect(page.locator(".st-key-studio-current")).to_contain_text(title)
    settle(page)


def choose(page: Page, key: str, option: str) -> None:
    field = page.locator(f".st-key-{key} input").first
    field.fill(option)
    field.press("Enter")
    settle(page)
