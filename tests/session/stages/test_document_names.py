"""Each document of a session has a name of its own, which everything downstream tells documents apart by."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memorybank.memory.types import EntryKind, Lang
from memorybank.runs.export import to_json
from memorybank.session.effects import Effects
from memorybank.session.executors.base import Assignment, Execution
from memorybank.session.intake import text_source
from memorybank.session.session import Session
from memorybank.session.stages.executing import sections_with
from memorybank.session.stages.recording import Names, Source
from memorybank.settings.config import Settings
from memorybank.tools.base import Tool
from tests.picturing import picture
from tests.scripted import WorldExecutor, finished, parts
from tests.session.stages.test_images import corpus_of
from tests.tables import tables

TABLES = tables(__file__)

ONE, OTHER, THIRD = "willow qubits: 105", "sycamore qubits: 53", "condor qubits: 1121"


def file(name: str, text: str) -> Source:
    return Source(name=name, text=text, kind="document")


def names_of(session: Session) -> list[str]:
    return [entry.source for entry in session.bank.tree.entries.values()]


def tools_of(session: Session) -> dict[str, Tool]:
    return {tool.name: tool for tool in session.parts.tools(lambda: session.bank, session.folder)}


KINDS: dict[str, tuple[Sequence[str], Sequence[str]]] = TABLES["kinds"]


@pytest.mark.parametrize("kind", KINDS)
def test_files_that_come_together(run_dir: Path, kind: str) -> None:
    places, names = KINDS[kind]
    texts = [ONE, OTHER, THIRD][: len(places)]
    with Session.start(run_dir, parts(), sources=list(map(file, places, texts))) as session:
        assert names_of(session) == list(names)
        visit = tools_of(session)["visit"]
        for name, text in dict(zip(names[::-1], texts[::-1], strict=True)).items():
            read = visit.run({"url": name})
            assert text in read.text
            assert [material.source for material in read.materials] == [name]
    assert "/home/me" not in session.folder.journal.read_text("utf-8")


def turns(text: str, name: str = "dialogue") -> Source:
    return Source(name=name, text=text, kind="dialogue", continues=True)


def unnamed(text: str) -> Source:
    return Source(name="text", text=text, kind="text", continues=True)


@pytest.mark.parametrize(
    ("first", "later", "names"),
    [
        pytest.param(file("/w/1/a.md", ONE), file("/w/2/a.md", OTHER), ["a.md", "a.md (2)"], id="another file"),
        pytest.param(file("a.md", ONE), file("/w/b.md", ONE), ["a.md"], id="the same text"),
        pytest.param(file("a.md", ONE), file("a.md", f"{ONE}\nand more"), ["a.md", "a.md (2)"], id="a longer file"),
        pytest.param(text_source(ONE, "a"), text_source(OTHER, "a"), ["a", "a (2)"], id="texts of one name"),
        pytest.param(turns(ONE), turns(OTHER), ["dialogue"] * 2, id="a conversation goes on"),
        pytest.param(turns(ONE, "chat"), turns(OTHER, "talk"), ["chat", "talk"], id="two conversations"),
        pytest.param(unnamed(ONE), unnamed(OTHER), ["text"] * 2, id="texts without a name"),
        pytest.param(text_source(ONE, "text"), turns(OTHER, "text"), ["text", "text (2)"], id="no part of a text"),
        pytest.param(
            text_source(ONE, "https://a.org/x"), text_source(OTHER, "https://a.org/x/"), ["https://a.org/x"] * 2,
            id="a page that changed",
        ),
    ],
)  # fmt: skip
def test_what_comes_later(run_dir: Path, first: Source, later: Source, names: list[str]) -> None:
    with Session.start(run_dir, parts(), sources=[first]) as session:
        session.add(later)
        assert names_of(session) == names
        session.add(first, later)
        assert names_of(session) == names, "what is known is not recorded again"


@pytest.mark.parametrize(("known", "read", "name"), TABLES["an_excerpt_and_the_whole_are_one"])
def test_an_excerpt_and_the_whole_are_one(tmp_path: Path, known: EntryKind, read: str, name: str) -> None:
    with Session.start(tmp_path / "run", parts(), sources=[Source(name="a.md", text=ONE, kind=known)]) as session:
        names = Names(session.bank.tree, "en")
    assert names.of(Source(name="a.md", text=read, kind="tool"), "a.md") == name


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_file_and_the_corpus(run_dir: Path, lang: Lang) -> None:
    """Files of a corpus keep their paths; a file beside it has their name only with the same text."""
    corpus = corpus_of({"README.md": ONE, "sub/README.md": OTHER, "sub/copy.md": OTHER})
    given = [file("/w/README.md", THIRD), file("/w/notes.md", OTHER)]
    with Session.start(run_dir, parts(corpus=corpus, lang=lang), sources=given) as session:
        assert names_of(session) == ["README.md (2)", "notes.md"]
        visit = tools_of(session)["visit"]
        reads = {name: visit.run({"url": name}) for name in ("README.md", "README.md (2)", "notes.md", "sub/copy.md")}
        assert [ONE in reads["README.md"].text, THIRD in reads["README.md (2)"].text] == [True, True]
        assert {name: read.materials[0].source for name, read in reads.items()} == {
            "README.md": "README.md",
            "README.md (2)": "README.md (2)",
            "notes.md": "notes.md",
            "sub/copy.md": "notes.md",
        }, "one text is one source, whatever it is asked for by"
        found = tools_of(session)["search"].run({"query": "qubits"})
        assert sorted(material.source for material in found.materials) == ["README.md", "README.md (2)", "notes.md"]


def test_of_what_a_search_shows_the_documents_that_the_answer_names_are_read_whole(run_dir: Path) -> None:
    whole = f"{ONE}\n\n{'Of something else there is much to be told. ' * 20}"
    corpus = corpus_of({"named.md": whole, "unnamed.md": THIRD})

    class Searcher:
        name = "searcher"

        def run(self, given: Assignment, fx: Effects) -> Execution:
            fx.use("search", query="willow qubits")
            return Execution(answer="<answer>named.md says so.</answer>", transcript="t", quotes_only=True)

    with Session.start(run_dir, parts(corpus=corpus, executor=Searcher()), goal="willow qubits") as session:
        session.run()
        read = {entry.source: entry.text for entry in session.bank.tree.entries.values() if entry.kind == "tool"}
    assert {name: text.strip() for name, text in read.items()} == {"named.md": whole.strip()}


@pytest.mark.parametrize("is_short", [True, False])
def test_what_the_goal_asks_is_looked_up_before_what_came_with_it_is_filed(run_dir: Path, is_short: bool) -> None:
    found = f"{ONE}\n\n{'' if is_short else 'Of something else there is much to be told. ' * 2_000}"
    settings = Settings(engine="scripted", parallel_calls=1, corpus=run_dir)
    own = parts(corpus=corpus_of({"found.md": found}), settings=settings, executor=WorldExecutor(name="ReAct agent"))
    given = [file("given.md", "willow qubits: 98")]
    with Session.start(run_dir, own, goal="How many qubits has willow?", sources=given) as session:
        session.run_until(lambda report: report.stage == "analyse")
        kept = [entry for entry in session.bank.tree.entries.values() if entry.is_source]
        assert [entry.source for entry in kept] == ["given.md", *["found.md"] * is_short]
        assert len(session.bank.conflicts.open()) == is_short, "which the first comparison finds"
        (looked,) = (entry for entry in session.bank.tree.entries.values() if entry.kind == "transcript")
        assert looked.tool_calls[0].startswith("search(")


def test_of_a_long_one_the_sections_count_that_were_shown() -> None:
    other, between, last = f"# Other\n\n{ONE}\n\n", f"# Between\n\n{OTHER}\n\n", f"# Qubits\n## Condor\n\n{THIRD}\n"
    assert sections_with(other + between + last, [THIRD]) == last
    assert sections_with(other + between + last, [f"{OTHER}\n\n# Qubits"]) == between + last
    assert sections_with(other, ["elsewhere"]) == other


def test_images_of_one_name(run_dir: Path) -> None:
    given = [("/w/1/plan.png", "one"), ("/w/2/plan.png", "two"), ("plan.png", "three")]
    corpus = corpus_of({"later.png": picture("in the corpus"), "note.md": ONE})
    with Session.start(
        run_dir, parts(corpus=corpus), images=[(name, picture(said)) for name, said in given]
    ) as session:
        session.stage_image("plan.png", picture("four"))
        session.stage_image("later.png", picture("five"))
        session.stage_image("plan.png", picture("one"))
        staged = [image.name for image in session.bank.tree.staged.values()]
        assert staged == ["1/plan.png", "2/plan.png", "plan.png", "plan.png (2)", "later.png (2)", "1/plan.png"]
        session.ask("What do they say?")
        session.run()
        assert [name for name in names_of(session) if ".png" in name] == staged
        assert {file.name for file in session.bank.tree.attachments.values()} <= {
            name.rpartition("/")[2] for name in staged
        }


def test_an_old_export_with_two_files_of_one_name(run_dir: Path, tmp_path: Path) -> None:
    texts = ("willow qubits: 105", "willow qubits: 98")
    exported: dict[str, Any] = to_json(finished(run_dir, *texts, goal="How many?", world={"willow qubits": "105"}).bank)
    for entry in exported["interaction_tree"]["entries"]:
        if entry["metadata"]["kind"] == "text":
            entry["metadata"] |= {"source": "/home/me/README.md", "kind": "document"}
    (conflict,) = exported["conflicts"]
    said = {"supports": "left", "quote": texts[0], "source": "/home/me/README.md"}
    conflict["evidence"] = [said, said | {"supports": "right", "quote": texts[1]}]
    with Session.start(tmp_path / "copy", parts(), memory=json.dumps(exported)) as copy:
        assert names_of(copy)[:2] == ["README.md", "README.md (2)"]
        (conflict,) = copy.bank.conflicts.all.values()
        assert [piece.source for piece in conflict.evidence] == ["README.md", "README.md (2)"]
        again = to_json(copy.bank)
    with Session.start(tmp_path / "again", parts(), memory=json.dumps(again)) as copy:
        assert to_json(copy.bank) == again
