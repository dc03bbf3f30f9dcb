"""The prompts of the agents as they are sent, whole; and what is put around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memorybank.engines.llm import LLMEngine
from memorybank.engines.llm.wire import StructureAnswer
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatRequest, ToolSpec
from memorybank.llm.schemas import strict_schema
from memorybank.llm.words import add_schema, add_tools
from memorybank.memory import contracts
from memorybank.memory.types import Claim, ConflictStatus, Contradiction, ImageId, Lang, StagedImage
from memorybank.prompts.templates import render_parts
from memorybank.session.executors.react.protocol import system_prompt
from tests.engines.llm.scripted import Bench, ScriptedChat
from tests.prompts.rendered import check
from tests.prompts.world import LANGS, MEMORIES, WORLDS, memory

each_lang = pytest.mark.parametrize("lang", LANGS)


@each_lang
def test_structure(lang: Lang) -> None:
    bench = Bench([{"summary": WORLDS[lang]["draft"]}])
    bench.engine.structure.run(contracts.StructureInput(**WORLDS[lang]["text"], lang=lang))
    first, again = ("\n\n".join(message.content for message in request.messages) for request in bench.chat.requests)
    check(f"structure.{lang}", first)
    check(f"structure-again.{lang}", again)


@each_lang
def test_classification(lang: Lang) -> None:
    goal = WORLDS[lang]["text_goal"]
    text = WORLDS[lang]["text"]["content"].partition("\n\n|")[0]
    for name, times in (("classification", 1), ("classification-long", 40)):
        bench = Bench([{"topics": [{"topic": "x", "keywords": ["x"], "ranges": [{"first": 0, "last": 99}]}]}])
        bench.engine.classification.run(contracts.ClassificationInput(text=text * times, task_goal=goal, lang=lang))
        whole = "\n\n".join(message.content for message in bench.chat.requests[0].messages)
        check(f"{name}.{lang}", whole if times == 1 else whole[: whole.index("<memory>\n[")])


# -- The prompts of analysis and integration as they are sent, whole ---------------------------------------------------


def sent(answer: Any, ask: Callable[[LLMEngine], Any]) -> str:
    """What one call sends: the system prompt, then the question."""
    bench = Bench([answer])
    ask(bench.engine)
    (request,) = bench.chat.requests
    return "\n\n----\n\n".join(message.content for message in request.messages)


PAIRS = ("A-0", "B-0", "B-A")


@each_lang
def test_analysis(lang: Lang) -> None:
    operator, feature, log = (memory(name, lang) for name in MEMORIES)
    further = contracts.Comparison(new=log, candidates=(operator, feature))
    given = contracts.AnalysisInput(new=feature, candidates=(operator,), further=(further,), lang=lang)
    answer = {"relationships": [{"pair": pair, "reasoning": "r", "relationship": "related"} for pair in PAIRS]}
    check(f"analysis.{lang}", sent(answer, lambda engine: engine.analysis.run(given)))


def rulings(lang: Lang) -> tuple[contracts.PairVerdict, ...]:
    world = WORLDS[lang]
    found = []
    for told in world["rulings"]:
        left, right = (
            Claim(text=told[side], kind="number", subject="", attribute="", value="") for side in ("left", "right")
        )
        found.append(
            contracts.PairVerdict(
                left=0,
                right=1,
                status=ConflictStatus.RESOLVED,
                winner=told["winner"],
                value=told["value"],
                reasoning=world["reasoning"],
                contradictions=(Contradiction(left=left, right=right, reason="", confidence=1.0),),
                conflict="c1",
                sources=tuple(world["ruled_by"]),
            )
        )
    return tuple(found)


UNITED = {"summary": "One memory of both.", "context": "both", "keywords": ["both"], "description": "They were united."}


def nodes(lang: Lang) -> tuple[contracts.NodeWithNeighbors, ...]:
    near = contracts.NeighborInfo(ref=0, **WORLDS[lang]["neighbour"])
    told = ((memory("operator", lang), (near,)), (memory("feature", lang), ()))
    return tuple(contracts.NodeWithNeighbors(**node.model_dump(), neighbors=neighbors) for node, neighbors in told)


@each_lang
def test_integration_after_a_conflict(lang: Lang) -> None:
    given = contracts.IntegrationInput(
        nodes=nodes(lang),
        trigger="conflict",
        verdicts=rulings(lang),
        validation_result=WORLDS[lang]["report"],
        lang=lang,
    )
    check(f"integration_conflict.{lang}", sent(UNITED, lambda engine: engine.integration.run(given)))


@each_lang
def test_integration_of_what_says_the_same(lang: Lang) -> None:
    bare = tuple(node.model_copy(update={"neighbors": ()}) for node in nodes(lang))
    advice = WORLDS[lang]["merge_advice"]
    given = contracts.IntegrationInput(nodes=bare, trigger="merge", merge_strategies=(advice,), lang=lang)
    check(f"integration_merge.{lang}", sent(UNITED, lambda engine: engine.integration.run(given)))


@each_lang
def test_neighbours_that_had_no_room(lang: Lang) -> None:
    near = {"ref": 0, **WORLDS[lang]["neighbour"], "of": (0,)}
    values = {"new": memory("operator", lang), "nodes": nodes(lang), "neighbors": [near]}
    system, user = render_parts("neighbors", lang, **values)
    check(f"neighbors.{lang}", f"{system}\n\n----\n\n{user}")


# -- What is put around an agent's prompt: the repair of an answer, and what a server takes only in words --------------

SEARCH = ToolSpec(name="search", description="Searches documents.", parameters={"type": "object", "properties": {}})


def shown(messages: tuple[ChatMessage, ...]) -> str:
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in messages)


@each_lang
def test_an_answer_is_sent_back_with_what_is_wrong(lang: Lang) -> None:
    model = ScriptedChat(["The quay is 40 m long.", {"summary": "The quay is 40 m long."}])
    request = ChatRequest(
        messages=(ChatMessage(role="user", content=WORLDS[lang]["question"]),), schema=strict_schema(StructureAnswer)
    )
    assert ask_typed(model, request, StructureAnswer).summary == "The quay is 40 m long."
    check(f"repair.{lang}", shown(model.requests[1].messages))


@each_lang
def test_what_a_server_does_not_take_is_said_in_words(lang: Lang) -> None:
    question = (ChatMessage(role="user", content=WORLDS[lang]["question"]),)
    check(f"schema-in-words.{lang}", shown(add_schema(question, strict_schema(StructureAnswer))))
    check(f"tools-in-words.{lang}", shown(add_tools(question, (SEARCH,))))


@each_lang
def test_images_are_read_by_instructions_of_their_own(lang: Lang) -> None:
    image = StagedImage(
        id=ImageId("i1"), name="poster.png", sha256="0" * 64, media_type="image/png", width=640, height=480, size=1_000
    )
    check(f"executor-system-images.{lang}", system_prompt((), lang, native=False, images=(image,)))
