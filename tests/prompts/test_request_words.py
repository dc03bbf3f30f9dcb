"""What is put around an agent's prompt: the repair of an answer, and what a server takes only in words."""

from __future__ import annotations

import pytest

from memorybank.engines.llm.wire import StructureAnswer
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatRequest, ToolSpec
from memorybank.llm.schemas import strict_schema
from memorybank.llm.words import add_schema, add_tools
from memorybank.memory.types import ImageId, Lang, StagedImage
from memorybank.session.executors.react.protocol import system_prompt
from tests.engines.llm.scripted import ScriptedChat
from tests.prompts.rendered import check

QUESTION = {"en": "Condense the text of the harbour master.", "zh": "请概括港务长的这段文字。"}
SEARCH = ToolSpec(name="search", description="Searches documents.", parameters={"type": "object", "properties": {}})


def shown(messages: tuple[ChatMessage, ...]) -> str:
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in messages)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_answer_is_sent_back_with_what_is_wrong(lang: Lang) -> None:
    model = ScriptedChat(["The quay is 40 m long.", {"summary": "The quay is 40 m long."}])
    request = ChatRequest(
        messages=(ChatMessage(role="user", content=QUESTION[lang]),), schema=strict_schema(StructureAnswer)
    )
    assert ask_typed(model, request, StructureAnswer).summary == "The quay is 40 m long."
    check(f"repair.{lang}", shown(model.requests[1].messages))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_a_server_does_not_take_is_said_in_words(lang: Lang) -> None:
    question = (ChatMessage(role="user", content=QUESTION[lang]),)
    check(f"schema-in-words.{lang}", shown(add_schema(question, strict_schema(StructureAnswer))))
    check(f"tools-in-words.{lang}", shown(add_tools(question, (SEARCH,))))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_images_are_read_by_instructions_of_their_own(lang: Lang) -> None:
    image = StagedImage(
        id=ImageId("i1"), name="poster.png", sha256="0" * 64, media_type="image/png", width=640, height=480, size=1_000
    )
    check(f"executor-system-images.{lang}", system_prompt((), lang, native=False, images=(image,)))
