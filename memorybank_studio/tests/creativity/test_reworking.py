"""Mixing and changing options: the one new option that names its parents."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import AgentError
from memorybank.llm.build import build_chat
from memorybank.memory.types import Lang
from memorybank_lab.scripted import Script, ScriptedServer, asks, on
from memorybank_studio.creativity.options import Criterion, Draft, Lookup, Offer, Option, Request
from memorybank_studio.hub.stores import Stores
from memorybank_studio.studio import made_workshop
from memorybank_studio.tests.creativity.conftest import STEP
from memorybank_studio.tests.creativity.judging import judged
from memorybank_studio.types import TaskId
from tests.llm.asking import settings
from tests.prompts.rendered import check

LOOKUP = Lookup(source="facts", query="Lin", found="Lin owns Frost Sword")
TEXTS = {
    "en": ("Lin waits at the gate until dawn.", "Rao opens it from within, and laughs."),
    "zh": ("林在门前等到天亮。", "饶从里面开了门，笑了。"),
}
MIXED = {
    "en": "Lin waits at the gate until dawn. Rao opens it, and laughs.",
    "zh": "林在门前等到天亮。饶开了门，笑了。",
}
ASKED = {"en": "the beginning of 1 with the end of 3", "zh": "1的开头加上3的结尾"}


def parents(lang: Lang) -> list[Offer]:
    drafts = [Draft(brief="quiet", text=text, step=STEP.title, lookups=(LOOKUP,), made_by="m") for text in TEXTS[lang]]
    options = [Option(draft=draft, scores=()) for draft in drafts]
    return [
        Offer(task=TaskId("t1"), turn=2, number=number, option=one) for number, one in zip((1, 3), options, strict=True)
    ]


def reworked(server: ScriptedServer, stores: Stores, request: Request) -> Option:
    chat = build_chat(settings(server, attempts=1), None)
    return made_workshop(stores, HashedNgrams(), chat).reworked(parents(request.lang), request)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_mix_costs_two_calls_names_its_parents_and_is_judged(stores: Stores, request_: Request, lang: Lang) -> None:
    answer = {"step": "p1", "event": "The gate is open.", "text": MIXED[lang]}
    prompt = f"(the context that was built)\n\n<task>\n{ASKED[lang]}\n</task>"
    rules = [on(asks(schema="proposal"), answer), on(asks(schema="judgements"), judged)]
    with ScriptedServer(Script(rules=rules)) as server:
        option = reworked(server, stores, replace(request_, asked=ASKED[lang], lang=lang, prompt=prompt))
        assert [call.schema_name for call in server.chats] == ["proposal", "judgements"]
        check(f"proposal.{lang}", server.chats[0].text)
    assert option.draft.text == MIXED[lang]
    assert option.draft.parents == ("t1-2-1", "t1-2-3")
    assert (option.draft.step, option.draft.event) == (STEP.title, "The gate is open.")
    assert option.draft.lookups == (LOOKUP,), "what the parents stand on, once"
    assert {score.criterion for score in option.scores} == set(Criterion)


@pytest.mark.parametrize("answer", ["no JSON", {"step": "", "event": "", "text": " "}, {"questions": []}])
def test_no_model_makes_a_mix_cost_more_than_two_calls(stores: Stores, request_: Request, answer: Any) -> None:
    with ScriptedServer(answer) as server:
        with pytest.raises(AgentError):
            reworked(server, stores, request_)
        assert len(server.chats) == 1, "one is left for judging, and there is nothing to judge"
    good = {"step": "p9", "event": "", "text": "Lin waits."}
    rules = [on(asks(schema="proposal"), good), on(asks(schema="judgements"), answer)]
    with ScriptedServer(Script(rules=rules)) as server:
        option = reworked(server, stores, request_)
        assert len(server.chats) == 2
    assert option.draft.step == "", "a step that was not shown is none"
    assert all(score.reasons[-1].startswith("no judgement: ") for score in option.scores)
