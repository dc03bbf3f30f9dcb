"""The contradiction evaluation on sets of a few pairs: measures by hand, and the decision is the analysis agent's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline import OfflineEngine
from memorybank.errors import InputError
from memorybank.lab.evaluation import pairs, wikipedia, wording
from memorybank.lab.evaluation.contradiction import Judge, f1_score, measures, run
from memorybank.lab.evaluation.pairs import Pair, crossed, detokenised
from memorybank.memory.contracts import AnalysisInput, NodeInfo
from memorybank.memory.types import Relation

SICK = (
    ("A bowl is on the shelf", "There is no bowl on the shelf", "CONTRADICTION"),
    ("A bowl is on the shelf", "A woman is reading a map", "NEUTRAL"),
    ("The ferry is leaving the pier", "The ferry is not leaving the pier", "CONTRADICTION"),
    ("The ferry is leaving the pier", "The ferry leaves the pier", "ENTAILMENT"),
)
FACTS = {
    "en": ("Orla tunnel", "5.2 km", "7.4 km", "The Orla tunnel is {} long.", "The Orla tunnel has a length of {}."),
    "zh": ("青岚隧道多长？", "5.2公里", "7.4公里", "青岚隧道全长{}。", "青岚隧道长{}，是最长的隧道。"),
}  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Every set the evaluation reads, in the form it was published in."""
    head = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"
    rows = [f"{at}\t{left}\t{right}\t3.0\t{label}" for at, (left, right, label) in enumerate(SICK)]
    _write(tmp_path / "sick/SICK_train.txt", "\n".join([head, *rows]))
    _write(tmp_path / "sick/SICK_trial.txt", head)
    _lines(
        tmp_path / "fever_symmetric/dev.jsonl",
        {
            "evidence": "Orla -LRB- a town -RRB- has 800 wells .",
            "claim": "Orla has 950 wells .",
            "gold_label": "REFUTES",
        },
        {"evidence": "Orla has 800 wells .", "claim": "Orla has wells .", "gold_label": "SUPPORTS"},
    )
    for name, label in (("SNLI", "contradiction"), ("RTE", "not_entailment")):
        _write(tmp_path / f"negation_nli/{name}.txt", f"index\tText\tHypothesis\tgold_label\n0\tA “b\tNo b\t{label}")
    premise = {"sentence1": "青岚隧道于1998年开通", "sentence2": "青岚隧道于2001年开通", "prem_id": "p1"}
    _lines(
        tmp_path / "ocnli/train.3k.json",
        {**premise, "label": "contradiction", "id": 1},
        {**premise, "label": "-", "id": 2},
    )
    _lines(tmp_path / "ocnli/train.10k.json", {**premise, "label": "contradiction", "id": 1})
    turns = {"u1": "你住哪？", "b1": "我住在北京", "u2": "你在哪里住？", "b2": "我住在上海"}
    _lines(tmp_path / "cdconv/dev.jsonl", {**turns, "label": 3}, {**turns, "label": 1})
    for lang, (query, answer, fake, *forms) in FACTS.items():
        question = {
            "query": query, "answer": [answer], "fakeanswer": fake,
            "positive": [form.format(answer) for form in forms],
            "positive_wrong": [form.format(fake) for form in forms],
        }  # fmt: skip
        _lines(tmp_path / f"rgb/{lang}_fact_dev.json", question)
    told, longer = "The Orla tunnel in Ardmore is {} km long.", "青岚隧道位于柏川以北，全长{}公里，由当地修建。"
    _lines(tmp_path / "multihop/hotpotqa_corpus.json", {"T": [told.format("5.2"), f" {told.format('7.4')}"]})
    _lines(tmp_path / "multihop/musique_corpus.json", [])
    paragraphs = [{"context": longer.format(length)} for length in ("5.2", "5.2", "7.4")]
    _lines(tmp_path / "cmrc2018/cmrc2018_trial.json", {"data": [{"paragraphs": paragraphs}]})
    return tmp_path


