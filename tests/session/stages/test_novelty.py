"""What an answer retells is no memory of its own; what it concludes, with a value or a name nobody had, is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

import memorybank
from memorybank.embedding.hashed import HashedNgrams
from memorybank.language.quotation import place
from memorybank.language.text import one_form
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import ContextIntercepted, StageFinished
from memorybank.memory.types import ConflictId, ConflictStatus, Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import offline_parts
from memorybank.session.checks import standing_summary
from memorybank.session.executors.base import Assignment
from memorybank.session.intake import file_source, text_source
from memorybank.session.session import Session
from memorybank.session.stages.intercepting import new_sentences
from memorybank.session.stages.recording import Source
from memorybank.session.unread import not_read
from memorybank.settings.config import Settings
from memorybank.tools.corpus import Corpus
from tests.scripted import WorldExecutor, finished, parts, write_verdict
from tests.tables import tables

TABLES = tables(__file__)

PARSE = HashedNgrams().parse
KNOWN: dict[Lang, str] = TABLES["known"]


def test_a_document_that_is_cited_is_no_news() -> None:
    answer = "这只见于铜镜参观记.md，没有别的来源。"
    assert new_sentences(answer, [KNOWN["zh"]], PARSE, ["铜镜参观记.md"]) == []


def test_a_negative_number_keeps_its_sign_when_its_list_mark_goes() -> None:
    answer = "- -40 °C was measured at Vostok Station.\n-38.5 °C was measured at Concordia Station."
    assert new_sentences(answer, [KNOWN["en"]], PARSE) == [
        "-40 °C was measured at Vostok Station.",
        "-38.5 °C was measured at Concordia Station.",
    ]


@pytest.mark.parametrize(("lang", "answer"), TABLES["retold"].values(), ids=TABLES["retold"])
def test_a_round_that_retells_memory_files_nothing_and_is_barren(lang: Lang, answer: str, run_dir: Path) -> None:
    session = finished(run_dir, KNOWN[lang], goal="Which?", lang=lang, executor=WorldExecutor(say=lambda _: answer))
    assert all(entry.kind != "answer" for entry in session.bank.tree.entries.values())
    assert session.bank.progress.barren_rounds == 1


@pytest.mark.parametrize(("lang", "answer", "sentence"), TABLES["concluded"].values(), ids=TABLES["concluded"])
def test_a_round_that_concludes_something_is_filed(lang: Lang, answer: str, sentence: str, run_dir: Path) -> None:
    session = finished(run_dir, KNOWN[lang], goal="Which?", lang=lang, executor=WorldExecutor(say=lambda _: answer))
    (conclusions,) = (entry for entry in session.bank.tree.entries.values() if entry.kind == "answer")
    assert conclusions.text == sentence
    assert session.bank.progress.barren_rounds == 0
    taken = [record.event for record in session.records if isinstance(record.event, ContextIntercepted)]
    assert [event.brings_new for event in taken] == [True, None]


def test_of_a_validation_that_is_filed_which_the_verdict_does_not_say(run_dir: Path) -> None:
    verdict = StatedVerdict(
        conflict=ConflictId("c1"),
        status=ConflictStatus.RESOLVED,
        winner="left",
        value="105",
        reasoning="counted 3077 times",
    )

    def check(given: Assignment) -> str:
        said = "Willow has 105 qubits, counted 3077 times in 12 papers. I searched for Zuchongzhi and Sycamore Notes."
        said += "\nOn the way: its cryostat weighs 4,211 kg."
        return f"{said}\n{write_verdict(verdict)}" if given.briefs else "105"

    session = finished(
        run_dir, "willow qubits: 105\n", "willow qubits: 98\n", goal="How many?", executor=WorldExecutor(say=check)
    )
    (beside,) = (entry.text for entry in session.bank.tree.entries.values() if entry.kind == "answer")
    assert beside == "On the way: its cryostat weighs 4,211 kg."
    assert any(beside in node.summary for node in session.bank.graph.nodes.values())


# -- What a cross-validation reads is memory like any other: filed after its verdict, and never disputed again by it


GOAL: dict[Lang, str] = {"en": "How many turbines has the Kelda Wind Farm?", "zh": "凌云风电场有多少台风机？"}
GIVEN: dict[Lang, dict[str, str]] = TABLES["given"]
RIGHT: dict[Lang, dict[str, str]] = TABLES["right"]
WRONG: dict[Lang, str] = TABLES["wrong"]
PRINTED: dict[Lang, dict[int, str]] = {
    "en": {ord("l"): "l\u00ad", ord("d"): "d\u200b", ord(" "): "\u00a0"} | {ord("f"): "\u2060f"},
    "zh": str.maketrans({"风": "⻛", "用": "⽤", "方": "⽅", "长": "⻓", "见": "⻅", "有": "有\u200b", "力": "⼒"}),
}
"""What stands in a page or a PDF for some characters."""
NAMES = TABLES["names"]


def repeats(lang: Lang, count: int) -> dict[str, str]:
    """Documents that say the wrong value, each with something of its own."""
    return {
        f"repeat{n}.md": WRONG[lang].format(n=100 + n, year=1990 + n, name=name) for n, name in enumerate(NAMES[:count])
    }


def research(folder: Path, lang: Lang, corpus: Mapping[str, str]) -> Session:
    read = Corpus.from_bytes({name: text.encode() for name, text in corpus.items()})
    sources = [Source(name=name, text=text, kind="document") for name, text in GIVEN[lang].items()]
    with Session.start(
        folder / "run", offline_parts(Settings(), lang, HashedNgrams(), read), goal=GOAL[lang], sources=sources
    ) as session:
        session.run()
    return session


def routes(session: Session) -> Counter[str]:
    return Counter(record.event.route for record in session.records if isinstance(record.event, ContextIntercepted))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_is_filed_after_the_verdict_and_not_disputed_again(lang: Lang, tmp_path: Path) -> None:
    session = research(tmp_path, lang, RIGHT[lang] | repeats(lang, 1))
    bank = session.bank
    assert not bank.tree.unfiled(live=bank.graph.nodes)
    stages = [record.event.stage for record in session.records if isinstance(record.event, StageFinished)]
    after = stages[stages.index("resolve") + 1 :]
    assert after[:4] == ["classify", "structure", "file", "analyse"], "compared with what the verdict made"
    first, *others = bank.conflicts.all.values()
    assert first.status is ConflictStatus.RESOLVED
    assert others, "with the document that repeats the value"
    for conflict in others:
        assert conflict.status is ConflictStatus.RESOLVED
        assert first.id in conflict.reason
        assert {item.supports for item in conflict.evidence} == {"left", "right"}
    assert routes(session)["cross_validate"] == 1
    facts = " ".join(standing_summary(node) for node in bank.graph.nodes.values())
    assert "2044" in facts, "beside the verdict"
    assert "24" not in facts


@pytest.mark.parametrize("count", [3, 8])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_session_ends_however_often_the_wrong_value_is_repeated(lang: Lang, count: int, tmp_path: Path) -> None:
    session = research(tmp_path, lang, RIGHT[lang] | repeats(lang, count))
    assert session.result.result == "complete"
    assert routes(session)["cross_validate"] <= 2
    assert not session.bank.conflicts.open()


@pytest.mark.parametrize("printed", ["what was read", "what was given"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_a_pdf_writes_in_other_characters_counts(
    lang: Lang, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its vote settles the dispute, memory has the usual characters, and what leads to the raw text finds it there."""
    texts = {"what was read": RIGHT, "what was given": GIVEN}[printed][lang]
    odd = {name: text.translate(PRINTED[lang]) for name, text in texts.items()}
    assert all(odd[name] != text == one_form(odd[name]) for name, text in texts.items())
    if printed == "what was given":
        monkeypatch.setitem(GIVEN, lang, odd)
    session = research(tmp_path, lang, odd if printed == "what was read" else RIGHT[lang])
    bank = session.bank
    (conflict,) = bank.conflicts.all.values()
    assert conflict.status is ConflictStatus.RESOLVED
    for evidence in conflict.evidence:
        assert evidence.entry_id is not None
        raw = bank.tree.entries[evidence.entry_id].text
        assert raw == odd.get(evidence.source, raw), "the raw text as it came"
        at = place(raw, evidence.quote)
        assert at is not None
        assert one_form(raw[slice(*at)]) == evidence.quote
    for node in bank.graph.nodes.values():
        assert node.summary == one_form(node.summary)
        assert (node.context, *node.keywords) == tuple(map(one_form, (node.context, *node.keywords)))
    assert not bank.tree.unfiled(live=bank.graph.nodes)
    assert "18" in bank.progress.answer


