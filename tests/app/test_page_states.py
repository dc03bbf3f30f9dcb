"""Rarer states of the pages: a run that broke off or failed in part, one of another program, a proxy in front."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from memorybank.engines.offline.planning import OfflinePlanning
from memorybank.memory.types import Lang
from memorybank.session.assembly import assemble
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank.ui.shell import serving, state
from memorybank.views.i18n import t
from tests.app.driving import RUN_ID, bank_of, keys, order, press, rest, says, shown, start, worker_of
from tests.recorded import recorded_run
from tests.scripted import Failing
from tests.waiting import wait_until

ONE = "The Tamar Bridge was opened in 1961. It is 335 metres long and carries three lanes of traffic."
OTHER = "The Tamar Bridge was opened in 1981. It is a toll bridge and ferries run beside it."
TASK = "When was the Tamar Bridge opened?"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # told on the terminal as well
def test_a_run_that_broke_off_midway_says_why_and_goes_on_from_there(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(self: object, given: object) -> None:
        raise RuntimeError("the planner fell over <b>here</b>")

    rest(start(app, TASK, ("one.txt", ONE.encode()), ("other.txt", OTHER.encode()), button="new-step"))
    with monkeypatch.context() as broken:
        broken.setattr(OfflinePlanning, "run", breaks)
        app.button(key="run").click().run()
        worker = worker_of(app)
        wait_until(lambda: worker.phase is Phase.FAILED, 30, lambda: worker.phase)
        app.run()
        assert not app.exception
        assert says(app, "the planner fell over <b>here</b>")
        assert says(app, TASK), "the rest of the page stands"
        assert "run" not in keys(app)
        done = len(worker.records)
        for page in ("2_graph", "3_conflicts", "4_tree", "5_prompt", "6_replay"):
            app.switch_page(f"pages/{page}.py").run()
            assert not app.exception, page
    app.switch_page("pages/1_session.py").run()
    order(order(app, "resume"), "run")
    again = worker_of(app)
    assert again is not worker
    assert again.session is not None
    assert again.session.result.result == "complete"
    before = [one.event for one in worker.records[:done]]
    assert [one.event for one in again.records[: len(before)]] == before, "what had been done stands"


def test_a_run_that_another_program_writes_is_offered_and_watched(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "theirs"
    monkeypatch.setenv("WATCH_DIR", str(folder))
    app.run()
    assert "watch" not in keys(app), "there is nothing yet"
    assert says(app, t("watch.offer", "en", name="theirs"))
    shutil.copytree(recorded_run("en").path, folder)
    press(app.run(), "watch")
    wait_until(lambda: bool(worker_of(app).records), 30)
    app.run()
    assert "James Webb" in shown(app, "insight")
    assert not {"run", "step", "pause"} & keys(app)


def test_behind_a_proxy_nobody_is_told_anothers_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def seen_from(address: str | None, headers: Mapping[str, str], served: str = "127.0.0.1") -> bool:
        monkeypatch.setattr(st, "context", SimpleNamespace(ip_address=address, headers=headers))
        monkeypatch.setattr(st, "get_option", {"server.address": served}.__getitem__)
        return serving.is_served_here()

    assert seen_from("127.0.0.1", {})
    assert seen_from(None, {})
    assert seen_from("::1", {}, served="localhost")
    assert seen_from("127.0.0.1", {"Host": "localhost:8501"})
    assert not seen_from("127.0.0.1", {"Host": "named.example"}), "a name of the owner's may be others', too"
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-Ip"):
        assert not seen_from("127.0.0.1", {header: "203.0.113.9"}), header
    assert not seen_from("203.0.113.9", {})
    assert not seen_from("127.0.0.1", {}, served="0.0.0.0")
    assert not seen_from("127.0.0.1", {}, served="")


# -- what an agent's failure left out is told, and filed again ---------------------------------------------------------


TEXTS = ("塔马大桥于1961年通车。桥长335米。", "奥林灯塔于1871年点亮。")
GOAL = "塔马大桥是哪一年通车的？"
REASON = "gave no usable classification in two tries"


def failing_run(folder: Path) -> None:
    """A run whose classification failed on one of two texts."""
    ready = assemble(Settings(embedding_model="hashed-ngrams", lang="zh"), [GOAL])
    names = ("classification", "structure", "analysis", "integration", "planning")
    agents = {name: getattr(ready.engine, name) for name in names}
    agents["classification"] = Failing(agents["classification"], lambda given: "灯塔" in given.text, REASON)
    engine = SimpleNamespace(name=ready.engine.name, **agents)
    sources = [Source(name=f"note{at}.txt", text=text, kind="text") for at, text in enumerate(TEXTS, start=1)]
    with Session.start(folder, replace(ready, engine=engine), goal=GOAL, sources=sources) as session:  # type: ignore[arg-type]
        assert session.run().result == "complete_with_failures"


def test_what_failed_is_told_and_filed_again(app: AppTest) -> None:
    lang: Lang = "zh"
    failing_run(state.runs().root / RUN_ID)
    app.query_params.update({"run": RUN_ID, "lang": lang})
    app.run()
    assert "refile" not in keys(app), "what is only read is not changed"
    order(app, "continue-run")
    assert says(app, t("run.result.complete_with_failures", lang))
    assert says(app, t("session.left_undone", lang, count=1))
    assert says(app, REASON)
    assert says(app, t("session.answer_failures", lang, count=1))
    app.switch_page("pages/4_tree.py").run()
    assert says(app, t("tree.failed", lang, count=1))
    size = len(TEXTS[1])
    assert says(app, t("tree.failed_part", lang, part=size, whole=size))
    assert says(app, REASON)
    app.switch_page("pages/1_session.py").run()
    nodes = len(bank_of(app).graph.nodes)
    order(app, "refile")
    assert len(bank_of(app).graph.nodes) > nodes
    app.run()
    assert "refile" not in keys(app)
    assert not says(app, t("session.left_undone", lang, count=1))
    assert says(app, t("run.result.complete_with_failures", lang)), "what failed once stays told"
