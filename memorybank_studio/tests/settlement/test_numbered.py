"""A task's turns as numbered sentences: none is lost, each is in one piece, and the author's count."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.llm.base import ChatRequest
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang
from memorybank_studio.hub.stores import Stores
from memorybank_studio.settlement.by_model import ModelExtract
from memorybank_studio.settlement.numbered import MOST_COUNTED, NumberedSentence, before, numbered, pieces, ranges
from memorybank_studio.tests.tasks.studio import chunk, turns_of
from memorybank_studio.types import Entity, EntityKind, Origin, Plan, PlanKind, TaskId
from tests.engines.llm.scripted import ScriptedChat
from tests.prompts.rendered import check

TEXTS = st.lists(st.text(st.sampled_from("ab 12。？.!\n、林人“”-"), max_size=80), max_size=8)


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(5, 60))
def test_every_letter_is_in_a_sentence_and_every_sentence_in_one_piece(texts: list[str], window: int) -> None:
    sentences = numbered(turns_of(texts), window)
    told: dict[int, str] = {}
    for sentence in sentences:
        told[sentence.turn] = told.get(sentence.turn, "") + sentence.text
    assert {turn: letters(text) for turn, text in told.items()} == {
        number: letters(text) for number, text in enumerate(texts, start=1) if letters(text)
    }
    assert [sentence.number for sentence in sentences] == list(range(1, len(sentences) + 1))
    cut = list(pieces(sentences, window))
    assert [sentence for piece in cut for sentence in piece] == list(sentences)
    for piece in cut:
        assert sum(sentence.cost for sentence in piece) <= window or len(piece) == 1
        assert sum(sentence.counts for sentence in piece) <= MOST_COUNTED
    assert all(estimate(sentence.text) <= window for sentence in sentences)


def sentence(number: int, words: int) -> NumberedSentence:
    return NumberedSentence(number=number, turn=1, role="author", text="word " * words)


def test_the_sentences_before_are_the_nearest_that_fit() -> None:
    sentences = [sentence(number, 10) for number in range(1, 6)]
    cost = sentences[0].cost
    assert [one.number for one in before(sentences, 4, 2 * cost)] == [2, 3]
    assert before(sentences, 1, 100) == ()


def test_numbers_are_told_in_runs() -> None:
    assert ranges([4, 1, 2, 3, 6, 8, 9]) == "1-4, 6, 8-9"
    assert ranges([]) == ""


TASK = TaskId("t2")
TURNS: dict[Lang, tuple[str, ...]] = {
    "en": (
        "In chapter 8 Ilse finds the bone flute in the Drowned Cave. She hides it from Corin, who killed her father.",
        "1. Corin follows her tracks. He waits at the ford.\n2. Ilse gives the flute to Brother Aldo. He knows of it.",
        "I'll take option 2. Should Aldo lie about it? Perhaps he sells it one day.\nForget the ford, there is none.",
        "Noted.",
    ),
    "zh": (
        "第八章，伊尔在沉水洞找到了骨笛。她瞒着柯林，因为柯林杀了她父亲。",
        "方案一：柯林循着足迹追来。他在渡口等候。\n方案二：伊尔把骨笛交给阿尔多修士。他知道那是什么。",
        "选方案二。阿尔多要不要说谎？也许哪天他会把它卖了。\n渡口不要了，那里没有渡口。",
        "记下了。",
    ),
}
NAMES: dict[Lang, tuple[str, str, str]] = {
    "en": ("Ilse", "Corin", "The flute's road"),
    "zh": ("伊尔", "柯林", "骨笛之路"),
}
LISTS = ("names", "facts", "hooks", "plans", "statuses", "settings", "not_taken", "taken_back")


@pytest.fixture
def hub(stores: Stores, lang: Lang) -> Stores:
    origin = Origin(task=TaskId("t1"))
    ilse, corin = (Entity(kind=EntityKind.CHARACTER, name=name, origin=origin) for name in NAMES[lang][:2])
    stores.facts.apply([ilse, corin], [])
    stores.archive.put([chunk(7, 0, "Rain")])
    stores.plans.apply([Plan(kind=PlanKind.GENERAL, title=NAMES[lang][2], origin=origin)], [], "board")
    return stores


def whole(request: ChatRequest) -> str:
    return "\n\n".join(f"== {message.role}\n{message.content}" for message in request.messages)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_prompts_of_a_settlement_are_kept(hub: Stores, lang: Lang) -> None:
    nothing: dict[str, list[Any]] = {name: [] for name in LISTS}
    ilse, corin = NAMES[lang][:2]
    row = {"subject": ilse, "relation": "HATES", "object": corin, "properties": [], "chapter": None, "happened": True}
    chat = ScriptedChat([nothing | {"facts": [{**row, "sentences": [1, 2]}]}, nothing])
    ModelExtract(chat, hub, lang)(turns_of(TURNS[lang]), TASK)
    first, missing = map(whole, chat.requests)
    check(f"settlement.{lang}", first)
    check(f"settlement-missing.{lang}", missing.split("\n\n== ", 2)[2])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_prompt_of_a_later_piece_is_kept(hub: Stores, lang: Lang) -> None:
    nothing: dict[str, list[Any]] = {name: [] for name in LISTS}
    ilse, corin = NAMES[lang][:2]
    row = {"subject": ilse, "relation": "HATES", "object": corin, "properties": [], "chapter": 8, "happened": True}
    chat = ScriptedChat([nothing | {"facts": [{**row, "sentences": [1]}]}, nothing, nothing], context_window=400)
    ModelExtract(chat, hub, lang)(turns_of((*TURNS[lang], *TURNS[lang])), TASK)
    later = next(one for one in chat.requests if len(one.messages) == 2 and one is not chat.requests[0])
    check(f"settlement-later.{lang}", later.messages[1].content)
