"""The whole prompts of a settlement that a model reads: the first piece, what was left out, a later piece."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.llm.base import ChatRequest
from memorybank.memory.types import Lang
from memorybank_studio.hub.stores import Stores
from memorybank_studio.settlement.by_model import ModelExtract
from memorybank_studio.types import Entity, EntityKind, Fact, Origin, Plan, PlanKind, TaskId, Turn
from tests.engines.llm.scripted import ScriptedChat
from tests.prompts.rendered import check

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
    stores.facts.apply(
        [ilse, corin], [Fact(subject=ilse.key, predicate="KNOWS", object=corin.key, since=7, origin=origin)]
    )
    stores.plans.apply([Plan(kind=PlanKind.GENERAL, title=NAMES[lang][2], origin=origin)], [], "board")
    return stores


def turns_of(texts: tuple[str, ...]) -> list[Turn]:
    return [
        Turn(number=number, role="author" if number % 2 else "assistant", text=text, at=0.0)
        for number, text in enumerate(texts, start=1)
    ]


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
