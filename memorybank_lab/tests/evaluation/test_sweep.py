"""The sweep: what counts as false, and a few questions of each kind asked for real."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Claim, Contradiction, Lang
from memorybank_lab.evaluation import sweep
from memorybank_lab.evaluation.planted import PlantedItem, PlantedStatement

DOCUMENTS = {"a.md": "The tower is 40 m high.", "b.md": "It is 44 m high, they say.", "c.md": "The spire is 44 m high."}
ITEM = PlantedItem(
    id="number",
    kind="number",
    about="number",
    field="towers",
    claim="how high the tower is",
    statements=(
        PlantedStatement(value="40 m", said={"a.md": "40 m"}),
        PlantedStatement(value="44 m", said={"b.md": "44 m"}, wrong=True),
    ),
)


def _against(left: str, right: str) -> Contradiction:
    claims = [Claim(text=text, kind="number", subject="tower", attribute="height", value="") for text in (left, right)]
    return Contradiction(left=claims[0], right=claims[1], reason="", confidence=1.0)


def test_a_planted_contradiction_stands_in_its_documents_with_its_values() -> None:
    planted = _against("The tower is 40 m high.", "It is 44 m high.")
    assert sweep.stands_in(planted, ITEM, DOCUMENTS)
    assert sweep.stands_in(replace(planted, left=planted.right, right=planted.left), ITEM, DOCUMENTS)
    assert not sweep.stands_in(_against("The tower is 40 m high.", "The spire is 44 m high."), ITEM, DOCUMENTS)
    assert not sweep.stands_in(_against("It is 44 m high.", "It is 44 m high, they say."), ITEM, DOCUMENTS)


@pytest.mark.parametrize("lang", sweep.LANGS)
def test_there_are_sixty_questions_on_each_kind_of_corpus(lang: Lang) -> None:
    demo = sweep.demo(lang)
    assert len(set(demo.questions)) >= 60
    assert demo.truth.items
    asked = [question for ground in sweep.invented(lang) for question in ground.questions]
    assert len(set(asked)) >= 60


SAMPLE: dict[Lang, tuple[str, ...]] = {
    "en": ("How many qubits does Willow have?", "Which space telescopes see infrared light?"),
    "zh": ("FAST的首席科学家是谁？", "西昌卫星发射中心有什么特点？"),
}


@pytest.mark.parametrize("lang", sweep.LANGS)
def test_a_sample_raises_nothing_false_and_makes_nothing_up(lang: Lang) -> None:
    ground = sweep.demo(lang)
    found = [sweep.sweep(question, ground, HashedNgrams()) for question in SAMPLE[lang]]
    assert any(one.planted for one in found), "what is planted is met"
    assert [one.false for one in found] == [(), ()]
    assert [one.made_up for one in found] == [(), ()]
