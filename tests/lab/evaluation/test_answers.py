from __future__ import annotations

import json
from pathlib import Path

from memorybank.embedding.hashed import HashedNgrams
from memorybank.lab.evaluation import answers
from memorybank.lab.evaluation.answers import (
    Answered,
    AnswerQuestion,
    AnswerQuote,
    Baseline,
    Library,
    answered,
    holds_answer,
    named,
    normal,
    quotes_of,
    sourced,
    verbatim,
)
from memorybank.tools.corpus import Corpus

PASSAGES = (
    ("Orla tunnel", "The Orla tunnel was designed by the engineer Marta Lind. It was opened for traffic in 1932."),
    ("Marta Lind", "Marta Lind was born in the fishing village of Sund. She studied in Bergen and built bridges."),
    ("Lake Venna", "Lake Venna lies in the north of the county. Its water comes from two glaciers."),
)
QUESTION = AnswerQuestion(text="Who designed the Orla tunnel?", answers=("Marta Lind",))


def library() -> Library:
    return Library(lang="en", passages=named(iter(PASSAGES)), questions=(QUESTION,))


def test_gold_answers_are_compared_as_in_squad() -> None:
    assert normal("The U.S. Open, 1,121 times") == "u s open 1121 times"
    assert holds_answer("It was built by Marta  Lind's firm.", ("Marta Lind",))
    assert not holds_answer("It was built by Martana Lindström.", ("Marta Lind",))
    assert holds_answer("an alias counts: Dodgers", ("Los Angeles Dodgers", "Dodgers"))
    assert holds_answer("出版了《清代图书事业发展史》一书", ("清代 图书事业，发展史",))
    assert not holds_answer("出版了一书", ("清代",))
    assert not holds_answer("anything", ("",))


def test_only_lines_that_quote_count() -> None:
    answer = (
        "On “Who designed the Orla tunnel”:\n- It was Marta Lind [whom all knew]. [n2: 0001 Orla tunnel.md]\n"
        "- A memory of its own. [n3]\nChecked: something"
    )
    assert quotes_of(answer) == (
        AnswerQuote(text="It was Marta Lind [whom all knew].", source="0001 Orla tunnel.md"),
        AnswerQuote(text="A memory of its own.", source="n3"),
    )
    one = Answered(question=QUESTION, answer=answer, quotes=quotes_of(answer))
    assert not sourced(one, library()), "n3 names no document"
    assert not verbatim(one, library())


def test_a_session_quotes_what_answers_and_names_where_it_stands() -> None:
    shelf = library()
    corpus = Corpus.from_bytes({name: text.encode() for name, text in shelf.passages.items()})
    one = answered(QUESTION, corpus, "en", HashedNgrams())
    assert one.holds(one.quoted)
    assert sourced(one, shelf)
    assert verbatim(one, shelf)
    assert "0001 Orla tunnel.md" in one.answer
    scores = {(score.measure, score.system): score.value for score in answers.scored("set", [one], shelf)}
    assert scores["gold answer in the quoted text", "engine"] == 1.0
    assert scores["gold answer in the quoted text", "BM25, best passage"] == 1.0
    assert scores["over BM25's best passage", "engine"] == 0.0
    assert scores["gold answer in the quoted text", "BM25, best passage cut to the engine's length"] == 1.0
    assert scores["characters quoted", "engine"] == len(one.quoted)
    assert scores["characters quoted", "BM25, best passage"] == len(PASSAGES[0][1])
    assert scores["sources named", "engine"] == 1.0


def test_the_baseline_quotes_passages_without_their_titles() -> None:
    baseline = Baseline(library().passages)
    best = baseline.best("glaciers of Lake Venna", 1)
    assert best == PASSAGES[2][1]
    assert len(baseline.best("glaciers of Lake Venna", 120)) >= 120
    assert baseline.best("glaciers of Lake Venna", 10_000).count("\n") == 2


def test_the_sets_are_read_in_their_form(tmp_path: Path) -> None:
    multihop, cmrc = tmp_path / "multihop", tmp_path / "cmrc2018"
    multihop.mkdir()
    cmrc.mkdir()
    musique = [{"question": "Q1", "answer": "A", "answer_aliases": ["B"]}]
    (multihop / "musique_train.json").write_text(json.dumps(musique), "utf-8")
    (multihop / "musique_train_corpus.json").write_text(json.dumps([{"title": "T/1", "text": "x"}]), "utf-8")
    hotpot = [{"question": "Q2", "answer": "yes"}, {"question": "Q3", "answer": "C"}]
    (multihop / "hotpotqa_train.json").write_text(json.dumps(hotpot), "utf-8")
    (multihop / "hotpotqa_train_corpus.json").write_text(json.dumps({"T2": ["One.", " Two."]}), "utf-8")
    asked = {"question": "问", "answers": [{"text": "答"}, {"text": "答"}]}
    articles = {"data": [{"title": "题", "paragraphs": [{"context": "文", "qas": [asked]}]}]}
    (cmrc / "cmrc2018_trial.json").write_text(json.dumps(articles), "utf-8")
    assert answers.musique(tmp_path) == Library(
        lang="en", passages={"0001 T 1.md": "# T/1\n\nx"}, questions=(AnswerQuestion(text="Q1", answers=("A", "B")),)
    )
    assert [one.text for one in answers.hotpotqa(tmp_path).questions] == ["Q3"]
    assert answers.hotpotqa(tmp_path).passages == {"0001 T2.md": "# T2\n\nOne. Two."}
    assert answers.cmrc(tmp_path).questions == (AnswerQuestion(text="问", answers=("答",)),)
