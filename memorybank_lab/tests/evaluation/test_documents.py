from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank_lab.evaluation.documents import PassageQuestion, PassageSet, cmrc, compared, hotpotqa, musique, run

PASSAGES = {
    "Lake Orla": "Lake Orla lies in the north of Varland. The lake is 90 metres deep and freezes in January.",
    "Varland": "Varland is an island republic. Its president is Mira Holt, who took office in 2019.",
    "Harbour bridge": "The harbour bridge was built of steel. It carries trams and a cycle path.",
    "Copper beetle": "The copper beetle feeds on oak leaves. It was described in 1874.",
    "Winter wheat": "Winter wheat is sown in autumn. Farmers harvest it in July.",
    "Night train": "The night train leaves at ten. It has sleeping cars and a dining car.",
}
ASKED = "Who is the president of the republic where Lake Orla lies?"
PARAGRAPHS = {
    "青湖位于省城以北，水深九十米，冬天结冰，夏天是避暑的地方。": "青湖的水有多深？",
    "铜甲虫以橡树叶为食，一八七四年首次被描述，分布在南方。": "铜甲虫吃什么？",
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    def put(name: str, content: object) -> None:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content), "utf-8")

    paragraphs = [
        {"title": title, "paragraph_text": text, "is_supporting": place < 2}
        for place, (title, text) in enumerate(PASSAGES.items())
    ]
    put("multihop/musique_x.json", [{"question": ASKED, "paragraphs": paragraphs}])
    put("multihop/musique_x_corpus.json", [{"title": title, "text": text} for title, text in PASSAGES.items()])
    put("multihop/hotpotqa_x.json", [{"question": ASKED, "supporting_facts": [["Lake Orla", 0], ["Varland", 1]]}])
    put("multihop/hotpotqa_x_corpus.json", {title: text.split(". ") for title, text in PASSAGES.items()})
    given = [{"context": text, "qas": [{"question": question}]} for text, question in PARAGRAPHS.items()]
    put("cmrc2018/x.json", {"data": [{"paragraphs": [*given, given[0]]}]})
    return tmp_path


def test_the_sets_name_the_passages_that_answer(data: Path) -> None:
    for pool in (musique(data), hotpotqa(data)):
        assert [title for title, _ in pool.passages] == list(PASSAGES)
        assert [one.wanted for one in pool.questions] == [frozenset({0, 1})]
        assert pool.several
    chinese = cmrc(data)
    assert len(chinese.passages) == 2, "a paragraph that stands twice is one document"
    assert [one.wanted for one in chinese.questions] == [{0}, {1}, {0}]
    assert not chinese.several
    assert musique(data).sources[0].text.startswith("# Lake Orla\n\n")


def test_recall_and_the_goal_by_hand() -> None:
    pool = PassageSet("MuSiQue", (), (PassageQuestion("a", frozenset({1, 2})), PassageQuestion("b", frozenset({4}))))
    rankings = [{"engine": [1, 9, 8], "mixture": [9, 1, 2]}, {"engine": [4], "mixture": [7]}]
    scores = {(one.measure, one.system): one for one in compared(pool, pool.questions, {2: rankings, 5: rankings})}
    assert scores["recall@2", "engine"].value == pytest.approx((0.5 + 1) / 2)
    assert scores["recall@2", "engine"].goal is None
    assert scores["recall@5", "mixture"].value == pytest.approx((1 + 0) / 2)
    assert scores["recall@5", "engine"].goal == pytest.approx(0.5 + 0.04)


def test_a_run_files_the_passages_and_asks_the_memory(data: Path) -> None:
    report = run(data, HashedNgrams(), full=False, progress=lambda line: None)
    scores = {(score.data, score.measure, score.system): score for score in report.scores}
    assert {data for data, _, _ in scores} == {"MuSiQue", "HotpotQA", "CMRC2018"}
    ways = {"engine, without links", "engine, memories alone", "engine, passages alone"}
    systems = {"engine", *ways, "BM25", "hashed-ngrams", "mixture"}
    assert {system for _, _, system in scores} == systems
    assert scores["MuSiQue", "recall@5", "engine"].value == 1.0
    assert scores["CMRC2018", "recall@1", "engine"].value == 1.0
    assert scores["CMRC2018", "recall@1", "engine"].goal == 0.96
