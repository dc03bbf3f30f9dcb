"""Every command and benchmark that the README or the docs name is run, through the command line, with every option."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import memorybank
import memorybank_lab.__main__
from memorybank.__main__ import _parser, main
from memorybank_lab.evaluation import registry
from memorybank_lab.scripted import ScriptedServer, scripted_agents
from memorybank_studio.journal.desk import Desk
from memorybank_studio.studio import JOURNAL_FOLDER
from tests.docs.blocks import PAGES, ROOT
from tests.tables import tables

COMMANDS = "docs/reference/commands.md"
"""The page that lists them all."""

TABLES = tables(__file__)
ROWS = TABLES["rows"]
QUESTIONS = {"Q": "How many qubits does Willow have?", "QUESTION": "When was Willow announced?"}


@dataclass
class Usage:
    name: str
    """`run`, or `bench app`."""
    words: set[str] = field(default_factory=set)
    """Its options and their choices."""


def usages(document: str) -> list[Usage]:
    """Of a Markdown text: lines of its code blocks, and code among its words, that begin with `memorybank`, or with
    `python -m memorybank_lab`."""
    blocks = re.findall(r"^ *```(?:text|bash)[^\n]*\n(.*?)^ *```", document, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in re.sub(r"\n {8,}(?=\[|-)", " ", block).splitlines()]
    prose = re.sub(r"^```.*?^```", "", document, flags=re.DOTALL | re.MULTILINE)
    lines += [
        code.replace("\n", " ") for code in re.findall(r"`((?:memorybank|python -m memorybank_lab) [^`]+)`", prose)
    ]
    found = []
    for line in lines:
        if begin := re.match(r"memorybank |python -m memorybank_lab ", line):
            told = re.split(r"  +|\s#", line[begin.end() :])[0]
            found += [usage for one in told.split(" · ") for usage in _usages(one)]
    return found


def _usages(line: str) -> list[Usage]:
    name, *rest = line.split()
    words = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", line))
    for option, choices in re.findall(r"(--[a-z-]+) ((?:[a-z0-9]+\|)+[a-z0-9]+)", line):
        words |= {f"{option} {choice}" for choice in choices.split("|")}
    if name == "bench":
        return [Usage(f"bench {what}", words) for what in rest[0].split("|") if what != "…"]
    if name == "eval":
        return [Usage(f"eval {rest[0]}", words)]
    return [] if name == "…" else [Usage(name, words)]


def run_here() -> dict[str, set[str]]:
    """By name of a command: what the rows give it."""
    found: dict[str, set[str]] = {}
    for line in (*(line for line, _ in ROWS), *TABLES["apart"]):
        typed = line.split()
        name = " ".join(typed[:2]) if typed[0] in ("bench", "eval") else typed[0]
        name = "eval NAME" if name == "eval pairs" else name
        pairs = zip(typed, [*typed[1:], ""], strict=True)
        found.setdefault(name, set()).update(
            word for one, after in pairs if one.startswith("-") for word in (one, f"{one} {after}")
        )
    return found


def test_every_command_of_the_documents_has_a_row() -> None:
    named = {name: usages((ROOT / name).read_text("utf-8")) for name in (*PAGES, "docs/quality.md", "docs/faults.md")}
    assert len(named[COMMANDS]) > 25
    assert named["docs/studio.md"]
    here = run_here()
    missing = [
        f"{document}: memorybank {usage.name} {' '.join(sorted(usage.words - here.get(usage.name, set())))}"
        for document, found in named.items()
        for usage in found
        if usage.name not in here or not usage.words <= here[usage.name]
    ]
    assert not missing, "without a row in test_usages.yaml: " + "; ".join(missing)


def test_every_command_there_is_is_listed() -> None:
    parsers = (_parser(), memorybank_lab.__main__._parser())
    commands = [name for one in parsers for part in one._actions if part.dest == "command" for name in part.choices]
    told = {usage.name.split()[0] for usage in usages((ROOT / COMMANDS).read_text("utf-8"))}
    assert set(commands) == told


# -- each is run ------------------------------------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the rows name, and an environment in which nothing is loaded and nothing asked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EMBEDDING_MODEL", "hashed-ngrams")
    (tmp_path / "corpus").mkdir()
    for name, text in TABLES["corpus"].items():
        (tmp_path / "corpus" / name).write_text(text, "utf-8")
    (tmp_path / "code.py").write_text("def retry(times: int) -> None:\n    print('again', times)\n", "utf-8")
    (tmp_path / "talk.jsonl").write_text("\n".join(map(json.dumps, TABLES["talk"])), "utf-8")
    (tmp_path / "tasks.jsonl").write_text(
        '{"id": "q", "task": "How many qubits has Willow?", "corpus": "corpus"}', "utf-8"
    )
    (tmp_path / "i.png").write_bytes(next((ROOT / "assets" / "images").glob("*.png")).read_bytes())
    (tmp_path / "data").mkdir()
    Desk(tmp_path / "studio" / JOURNAL_FOLDER).close()
    return tmp_path


def test_each_row_does_what_it_says(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = {name: registry.EVALUATIONS[name] for name in ("documents", "pairs")}  # one has no data
    monkeypatch.setattr(registry, "EVALUATIONS", few)  # the others have tests of their own, and need data
    with ScriptedServer(scripted_agents()) as model:
        for name, value in {
            "BASE_URL": model.base_url,
            "API_KEY": "local",
            "MODEL": "scripted",
            "CACHE": "false",
        }.items():
            monkeypatch.setenv(f"LLM_{name}", value)
        for line, says in ROWS:
            capsys.readouterr()
            serve = memorybank_lab.__main__.main if line.startswith(("bench ", "eval ", "labelled ")) else main
            code = serve([QUESTIONS.get(word, word) for word in line.split()])
            said = capsys.readouterr()
            assert code == 0, f"memorybank {line}: exit code {code}: {said.err[-600:]}"
            assert re.search(says, said.out), f"memorybank {line}: {said.out[-600:]}"
        assert model.chats


# -- The reference names what the library offers: every public name, where it lives ------------------------------------

WITHOUT_A_PAGE = {"__version__"}


def test_the_public_names_are_there_and_listed() -> None:
    for name in memorybank.__all__:
        assert getattr(memorybank, name) is not None
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = memorybank.nothing_here


def test_each_public_name_is_in_the_reference() -> None:
    pages = [path.read_text("utf-8") for path in sorted((ROOT / "docs/reference").glob("*.md"))]
    documented = {one for page in pages for one in re.findall(r"^::: (\S+)", page, re.MULTILINE)}
    homes = {f"memorybank.{memorybank._HOME[name]}": name for name in memorybank.__all__ if name not in WITHOUT_A_PAGE}
    assert homes
    missing = {
        name
        for name in set(memorybank.__all__) - WITHOUT_A_PAGE
        if not {(home := f"memorybank.{memorybank._HOME[name]}"), f"{home}.{name}"} & documented
    }
    assert not missing
