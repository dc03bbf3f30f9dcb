from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.structure import summarise
from memorybank.evaluation import summaries
from memorybank.evaluation.summaries import Text, Topic, at_random, cut_sentences, digits, facts, lead, stated

LONG = (
    "The Øresund Bridge joins Copenhagen and Malmö. Many people had dreamt of such a link for a very long time indeed. "
    "Construction began in 1995 and the bridge opened on 1 July 2000. There was much joy and there were many speeches "
    "on that fine and sunny day. The bridge is 7,845 metres long and carries a motorway and a railway. It cost 2.6 "
    "billion euros, paid by tolls. Drivers sometimes complain about the wind, as drivers on bridges do everywhere. "
    "People who live nearby like to look at it in the evening light, when the water is still and the birds come home. "
    "In 2023 about 20,000 vehicles crossed it every day."
)


def topic(source: str, summary: str = "") -> Topic:
    return Topic(name="a text", source=source, summary=summary or summarise(source))


def test_topics_and_summaries_are_those_of_a_session() -> None:
    found = summaries.topics([Text(name="bridge.md", text=LONG)], HashedNgrams())
    assert sum(len(one.source) for one in found) == len(LONG)
    assert [one.summary for one in found] == [summarise(one.source) for one in found]
    several = summaries.topics([Text(name="a.md", text=LONG), Text(name="b.md", text="One line only.")], HashedNgrams())
    assert {one.name for one in several} == {"a.md", "b.md"}


def test_what_stays_whole_and_what_is_short_is_told_apart() -> None:
    assert topic("One. Two. Three.").whole
    assert topic(f"{LONG}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n").whole
    assert not topic(LONG).whole
    assert not topic(LONG).short
    assert topic(LONG[:560]).short
    chinese = "青藏铁路连接西宁和拉萨，全长很长很长。"
    assert topic(chinese * 10).short
    assert not topic(chinese * 14).short


def test_facts_are_counted_once_and_folded() -> None:
    assert digits("1,121 qubits, 1121 again, and １２") == {"1121", "12"}
    assert {"1121", "ibm"} <= facts("The chip of IBM has 1,121 qubits, IBM said.")
    assert "weather" not in facts("Weather was fine. It rained later.")
    assert "weather" in stated("Weather was fine.")
    pairs = [("IBM has 1,121 qubits and 12 cores.", "It has 1121 qubits."), ("Nothing here.", "Nothing.")]
    assert summaries.kept_shares(pairs, digits, digits) == [0.5]


def test_a_sentence_cut_in_half_is_found() -> None:
    source = "Willow has 105 qubits and a long name. It was shown in December. It is small"
    assert cut_sentences(topic(source, "Willow has 105 qubits and a long name. It is small")) == []
    assert cut_sentences(topic(source, "Willow has 105 qubits.")) == ["Willow has 105 qubits."]
    assert cut_sentences(topic(source, "has 105 qubits and a long name.")) == ["has 105 qubits and a long name."]
    assert cut_sentences(topic("第一句话。第二句话，很长。", "第二句话，很长。")) == []
    assert cut_sentences(topic("第一句话。第二句话，很长。", "很长。")) == ["很长。"]
    lines = "First line of a list\nsecond line of a list\nthird line of a list"
    assert cut_sentences(topic(lines, "First line of a list\nthird line of a list")) == []


def test_extracts_are_as_long_as_the_summary_and_of_whole_sentences() -> None:
    given = topic(LONG)
    for extract in (lead(given), at_random(given)):
        assert abs(len(extract) - len(given.summary)) < 120
        assert cut_sentences(topic(LONG, extract)) == []
    assert LONG.startswith(lead(given).split("\n")[0])
    assert at_random(given) == at_random(given)


def test_every_measure_has_its_controls() -> None:
    scores = {(one.measure, one.system): one for one in summaries.judged("set", [topic(LONG)])}
    near = {one.system: one.value for one in summaries.similarities("set", [topic(LONG)], HashedNgrams())}
    assert scores["length over the source's", "engine"].goal == 0.5
    assert scores["length over the source's", "engine"].holds
    assert scores["summaries of whole sentences", "engine"].value == 1.0
    kept = "numbers, dates and names kept"
    assert scores[kept, "engine"].value > scores[kept, "lead of equal length"].value
    assert set(near) == set(summaries.SYSTEMS)
    assert all(0 < value <= 1 for value in near.values())
    assert summaries.judged("set", []) == []


def test_the_sets_are_read_in_their_form(tmp_path: Path) -> None:
    for name in ("choi/1/3-5", "zh_novel", "memorybank", "cmrc2018"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "choi/1/3-5/0.ref").write_text("==========\nA one .\nB .\n==========\nC .\n==========\n", "utf-8")
    (tmp_path / "zh_novel/a.txt").write_text("\ufeff站头\n第一回 开头\n正文甲。\n第二回 又\n正文乙。\n", "utf-8")
    history = {"王": {"history": {"2023-05-01": [{"query": "你好", "response": "早"}]}}}
    (tmp_path / "memorybank/memory_bank_cn_dev.json").write_text(json.dumps(history), "utf-8")
    paragraph = {"title": "湖", "paragraphs": [{"context": "湖很大。", "qas": []}]}
    (tmp_path / "cmrc2018/cmrc2018_trial.json").write_text(json.dumps({"data": [paragraph]}), "utf-8")
    assert [text.text for text in summaries.choi(tmp_path)] == ["A one .\nB .\n\nC ."]
    assert [text.text for text in summaries.novels(tmp_path)] == ["第一回 开头\n正文甲。", "第二回 又\n正文乙。"]
    assert [(one.text, one.kind) for one in summaries.dialogues(tmp_path)] == [("王: 你好\nAI: 早", "dialogue")]
    assert [text.text for text in summaries.cmrc(tmp_path)] == ["湖很大。"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_demo_material_keeps_its_facts(lang: str) -> None:
    texts = [text for text in summaries.SETS[f"demo {lang}"](Path()) if text.name.endswith(".md")][:6]
    for found in summaries.topics(texts, HashedNgrams()):
        assert cut_sentences(found) == []
        assert len(found.summary) <= len(found.source)