def test_every_set_is_scored_beside_its_controls(data: Path) -> None:
    told: list[str] = []
    report = run(data, HashedNgrams(), full=True, progress=told.append)
    sets = {score.data for score in report.scores}
    assert sets == {
        "SICK", "FEVER-Symmetric", "SNLI negated", "RTE negated", "OCNLI", "CDConv", "RGB en", "RGB zh",
        "Wikipedia en", "Wikipedia zh",
    }  # fmt: skip
    assert {score.system for score in report.scores} == {"engine", "second text only", "raise always", "raise never"}
    found = {(score.data, score.system, score.measure): score for score in report.scores}
    assert found["SICK", "engine", "F1"].value == 1
    assert found["SICK", "engine", "F1"].goal == 0.83
    assert found["SICK", "raise always", "precision"].value == 0.5
    for lang in ("en", "zh"):
        related = found[f"Wikipedia {lang}", "engine", "raised, of sentences that share words"]
        assert (related.n, related.value) == (1, 1.0), "a sentence that stands twice is one, and the two differ"
    assert found["OCNLI", "engine", "accuracy"].n == 1, "a pair without a label, or read before, is left out"
    assert found["OCNLI", "engine", "F1"].goal is None, "no rule was made for it"
    assert {row["data"]: row["denials"] for row in report.table}["SICK"] == "1/0"
    assert found["RGB en", "engine", "recall"].n == 2, "a snippet is not set against its own forgery"
    assert found["RGB en", "engine", "false alarms"].at_most
    assert len(told) == len(sets)
    assert len(report.notes) - 1 == len(told) - len(wikipedia.READ)
    assert all("s per 1,000 pairs" in note for note in report.notes[:-1])


def test_measures_by_hand() -> None:
    truth = [True, True, True, False, False]
    raised = [True, True, False, True, False]
    scores = {score.measure: score.value for score in measures("set", "engine", truth, raised)}
    assert scores == pytest.approx(
        {"precision": 2 / 3, "recall": 2 / 3, "F1": 2 / 3, "accuracy": 3 / 5, "false alarms": 1 / 2}
    )
    score = f1_score("set", "engine", truth, raised, goal=0.5)
    assert score.low <= score.value <= score.high
    assert score.holds
    assert f1_score("set", "engine", [True], [False]).value == 0


def test_the_decision_is_the_analysis_agents() -> None:
    engine = OfflineEngine(HashedNgrams())
    judge = Judge(HashedNgrams())
    for left, right, label in SICK:
        nodes = [NodeInfo(summary=text, context="", keywords=()) for text in (left, right)]
        answer = engine.analysis.run(AnalysisInput(new=nodes[1], candidates=(nodes[0],)))
        conflict = answer.relationships[0].relationship is Relation.CONFLICT
        found = judge(Pair(left=left, right=right, contradicts=True))
        assert (found is not None) == conflict == (label == "CONTRADICTION")
        assert found is None or (found.contradictions and found.conflict_description)


def test_wording_alone_is_learnt_only_where_it_tells() -> None:
    texts = [f"the pump {number} does {'not ' * (number % 2)}work" for number in range(60)]
    labels = [bool(number % 2) for number in range(60)]
    groups = [str(number // 2) for number in range(60)]
    assert wording.predictions(texts, labels, groups) == labels
    same = wording.predictions(["one text"] * 60, labels, groups)
    assert sum(a == b for a, b in zip(same, labels, strict=True)) <= 40


def test_readers_name_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sick"):
        list(pairs.sick(tmp_path))
    _write(tmp_path / "sick/SICK_train.txt", "pair_ID\tsentence_A\tsentence_B\tentailment_judgment\n1\tonly one")
    with pytest.raises(InputError, match="line 2"):
        list(pairs.sick(tmp_path))


def test_tokens_are_written_as_they_were() -> None:
    given = "`` Orla `` -LRB- founded 1941 -RRB- is the town 's name , is n't it ?"
    assert detokenised(given) == "\"Orla\" (founded 1941) is the town's name, isn't it?"


def test_agreeing_snippets_are_set_side_by_side(data: Path) -> None:
    found = list(crossed(list(pairs.rgb(data, "zh"))))
    assert [pair.contradicts for pair in found].count(True) == 2
    agreeing = [pair for pair in found if not pair.contradicts]
    assert len(agreeing) == 2
    assert all(("5.2" in pair.left) == ("5.2" in pair.right) for pair in agreeing)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "cp1252" if path.parent.name == "negation_nli" else "utf-8")


def _lines(path: Path, *rows: object) -> None:
    _write(path, "\n".join(json.dumps(row, ensure_ascii=False) for row in rows))


def test_a_reader_that_is_switched_off_raises_nothing(data: Path) -> None:
    report = run(data, HashedNgrams(), full=True, progress=lambda line: None, without=("denials",))
    found = {(score.data, score.system, score.measure): score.value for score in report.scores}
    assert found["SICK", "engine", "recall"] == 0.5, "what is denied to exist is found by that reader alone"
    assert "without denials" in report.notes
    assert "denials" not in report.table[0]
