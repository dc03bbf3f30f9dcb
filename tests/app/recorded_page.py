"""A page of the app on a copy of the recorded run: only read, or one's own; whole, or as it stood at a moment."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from memorybank.memory.events import StageFinished
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Lang
from memorybank.runs.journal import Journal
from memorybank.runs.run_folder import JOURNAL, SESSION, RunFolder, load
from memorybank.ui.shell import state
from tests.app.driving import arrive_by, rest, tab_of, worker_of
from tests.recorded import recorded_run

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
        cut_journal(folder, events)
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


def cut_journal(folder: Path, events: int) -> None:
    """Leave the first events of a run: a line each, below the journal's own first line."""
    journal = folder / JOURNAL
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[: events + 1]))


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
