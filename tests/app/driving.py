"""How a test drives the app's pages, on a run of its own or a copy of the recorded one, and reads what they show."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from streamlit.testing.v1 import AppTest

from memorybank.hosting.tabs import SharedRun
from memorybank.memory.events import StageFinished
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Lang
from memorybank.runs.journal import Journal
from memorybank.runs.run_folder import JOURNAL, SESSION, RunFolder, load
from memorybank.ui.shell import state
from memorybank.ui.shell.tab import Tab
from memorybank.ui.shell.widgets import SESSION_VIEW
from tests.recorded import recorded_run
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


def component(page: AppTest, key: str) -> Any:
    """The data of what a component is sent."""
    return json.loads(sent(page, key))


def shown(page: AppTest, key: str) -> str:
    """The text that a component shows, its boxes left out."""

    def inside(piece: Any) -> str:
        return piece if isinstance(piece, str) else "".join(map(inside, piece[2]))

    return "".join(map(inside, component(page, key)["boxes"]))


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
    if key not in keys(page):
        return []
    (rows,) = component(page, key)["boxes"]

    def inside(piece: Any) -> Iterator[str]:
        if isinstance(piece, str):
            yield piece
        else:
            for one in piece[2]:
                yield from inside(one)

    return [" ".join(inside(row)) for row in rows[2]]


def worker_of(page: AppTest) -> SharedRun:
    """The tab's run; a saved one answers to the same protocol as far as a test asks it."""
    return cast(SharedRun, tab_of(page).run)


def view(page: AppTest, name: str) -> AppTest:
    """One of the views of the Session page."""
    next(group for group in page.button_group if str(group.key).startswith(SESSION_VIEW.key)).set_value(name)
    return page.run()


def choose(page: AppTest, key: str, value: object) -> AppTest:
    """What a widget of this key is given to hold; then the page."""
    page.session_state[key] = value
    page.run()
    assert not page.exception, page.exception
    return page


def press(page: AppTest, key: str) -> AppTest:
    page.button(key=key).click().run()
    assert not page.exception, page.exception
    return page


def order(page: AppTest, key: str) -> AppTest:
    """Press what gives the run an order, and let it be obeyed."""
    rest(press(page, key))
    assert worker_of(page).error is None
    assert not page.exception, page.exception
    return page


def submit(page: AppTest, label: str) -> None:
    """Press a form's button."""
    next(button for button in page.form_submit_button if button.label == label).click().run()
    assert not page.exception


def rest(page: AppTest, seconds: float = 60.0) -> AppTest:
    """Let the tab's run come to rest, then look at it."""
    worker = worker_of(page)
    wait_until(lambda: not worker.busy, seconds, lambda: worker.phase)
    return page.run()


# -- A page of the app on a copy of the recorded run ------------------------------------------------------------------


RUN_ID = "cd" * 16
Change = Callable[[list[dict[str, Any]]], None]
"""Changes the events of a journal in place."""


def open_page(
    app: AppTest,
    page: str,
    lang: Lang = "en",
    *,
    run: RunFolder | None = None,
    change: Change | None = None,
    events: int | None = None,
    own: bool = False,
    k: int | None = None,
) -> AppTest:
    """`run`: another one than the recorded one. `events`: it was left after so many. `own`: it is gone on with here;
    else it is only read. `k`: the moment that the address names."""
    folder = state.runs().root / RUN_ID
    shutil.copytree((run or recorded_run(lang)).path, folder)
    if change is not None:
        change_journal(folder, change)
    if events is not None:
        # Leave the first events of a run: a line each, below the journal's own first line.
        journal = folder / JOURNAL
        lines = journal.read_bytes().splitlines(keepends=True)
        journal.write_bytes(b"".join(lines[: events + 1]))
    app.query_params.update({"run": RUN_ID, "lang": lang} | ({} if k is None else {"k": str(k)}))
    app.run()
    if own:
        app.button(key="continue-run").click().run()
        rest(app)
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception, app.exception
    return app


def change_journal(folder: Path, change: Change) -> None:
    head, *lines = (folder / JOURNAL).read_text("utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    change(events)
    written = [json.dumps({**one, "seq": seq}, ensure_ascii=False) for seq, one in enumerate(events, start=1)]
    (folder / JOURNAL).write_text("\n".join([head, *written]) + "\n", "utf-8")


def follow(app: AppTest, kind: str, id_: str) -> AppTest:
    """What a click on a link to this page leaves behind, then the page."""
    arrive_by(app, f"{kind}:{id_}")
    app.run()
    assert not app.exception, app.exception
    return app


def bank_of(app: AppTest) -> MemoryState:
    """The memory at the moment that the page shows."""
    playback = tab_of(app).playback
    bank: MemoryState = playback.at(worker_of(app).records, tab_of(app).at).bank
    return bank


def targets(app: AppTest) -> set[str]:
    """Everything on the page that leads somewhere."""
    drawn = [json.loads(one.proto.json or "null") for one in app if one.type == "bidi_component"]
    return {target for data in drawn for box in (data or {}).get("boxes", ()) for target in _chosen(box)}


def _chosen(box: Any) -> Iterator[str]:
    """A box is [tag, look, inside] and, where it can be clicked, what that chooses."""
    if isinstance(box, list):
        if len(box) > 3 and "choose" in box[3]:
            yield box[3]["choose"]
        for piece in box[2]:
            yield from _chosen(piece)


def write_run(app: AppTest, page: str, *commits: Sequence[object], lang: Lang = "en") -> AppTest:
    """A run that consists of these commits, opened to read on a page. `commits`: facts, without what begins a run."""
    folder = RunFolder(state.runs().root / RUN_ID)
    folder.path.mkdir(parents=True)
    begun = load(recorded_run(lang).path)[0].event
    with Journal.create(folder.journal, SESSION) as journal:
        for facts in ([begun], *commits):
            journal.append([*facts, StageFinished(stage="analyse", round=1)], durable=True)
    app.query_params["run"] = RUN_ID
    app.query_params["lang"] = lang
    app.run()
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception, app.exception
    return app
