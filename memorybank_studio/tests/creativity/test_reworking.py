"""Mixing and changing options: the one new option that names its parents."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import AgentError
from memorybank.llm.build import build_chat
from memorybank.memory.types import Lang
from memorybank_lab.scripted import Script, ScriptedServer, asks, error_reply, on
from memorybank_studio.creativity.evidence import MOST_FACTS, Lookups, evidence
from memorybank_studio.creativity.model import Workshop
from memorybank_studio.creativity.model_judges import NO_JUDGEMENT
from memorybank_studio.creativity.options import MOST, Criterion, Draft, Lookup, Offer, Option, Request, Score
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.context import Taken, TurnKind
from memorybank_studio.tasks.answering import Answers
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tests.creativity.conftest import CHAPTER, DEAD, LIN, STEP, fact
from memorybank_studio.tests.creativity.judging import judged
from memorybank_studio.tests.tasks.studio import character, context
from memorybank_studio.types import HAS_STATUS, EntityKind, TaskId
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
    return Workshop(chat, stores, HashedNgrams()).reworked(parents(request.lang), request)


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


@pytest.mark.parametrize(
    "answer", ["no JSON", error_reply(500, "it broke"), {"step": "", "event": "", "text": " "}, {"questions": []}]
)
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
    assert {score.value for score in option.scores} == {NO_JUDGEMENT}


def test_a_look_up_shows_statuses_first_and_then_what_came_last(stores: Stores) -> None:
    coins = [character(f"coin {number}", kind=EntityKind.ITEM) for number in range(MOST_FACTS + 3)]
    ring = character("the last ring", kind=EntityKind.ITEM)
    stores.facts.apply([*coins, ring], [fact(LIN, "OWNS", coin) for coin in coins])
    stores.facts.apply([], [fact(LIN, HAS_STATUS, DEAD, since=2), fact(LIN, "OWNS", ring, since=3)])
    lines = Lookups(stores, CHAPTER, "en").facts("Lin").splitlines()
    assert len(lines) == MOST_FACTS
    assert lines[0].startswith("Lin is dead")
    assert "the last ring" in lines[1]
    draft = Draft(brief="quiet", text="Lin smiles.", made_by="test")
    request = Request(asked="?", prompt="", chapter=CHAPTER, lang="en")
    shown = {one.kind: [line for _, line in one.lines] for one in evidence([draft], request, stores)}
    assert shown["facts"][0].startswith("Lin is dead")
    assert "the last ring" in shown["facts"][1]


def test_lookups_are_kept_and_hold_as_of_the_chapter(stores: Stores) -> None:
    lookups = Lookups(stores, CHAPTER, "en")
    assert "Lin owns Frost Sword" in lookups.facts("Lin")
    assert lookups.setting("frost sword") == "Frost Sword: It burns whoever lies."
    assert "Lin opens the gate" in lookups.plans("Lin")
    assert lookups.scenes("snow at the gate").startswith("[3] Lin stood")
    assert lookups.facts("nobody") == ""
    assert [one.source for one in lookups.made] == ["facts", "settings", "plans", "scenes", "facts"]
    assert "dead" not in Lookups(stores, 2, "en").facts("Wen")
    assert "dead" in Lookups(stores, CHAPTER, "en").facts("Wen")


def test_a_draft_that_breaks_a_fact_is_no_better_than_that() -> None:
    draft = Draft(brief="own", text="Wen drew his knife.", made_by="author")
    scores = [
        Score(criterion=criterion, value=value, reasons=("so",))
        for criterion, value in ((Criterion.CONSISTENCY, 0.2), (Criterion.GOAL, 1.0))
    ]
    assert Option(draft=draft, scores=tuple(scores)).total == 0.2


OPTIONS = Taken(kind=TurnKind.OPTIONS, reason="asked for", by="author")


@pytest.mark.parametrize(("said", "count"), [(0, 3), (2, 2), (5, 5), (99, MOST)])
def test_as_many_as_the_author_says_come_back_and_else_as_many_as_usual(stores: Stores, said: int, count: int) -> None:
    wanted: list[int] = []
    workshop: Any = SimpleNamespace(options=lambda request: wanted.append(request.count) or ())
    nothing_offered: Any = SimpleNamespace(offers=lambda task: ())
    answers = Answers(workshop, stores, TaskSettings(), chat=None)
    answers(context(chapter=CHAPTER), "Plot: Lin", replace(OPTIONS, count=said), nothing_offered)
    assert wanted == [count]
