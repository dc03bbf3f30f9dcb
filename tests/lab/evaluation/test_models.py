"""The recommendation of a model and α: recall by hand, and what is advised when a lead is real and when it is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.embedding.hashed import NAME, HashedNgrams
from memorybank.errors import InputError
from memorybank.lab.evaluation.documents import PassageQuestion, PassageSet
from memorybank.lab.evaluation.models import Kind, Texts, _some, models, recalls, recommended, run

USUAL = ("usual", 0.5)


def test_the_default_stays_unless_another_leads_by_more_than_chance() -> None:
    assert recommended({USUAL: [1.0, 1.0], ("other", 0.5): [1.0, 0.0]}, USUAL).endswith(
        "which is the default: keep it."
    )
    level = {("other", 0.5): [1.0, 0.0], ("usual", 0.75): [1.0, 0.0], USUAL: [1.0, 0.0]}
    assert "usual with α = 0.5 finds most (0.500)" in recommended(level, USUAL), "of equals the default"
    chance = {USUAL: [1.0, 0.0, 0.0, 1.0], ("other", 0.25): [0.0, 1.0, 1.0, 1.0]}
    told = recommended(chance, USUAL)
    assert told.startswith("other with α = 0.25 finds most (0.750)")
    assert "0.250 less" in told
    assert told.endswith("keep the default.")
    lead = {USUAL: [0.0] * 30, ("other", 0.0): [1.0] * 28 + [0.0] * 2}
    assert recommended(lead, USUAL).endswith("set what finds most.")


def test_recall_of_a_choice_is_that_of_its_ranking() -> None:
    texts = ("The mill burned in 1911.", "A bridge of steel.", "Beetles feed on oak.")
    asked = (PassageQuestion("What do beetles feed on?", frozenset({2})), PassageQuestion("the bridge", frozenset({0})))
    kind = Kind("English, notes", 1, (Texts(texts, asked),))
    found = recalls(kind, HashedNgrams())
    assert set(found) == {(NAME, alpha) for alpha in (0.0, 0.25, 0.5, 0.75, 1.0)}
    assert all(values == [1.0, 0.0] for values in found.values())


def test_a_sample_of_documents_holds_what_its_questions_want() -> None:
    passages = tuple((f"title {number}", f"text {number}") for number in range(50))
    pool = PassageSet(
        "HotpotQA", passages, tuple(PassageQuestion(f"q{place}", frozenset({place, place + 25})) for place in range(20))
    )
    some = _some(pool, full=False, questions=5, passages=15)
    assert (len(some.asked), len(some.texts)) == (5, 15)
    for one in some.asked:
        place = int(one.text.removeprefix("q"))
        assert sorted(some.texts[place].splitlines()[0] for place in one.wanted) == sorted(
            [f"# title {place}", f"# title {place + 25}"]
        )
    assert len(_some(pool, full=True, questions=5, passages=15).texts) == 50


def test_a_run_tells_a_recommendation_for_each_kind(tmp_path: Path) -> None:
    folder = tmp_path / "cmrc2018"
    folder.mkdir()
    given = [
        {"context": "青湖位于省城以北，水深九十米，冬天结冰。", "qas": [{"question": "青湖的水有多深？"}]},
        {"context": "铜甲虫以橡树叶为食，分布在南方。", "qas": [{"question": "铜甲虫吃什么？"}]},
    ]
    (folder / "x.json").write_text(json.dumps({"data": [{"paragraphs": given}]}), "utf-8")
    report = run(tmp_path, HashedNgrams(), full=False, progress=lambda line: None, sets=["CMRC2018"])
    (note,) = report.notes
    assert note.startswith(f"Chinese, paragraphs (CMRC2018): {NAME} with α = 0.5 finds most (1.000)")
    values = {score.system: score.value for score in report.scores}
    assert values[f"{NAME}, α = 0"] == values[f"{NAME}, α = 0.5"] == 1.0
    assert values[f"{NAME}, α = 1"] == 0.5, "BM25 tells two texts alone apart by chance"
    assert [one.name for one in models(HashedNgrams(), ["x"])] == [NAME], "a model that was asked for stays alone"


@pytest.mark.parametrize("name", ["LoCoMo", "HotpotQA"])
def test_a_missing_set_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="give --data the folder"):
        run(tmp_path, HashedNgrams(), full=False, progress=lambda line: None, sets=[name])
