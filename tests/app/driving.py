"""How a test drives the app's pages and reads what they show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from streamlit.testing.v1 import AppTest

from memorybank.hosting.tabs import SharedRun
from memorybank.ui.shell.tab import Tab
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
SMALL = {"EMBEDDING_MODEL": "hashed-ngrams"}
"""The embedding that needs no model."""


def texts(page: AppTest) -> Iterator[str]:
    """All text on the page, that of the components included."""
    for element in page:
        if element.type == "bidi_component":
            yield from _strings(json.loads(element.proto.json or "null"))
        elif isinstance(value := getattr(element, "value", None), str):
            yield value


def _strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, list | dict):
        for one in data.values() if isinstance(data, dict) else data:
            yield from _strings(one)


def says(page: AppTest, words: str) -> bool:
    return any(words in text for text in texts(page))


def keys(page: AppTest) -> set[str]:
    """The keys of everything that is on the page."""

    def below(block: Any) -> Iterator[str]:
        for one in getattr(block, "children", {}).values():
            id_ = str(getattr(getattr(one, "proto", None), "id", "") or "")
            if id_.startswith("$$ID-"):
                yield id_.split("-", 2)[2]
            yield from below(one)

    return set(below(page._tree))


def sent(page: AppTest, key: str) -> str:
    """What a component is sent, its links included."""
    found = next(one for one in page if one.type == "bidi_component" and one.proto.id.endswith(f"-{key}"))
    return str(found.proto.json)


def shown(page: AppTest, key: str) -> str:
    """The text that a component shows, its boxes left out."""

    def inside(piece: Any) -> str:
        return piece if isinstance(piece, str) else "".join(map(inside, piece[2]))

    found = next(one for one in page if one.type == "bidi_component" and one.proto.id.endswith(f"-{key}"))
    return "".join(map(inside, json.loads(found.proto.json)["boxes"]))


def start(page: AppTest, prompt: str = "", *documents: tuple[str, bytes], button: str = "new-run") -> AppTest:
    page.run()
    page.text_area(key="new-prompt").set_value(prompt)
    page.selectbox(key="new-corpus").set_value("none")
    for name, data in documents:
        page.file_uploader(key="new-context").upload(name, data)
    return page.button(key=button).click().run()


def tab_of(page: AppTest) -> Tab:
    """What the page's tab remembers; of a page that was not run yet, what it will."""
    if "tab" not in page.session_state:
        page.session_state["tab"] = Tab()
    tab: Tab = page.session_state["tab"]
    return tab


def arrive_by(page: AppTest, target: str) -> None:
    """What a click on a link leaves behind, `conflict:c1`."""
    kind, _, id_ = target.partition(":")
    tab = tab_of(page)
    tab.focus[kind] = id_  # type: ignore[index]
    tab.followed = target


def open_listed(page: AppTest, address: str) -> AppTest:
    """What a click on the button of a run's line leaves behind: the run to be opened, here."""
    tab = tab_of(page)
    tab.run, tab.address.arrived = None, {}
    page.query_params["run"] = address
    return page.run()


def lines(page: AppTest, key: str) -> list[str]:
    """The lines of a list of runs."""
    found = next((one for one in page if one.type == "bidi_component" and one.proto.id.endswith(f"-{key}")), None)
    if found is None:
        return []
    (rows,) = json.loads(found.proto.json)["boxes"]
    return [" ".join(_strings_inside(row)) for row in rows[2]]


def _strings_inside(piece: Any) -> Iterator[str]:
    if isinstance(piece, str):
        yield piece
    else:
        for one in piece[2]:
            yield from _strings_inside(one)


def worker_of(page: AppTest) -> SharedRun:
    """The tab's run; a saved one answers to the same protocol as far as a test asks it."""
    return cast(SharedRun, tab_of(page).run)


def view(page: AppTest, name: str) -> AppTest:
    """One of the views of the Session page."""
    page.button_group(key="session-view").set_value(name)
    return page.run()


def press(page: AppTest, label: str) -> None:
    """Press a form's button."""
    next(button for button in page.form_submit_button if button.label == label).click().run()
    assert not page.exception


def rest(page: AppTest, seconds: float = 60.0) -> AppTest:
    """Let the tab's run come to rest, then look at it."""
    worker = worker_of(page)
    wait_until(lambda: not worker.busy, seconds, lambda: worker.phase)
    return page.run()
