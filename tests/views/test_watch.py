"""A run as it is written: `memorybank.watch`, and what a notebook draws of it."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

import memorybank
from memorybank.errors import InputError, JournalError
from memorybank.memory.events import ConflictFound
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.runs.stages import ends_stage
from memorybank.session.session import Session
from memorybank.views.i18n import t
from memorybank.views.story import build_scenes
from memorybank.views.watch import GLANCE, LAST_STAGES, Watch
from tests.recorded import recorded_run
from tests.scripted import parts, start
from tests.views.html_export.reading import data_in

ROOT = Path(__file__).parents[2]
WRITER = """
import sys
from pathlib import Path
from tests.scripted import start
with start(Path(sys.argv[1]), "willow qubits: 105", goal="How many?") as session:
    for report in session.iterate():
        sys.stdin.readline()
"""


def test_it_follows_a_run_of_another_process_to_its_end(run_dir: Path) -> None:
    """Watched before it began; each state is there while the writer waits behind its stage."""
    watch = memorybank.watch(run_dir)
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(run_dir)], stdin=subprocess.PIPE, text=True, cwd=ROOT)
    assert writer.stdin is not None
    ends = []
    for moment in watch.moments():
        ends.append(moment.at)
        if moment.strip.last != "receive":  # that was handed over, before any stage
            assert writer.poll() is None
            writer.stdin.write("\n")
            writer.stdin.flush()
    assert writer.wait(30) == 0
    records = load(run_dir)
    assert [record.seq for record in records if ends_stage(record)] == ends
    assert watch.now().bank.progress.result == "complete"
    assert list(watch.events()) == records


def test_a_run_that_has_ended_is_read_to_its_end_and_from_anywhere() -> None:
    watch = Watch(str(recorded_run("en").path))
    events = list(watch.events())
    assert any(isinstance(record.event, ConflictFound) for record in events)
    assert list(watch.events(since=100)) == events[100:]
    scenes = build_scenes(events)
    assert tuple(watch.scenes()) == scenes
    assert tuple(watch.scenes(since=scenes[-2].seq)) == scenes[-1:]
    *_, last = watch.moments(since=scenes[-2].seq)
    assert (last.at, last.bank.progress.answer) == (len(events), state_at(events).progress.answer)


def test_a_session_of_this_process_is_followed_and_a_watch_can_be_stopped(run_dir: Path) -> None:
    watch, seen = Watch(run_dir), []
    with start(run_dir, "willow qubits: 105", goal="How many?") as session:
        reader = threading.Thread(target=lambda: seen.extend(watch.events()))
        reader.start()
        session.step()
        while len(seen) < len(session.records):
            threading.Event().wait(GLANCE / 4)
        assert reader.is_alive(), "the run is not at rest, so more may come"
        watch.stop()
        reader.join(10)
        assert not reader.is_alive()
        assert list(watch.events()) == []
        assert watch.now().at == len(session.records)


def test_nobody_is_waited_for_who_does_not_write(run_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that was left half way ends an iteration, soon."""
    monkeypatch.setattr("memorybank.views.watch.IDLE", 0.0)
    with start(run_dir, "willow qubits: 105", goal="How many?") as session:
        session.step()
    assert [record.seq for record in Watch(run_dir).events()] == list(range(1, len(session.records) + 1))


def test_what_was_taken_back_is_followed_by_what_came_in_its_place(run_dir: Path) -> None:
    """A writer that takes a run over cuts off what was not committed."""
    with start(run_dir, "willow qubits: 105", goal="How many?") as session:
        session.run()
    journal = RunFolder(run_dir).journal
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]))  # killed before the last commit was whole
    events = Watch(run_dir).events()
    before = [next(events) for _ in lines[2:]]
    with Session.open(run_dir, lambda _: parts()) as session:
        session.run()
        border = next(seq for seq in range(len(before), 0, -1) if ends_stage(before[seq - 1]))
        assert list(events) == session.records[border:]
        assert [scene.kind for scene in Watch(run_dir).scenes()][-1] == "answer"


# -- A run in a notebook, by IPython's own display protocol -----------------------------------------------------------


HOSTILE = '</script><script>alert(1)</script> "srcdoc" <img src=x onerror=alert(1)>'


def drawn(shown: object) -> tuple[str, bytes]:
    """What a notebook is given to draw: its HTML, and the page in the frame."""
    bundle, _ = InteractiveShell.instance().display_formatter.format(shown)
    page = re.fullmatch(r'<iframe .* srcdoc="([^"<>]*)"[^<>]*></iframe>', bundle["text/html"])
    assert page is not None
    return bundle["text/html"], html.unescape(page[1]).encode()


def test_a_session_at_work_shows_its_graph_and_its_last_moments(run_dir: Path, lang: Lang) -> None:
    with start(run_dir, "willow qubits: 105", goal=HOSTILE) as session:
        for _ in range(4):
            session.step()
        html_, page = drawn(session.show(lang=lang))
        assert page == drawn(memorybank.show(memorybank.watch(run_dir), lang=lang))[1]
        assert page == drawn(memorybank.show(str(run_dir), lang=lang))[1]
        data = data_in(page)
        assert (data["words"]["play"], data["moments"][0]["seq"]) == (t("export.page.play", lang), 0)
        drawn_nodes = {name for moment in data["moments"] for part, name, _ in moment["changes"] if part == "nodes"}
        assert drawn_nodes == {*session.bank.graph.nodes}
        assert 'sandbox="allow-scripts"' in html_
        assert HOSTILE not in html_
        assert "<script" not in html_
        session.run()
        assert data_in(drawn(session.show())[1])["moments"][-1]["seq"] == len(session.records)


def test_of_a_long_run_the_last_stages_are_shown_and_all_the_memory() -> None:
    run = recorded_run("en")
    watch = memorybank.watch(run.path)
    data = data_in(drawn(memorybank.show(watch))[1])
    ends = [record.seq for record in watch.records if ends_stage(record)]
    assert [moment["seq"] for moment in data["moments"]] == ends[-LAST_STAGES - 1 :]
    assert data["at"] == LAST_STAGES
    nodes = watch.now().bank.graph.nodes
    assert {name for part, name, _ in data["moments"][0]["changes"] if part == "nodes"} <= {*nodes, *data["gone"]}
    assert str(len(nodes)) in repr(memorybank.show(watch))


def test_the_example_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cells, one after the other, in a shell of IPython."""
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    monkeypatch.chdir(tmp_path)
    notebook = (ROOT / "examples" / "notebook.ipynb").read_text("utf-8")
    quick = notebook.replace("Settings(corpus=", "Settings(embedding_model='hashed-ngrams', corpus=")
    cells = json.loads(quick)["cells"]
    shell = InteractiveShell()
    results = [shell.run_cell("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    assert [result.success for result in results] == [True] * 3
    begun, ended = (data_in(drawn(result.result)[1]) for result in results[:2])
    assert [each["words"]["play"] for each in (begun, ended)] == [t("export.page.play", lang) for lang in ("en", "zh")]
    assert begun["moments"][-1]["seq"] < ended["moments"][-1]["seq"]


def test_what_cannot_be_shown_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="never began"):
        memorybank.show(memorybank.watch(tmp_path / "later"))
    with pytest.raises(JournalError):
        memorybank.show(tmp_path)
