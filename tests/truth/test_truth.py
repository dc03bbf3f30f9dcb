"""Whatever the product says that a source says, that source says: in every session that is made here.

What is crawled stands in crawler.py and telling.py, how it is judged in library.py. Sessions of other tests are held
against their sources as they close (conftest.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.hosting.ready_tasks import ReadyTask, RecordedRun, demo_corpus, demo_image, ready_tasks, recorded_runs
from memorybank.memory.events import ConflictClosed, ToolUsed
from memorybank.memory.types import Lang
from memorybank.runs.archive import unpack
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import RunFolder, load
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from tests.truth.corpora import COUNT, SHAPES, corpora, worked_on
from tests.truth.library import Library, states
from tests.truth.telling import Table

RUNS: Final = [*recorded_runs("en"), *recorded_runs("zh")]
TASKS: Final = [*ready_tasks("en"), *ready_tasks("zh")]


def holds(folder: Path, **truth: Any) -> None:
    table = Table()
    table.add(folder.name, load(folder), folder=folder, **truth)
    assert table.held.total(), "nothing was crawled"
    assert not table.wrong, "\n".join(map(str, table.wrong[:20]))


def worked_on_demo(
    folder: Path, corpus: str, lang: Lang, task: str, images: Sequence[str] = (), embedding_model: str = "hashed-ngrams"
) -> Path:
    settings = replace(Settings(), embedding_model=embedding_model, lang=lang, corpus=demo_corpus(corpus))
    staged = [(name, demo_image(name)) for name in images]
    with Session.start(folder / "run", assemble(settings, [task]), goal=task, images=staged) as session:
        session.run()
    return folder / "run"


@pytest.fixture(autouse=True)
def _crawled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is crawled here in whole need not be looked through as it closes."""
    monkeypatch.setattr("conftest.wrong_in", lambda records, bank: [])


@pytest.mark.parametrize("shape", SHAPES)
def test_made_corpora(shape: str, tmp_path: Path) -> None:
    for corpus in corpora():
        if corpus.shape == shape:
            folder = worked_on(corpus, tmp_path / corpus.name, HashedNgrams())
            holds(folder, documents=dict(corpus.documents), stated=corpus.stated)


@pytest.mark.parametrize("recorded", RUNS, ids=lambda run: run.id)
def test_recorded_runs(recorded: RecordedRun, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / recorded.id)
    unpack(recorded.file, folder)
    holds(folder.path)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_demo_tasks(task: ReadyTask, tmp_path: Path) -> None:
    run = worked_on_demo(tmp_path, task.corpus, task.lang, task.task, task.images)
    holds(run)
    tools = {record.event.tool for record in load(run) if isinstance(record.event, ToolUsed)}
    assert "deep_retrieval" in tools or task.id not in ("en-willow", "en-webb", "zh-fast"), "seen in each language"


ASKED: Final[dict[Lang, str]] = {
    "en": "From where was the James Webb Space Telescope launched? Can it be serviced?",
    "zh": "韦布望远镜有多少块主镜？它能维修吗？",
}
"""What planted statements of the demo corpora are on, and no ready task asks."""


@pytest.mark.parametrize("lang", ASKED)
def test_other_questions_on_the_demo_corpora_with_the_model_of_the_package(lang: Lang, tmp_path: Path) -> None:
    holds(worked_on_demo(tmp_path, lang, lang, ASKED[lang], embedding_model="auto"))


# -- the crawler itself -----------------------------------------------------------------------------------------------


def test_the_corpora_are_the_same_each_time_and_their_truth_is_so() -> None:
    made = list(corpora())
    assert made == list(corpora())
    assert len(made) == COUNT
    for corpus in made:
        for value, texts in corpus.stated.items():
            assert texts, corpus.name
            assert all(states(text, value) for text in texts), (corpus.name, value)


def test_a_source_says_a_value_however_it_is_written_and_a_sentence_word_for_word() -> None:
    library = Library(
        texts={
            "log.md": ("The pier is 34 metres long. It was opened in March 2014.",),
            "README.md": ("The pier is 34 metres long.", "The pier is 41 metres long."),
            "guide.md": ("The pier is 41 metres long. The log has 34 metres, wrongly.",),
        },
        stated={"34 metres": frozenset({"The pier is 34 metres long. It was opened in March 2014."})},
    )
    assert not library.lacks("0.034 km", "log.md", is_value=True)
    assert not library.lacks("2014-03", "log.md", is_value=True)
    assert not library.lacks("The pier is 34 metres long", "log.md", is_value=False)
    assert library.lacks("The pier was opened in March 2014.", "log.md", is_value=False) == "not said there"
    assert library.lacks("35 metres", "log.md", is_value=True) == "not said there"
    assert library.lacks("34 metres", "guide.md", is_value=True) == "said there as another's word"
    assert library.lacks("34 metres", "README.md", is_value=True) == "one name for several sources"
    assert library.lacks("34 metres", "atlas.md", is_value=True) == "no such source"


def test_evidence_under_another_sources_name_is_found(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    unpack(next(run for run in RUNS if run.engine == "llm").file, folder)
    records, before = load(folder.path), Table()
    before.add("run", records)

    def swapped(record: Record[Any]) -> Record[Any]:
        if not isinstance(record.event, ConflictClosed) or len({each.source for each in record.event.evidence}) < 2:
            return record
        pieces = record.event.evidence
        other = next(each for each in pieces if each.source != pieces[0].source)
        wrong = replace(pieces[0], source=other.source, entry_id=other.entry_id)
        return replace(record, event=replace(record.event, evidence=(wrong, *pieces[1:])))

    after = Table()
    after.add("run", list(map(swapped, records)))
    found = {each.kind for each in after.wrong} - {each.kind for each in before.wrong}
    assert "text: evidence" in found
