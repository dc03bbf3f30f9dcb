"""A run in a notebook, by IPython's own display protocol: a session at work, a watched folder, a finished run."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

import memorybank
from memorybank.errors import InputError, JournalError
from memorybank.memory.types import Lang
from memorybank.runs.stages import ends_stage
from memorybank.views.i18n import t
from memorybank.views.notebook import LAST_STAGES
from tests.recorded import recorded_run
from tests.scripted import start
from tests.views.html_export.reading import data_in

ROOT = Path(__file__).parents[2]
HOSTILE = '</script><script>alert(1)</script> "srcdoc" <img src=x onerror=alert(1)>'


def drawn(shown: object) -> tuple[str, bytes]:
    """What a notebook is given to draw: its HTML, and the page in the frame."""
    bundle, _ = InteractiveShell.instance().display_formatter.format(shown)
    page = re.fullmatch(r'<iframe .* srcdoc="([^"<>]*)"[^<>]*></iframe>', bundle["text/html"])
    assert page is not None
    return bundle["text/html"], html.unescape(page[1]).encode()


@pytest.mark.parametrize("lang", ["en", "zh"])
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
