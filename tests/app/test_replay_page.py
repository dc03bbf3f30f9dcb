"""The Replay page through AppTest: every state of it, both languages, what a person does, and that text stays text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.memory.events import ConflictFound, StageFinished, StageStarted
from memorybank.memory.types import Lang
from memorybank.runs import archive
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank.ui.shell import saved, state
from memorybank.views.i18n import t
from memorybank.views.run.commits import borders_of
from tests.app.driving import (
    RUN_ID,
    choose,
    component,
    follow,
    keys,
    open_page,
    order,
    press,
    says,
    shown,
    tab_of,
    targets,
    worker_of,
)
from tests.recorded import recorded_run

PAGE = "6_replay"


@pytest.fixture(autouse=True)
def _on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no server in these tests whose address would say so."""
    monkeypatch.setattr(saved, "is_served_here", lambda: True)


def slider(app: AppTest) -> dict[str, Any]:
    """What the slider was sent."""
    data: dict[str, Any] = component(app, "timeline")
    return data


def slide(app: AppTest, k: int | None, *, turn: int | None = None) -> AppTest:
    """What the browser says when the slider has moved."""
    heard = tab_of(app).browser.heard.get("timeline", 0)
    return choose(app, "timeline", {"said": {"turn": heard + 1 if turn is None else turn, "k": k}})


def test_any_moment_of_a_run(app: AppTest, lang: Lang) -> None:
    open_page(app, PAGE, lang)
    records = worker_of(app).records
    newest = slider(app)
    assert (newest["k"], newest["n"]) == (None, len(records))
    found = next(record for record in records if isinstance(record.event, ConflictFound))
    border = next(record.seq for record in records[found.seq :] if isinstance(record.event, StageFinished))
    follow(app, "moment", str(found.seq))
    assert tab_of(app).at == found.seq
    assert slider(app)["k"] == found.seq
    assert shown(app, "replay-event").startswith({"en": "Conflict: ", "zh": "冲突："}[lang])
    links = {f"conflict:{found.event.conflict_id}", f"node:{found.event.node_ids[1]}"}
    assert links <= targets(app)
    follow(app, "moment", str(border))
    assert slider(app)["k"] == border
    assert found.event.conflict_id in tab_of(app).playback.at(records, border).bank.conflicts.all


def test_the_slider_moves_the_moment_and_an_echo_does_not(app: AppTest) -> None:
    open_page(app, PAGE)
    slide(app, 155)
    assert tab_of(app).at == 155
    assert slider(app)["heard"] == 1
    slide(app, 200, turn=1)  # the browser gives an old value back
    assert tab_of(app).at == 155
    slide(app, None)
    assert tab_of(app).at is None
    assert slider(app)["heard"] == 2


def test_nonsense_from_the_browser_breaks_nothing(app: AppTest) -> None:
    open_page(app, PAGE)
    nonsense: tuple[dict[str, Any], ...] = ({"k": "12"}, {"k": 3.5, "turn": 9}, {"turn": "x", "k": 3}, {})
    for said in (*nonsense, {"k": -4, "turn": 99}):
        choose(app, "timeline", {"said": said})
        assert tab_of(app).at in (None, 0), said


def test_a_and_b_are_set_on_the_slider_and_each_part_of_their_difference_is_shown(app: AppTest) -> None:
    choose(open_page(app, PAGE), "replay-section", "diff")
    for part, holds in (("graph", "diff-graph"), ("nodes", "diff-list-nodes"), ("conflicts", "diff-list-conflicts")):
        choose(app, "diff-part", part)
        assert shown(app, "step-b").startswith("B")
        assert holds in keys(app)
        assert part == "graph" or shown(app, holds)
    slide(app, 120)
    press(app, "set-a")
    stage = next(
        record.event
        for record in reversed(worker_of(app).records[:120])
        if isinstance(record.event, StageStarted | StageFinished)
    )
    assert shown(app, "step-a") == f"Aevent 120 · {t(f'stage.{stage.stage}', 'en')}, round {stage.round}"
    assert [120, "ab"] in slider(app)["marks"]
    slide(app, 60)
    press(app, "set-b")
    assert says(app, "A is the later moment")
    follow(app, "moment", "120")
    assert tab_of(app).at == 120
    press(app, "set-b")
    assert says(app, "same moment")


def test_a_branch_is_made_opened_run_and_seen_beside_its_parent(app: AppTest) -> None:
    open_page(app, PAGE)
    parent = worker_of(app)
    before = parent.records
    border = max(each for each in borders_of(before) if each <= 300)
    slide(app, border)
    press(app, "fork-here")
    assert says(app, f"up to event {border}")
    order(app, "fork-do")
    branch = worker_of(app)
    assert branch.run_id != parent.run_id
    assert list(branch.records[:border]) == list(before[:border])
    assert app.query_params["run"] == branch.run_id
    assert tab_of(app).at is None
    assert len(load(state.runs().folder(RUN_ID).path)) == len(before)
    choose(app, "replay-section", "branches")
    assert says(app, f"at event {border}")
    press(app, f"branch-{RUN_ID}-open")
    assert worker_of(app).run_id == RUN_ID
    choose(app, "replay-section", "branches")
    assert says(app, f"A branch from event {border}")
    press(app, f"branch-{branch.run_id}-compare")
    assert tab_of(app).compare_pair == {"a": RUN_ID, "b": branch.run_id}


# -- saved runs -------------------------------------------------------------------------------------------------------


def upload(app: AppTest, name: str, data: bytes) -> AppTest:
    app.file_uploader(key="open-file-0").upload(name, data).run()
    return press(app, "open-file-do")


def test_a_saved_run_is_the_same_memory_elsewhere(app: AppTest) -> None:
    app.run()
    upload(app, "journal.jsonl", archive.journal_bytes(load(recorded_run("zh").path)))
    assert "FAST" in shown(app, "insight")
    opened = worker_of(app)
    assert not opened.takes_orders
    assert app.query_params["run"] == opened.run_id
    assert fingerprint(state_at(opened.records)) == fingerprint(state_at(load(recorded_run("zh").path)))


def test_a_bad_file_is_one_sentence_and_leaves_nothing(app: AppTest, tmp_path: Path) -> None:
    app.run()
    for name, data, words in (
        ("<img src=x onerror=alert(1)>.zip", b"PK\x03\x04", "damaged zip"),
        ("../../../outside.zip", b"PK\x03\x04", "damaged zip"),
        ("journal.jsonl", b'{"journal": "memorybank", "schema": 99}\n', "newer version"),
        ("journal.jsonl", b"", "is empty"),
    ):
        upload(app, name, data)
        assert says(app, "That did not work")
        assert says(app, words)
        assert not list(state.runs().root.glob("*"))
        assert {path.name for path in tmp_path.iterdir()} <= {"runs", "state"}