CODE = "cars = 12\n\n\n# All of them.\ndef sail() -> int:\n    return cars\n\n\nclass Mill:\n    rooms = 3\n"


def test_a_code_file_stays_one_node_line_by_line(run_dir: Path, tmp_path: Path) -> None:
    folder = RunFolder(run_dir)
    for name in ("ferry.py", "notes.md", "table.csv"):
        (tmp_path / name).write_text(CODE if name == "ferry.py" else f"# {name}\n\nharbour: old\n\nmill: {name}\n")
    with folder.beginning():
        sources = [file_source(tmp_path / name, folder) for name in ("ferry.py", "notes.md", "table.csv")]
        with Session.start(run_dir, parts(), sources=sources) as session:
            session.run()
            tree = session.bank.tree
            (code,) = (entry for entry in tree.entries.values() if entry.source == "ferry.py")
            spans = [(node, span) for node, spans in tree.spans.items() for span in spans if span.entry_id == code.id]
            assert [(span.start, span.end) for _, span in spans] == [(code.body_start, len(code.text))]
            assert session.bank.graph.nodes[spans[0][0]].summary == CODE.rstrip()
            assert len(session.bank.graph.nodes) > 3, "the others are cut at their topics"
    assert memorybank.load(str(run_dir)) == memorybank.load(run_dir)


def test_what_was_not_read_of_a_text_is_said_with_the_reason(run_dir: Path) -> None:
    texts = {
        "whole": "The mill was built in 1871.",
        "german": "Die Fähre fährt jeden Tag um neun Uhr ab und kostet drei Euro.",
        "rows": "Towns of the sound and their people.\n\n| Harnby | 12 |\n| Colmere | 14 |\n",
        "long": "The mill " + "and the mill " * 60 + "was built in 1871.",
        "damaged": "The m\ufffdll was built in 1871.",
    }
    with Session.start(run_dir, parts(), sources=[text_source(text, name) for name, text in texts.items()]) as session:
        said = [str(notice) for notice in not_read(session.bank, "offline")]
        assert [line.partition(":")[0].split()[0] for line in said] == ["german", "rows", "long", "damaged"]
        assert ["neither English nor Chinese" in said[0], "lines of tables" in said[1], "600" in said[2]] == [True] * 3
        assert [str(notice) for notice in not_read(session.bank, "llm")] == said[3:]
