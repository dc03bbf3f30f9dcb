from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from enum import StrEnum
from functools import partial
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorybank import calls
from memorybank.errors import AgentError
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatModel
from memorybank.llm.build import build_chat
from memorybank.llm.schemas import BOUNDS, fit, strict_schema, without_bounds, worded
from memorybank.memory.contracts import AnalysisOutput, ClassificationOutput, IntegrationOutput
from memorybank_lab.scripted import Answer, Script, ScriptedReply, ScriptedServer, instance_of
from tests.llm.asking import ask, settings


class Kind(StrEnum):
    CITY = "city"
    RIVER = "river"


class Place(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(description="As written", max_length=60)
    kind: Kind
    near: tuple[int, ...] = ()
    height: float | None = None


class Places(BaseModel):
    model_config = ConfigDict(extra="forbid")
    reasoning: str
    places: tuple[Place, ...]


LIMA = {"name": "Lima", "kind": "city", "near": [0, 2], "height": 161.5}
GOOD = {"reasoning": "One is named.", "places": [LIMA]}


class Asked:
    """A chat model with all its wrappers before a scripted server, and what the watch saw."""

    def __init__(self, stack: ExitStack, *script: Answer, **more: Any) -> None:
        self.server = stack.enter_context(ScriptedServer(Script(sequence=script), **more))
        self.chat: ChatModel = stack.enter_context(closing(build_chat(settings(self.server, attempts=2), None)))
        self.calls: list[calls.ChatCall] = []

    def ask(self, text: str = "Which places are named?", **more: Any) -> Places:
        with calls.watch() as self.calls:
            return ask_typed(self.chat, ask(text, **more.pop("request", {})), Places, **more)

    @property
    def notes(self) -> list[str]:
        return [note for call in self.calls for note in call.notes]


@pytest.fixture
def asked() -> Iterator[Any]:
    with ExitStack() as stack:
        yield partial(Asked, stack)


MORE = {**GOOD, "sure": True, "places": [{**LIMA, "id": 7}]}
WRAPPED = "repaired: taken out of what was wrapped around it"


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (json.dumps(GOOD), ""),
        (json.dumps({"answer": GOOD}), WRAPPED),
        (json.dumps([GOOD]), WRAPPED),
        (json.dumps({"result": GOOD, "status": "ok"}), WRAPPED),
        (json.dumps(MORE), "repaired: unknown fields left out: id, sure"),
        (f'Like {{"reasoning": "x"}}: {json.dumps(GOOD)} {json.dumps(LIMA)}', "repaired: one of 3 JSON values"),
    ],
)
def test_what_is_around_an_answer_is_taken_off(asked: Any, text: str, note: str) -> None:
    model = asked(text)
    assert model.ask() == Places.model_validate(GOOD)
    repaired = [one.replace("sure, id", "id, sure") for one in model.notes if one.startswith("repaired")]
    assert repaired == ([note] if note else [])
    (sent,) = model.server.chats
    assert (sent.answer_format, sent.schema) == ("json_schema", strict_schema(Places))


def test_an_unusable_answer_is_sent_back_once_with_the_error_in_words(asked: Any) -> None:
    model = asked({"reasoning": "x", "places": [{**LIMA, "kind": "lake"}]}, GOOD)
    assert model.ask() == Places.model_validate(GOOD)
    first, second = model.calls
    assert any("unusable: places[0].kind" in note and "'lake'" in note for note in first.notes)
    assert "the answer was sent back once and corrected" in second.notes
    sent = model.server.chats[1]
    assert [message["role"] for message in sent.messages] == ["user", "assistant", "user"]
    assert "places[0].kind" in sent.prompt
    assert "cannot be used" in sent.prompt


class Extract(BaseModel):
    """Every field may be left out."""

    evidence: str = ""
    summary: str = ""


def test_an_object_without_any_of_the_fields_is_no_answer() -> None:
    inner = {"evidence": "24 arches", "summary": "24"}
    assert fit({"data": inner, "code": 0}, Extract) == (
        Extract(evidence="24 arches", summary="24"),
        ("taken out of what was wrapped around it",),
    )
    foreign, changes = fit({"name": "search", "arguments": {"query": ["arches"]}}, Extract)
    assert isinstance(foreign, ValidationError)
    assert "none of the fields asked for (evidence, summary)" in worded(foreign)[0]
    assert changes == ()
    assert fit({}, Extract) == (Extract(), ()), "nothing bears on the goal"


def test_two_unusable_answers_are_an_error(asked: Any) -> None:
    model = asked("Sure!", {"places": []}, GOOD)
    with pytest.raises(AgentError, match=r"no usable answer in two tries: reasoning: Field required"):
        model.ask()
    assert len(model.calls) == 2
    assert all(any(note.startswith("unusable: ") for note in call.notes) for call in model.calls)


def test_ids_that_were_never_shown_are_refused_in_words(asked: Any) -> None:
    def unknown(found: Places) -> list[str]:
        return [f"place {ref} was never shown" for place in found.places for ref in place.near if ref > 3]

    model = asked({**GOOD, "places": [{**LIMA, "near": [9]}]}, GOOD)
    assert model.ask(check=unknown) == Places.model_validate(GOOD)
    assert "unusable: place 9 was never shown" in model.calls[0].notes
    assert "place 9 was never shown" in model.server.chats[1].prompt


def test_an_empty_answer_is_asked_for_again(asked: Any) -> None:
    model = asked("", GOOD)
    assert model.ask() == Places.model_validate(GOOD)
    model = asked(ScriptedReply(text="", reasoning="so..."), "")
    with pytest.raises(AgentError, match="empty"):
        model.ask()
    assert any("only reasoning came" in note for note in model.notes)
    model = asked(ScriptedReply(text="", reasoning=json.dumps(GOOD)))
    assert model.ask() == Places.model_validate(GOOD)
    assert model.notes == ["repaired: the answer stood in the reasoning"]


def test_a_small_context_has_no_room_for_the_wrong_answer(asked: Any) -> None:
    wrong = "Sure! " * 300
    model = asked(wrong, GOOD, context_window=700)
    assert model.ask(request={"max_tokens": 300}) == Places.model_validate(GOOD)
    assert [message["role"] for message in model.server.chats[1].messages] == ["user", "user"]
    model = asked(wrong, GOOD, context_window=320)
    with pytest.raises(AgentError, match=r"no room to ask again: the answer holds no JSON"):
        model.ask("word " * 70, request={"max_tokens": 100})
    assert len(model.calls) == 1


def test_a_refusal_is_an_error_in_words(asked: Any) -> None:
    model = asked(ScriptedReply(refusal="I can't help\nwith that."))
    with pytest.raises(AgentError, match=r"refused to answer: I can't help with that\.; ask in other words"):
        model.ask()
    assert len(model.calls) == 1
    with pytest.raises(AgentError, match="refused"):
        asked(ScriptedReply(finish="content_filter")).ask()


def test_a_cut_answer_is_asked_for_with_more_room(asked: Any) -> None:
    cut = ScriptedReply(text=json.dumps(GOOD)[:30], finish="length")
    model = asked(cut, GOOD)
    assert model.ask(request={"max_tokens": 100}) == Places.model_validate(GOOD)
    assert [chat.body["max_tokens"] for chat in model.server.chats] == [100, 200]
    assert "cut off at 100 tokens: asked again with 200" in model.calls[0].notes
    model = asked(cut, cut)
    with pytest.raises(AgentError, match=r"cut off at 200 tokens.*LLM_MAX_TOKENS"):
        model.ask(request={"max_tokens": 100})
    assert len(model.calls) == 2
    model = asked(cut, cut, context_window=500)
    with pytest.raises(AgentError, match="the context is 500"):
        model.ask(request={"max_tokens": 480})
    assert len(model.calls) == 1, "there is no more room"


def test_a_model_that_talks_on_behind_its_answer_is_not_asked_again(asked: Any) -> None:
    model = asked(ScriptedReply(text=json.dumps(GOOD) + "\nI hope this helps! As you", finish="length"))
    assert model.ask() == Places.model_validate(GOOD)
    assert model.notes[-1] == "repaired: text around the JSON"


def test_a_cut_answer_that_is_whole_up_to_its_last_part_is_used(asked: Any) -> None:
    text = json.dumps({**GOOD, "places": [LIMA, LIMA]})
    cut = ScriptedReply(text=text[: text.rindex("city")], finish="length")
    model = asked(cut, cut)
    assert model.ask() == Places.model_validate(GOOD)
    assert "repaired: cut off: closed after the last whole value" in model.calls[1].notes


@pytest.mark.parametrize("answer", [Places, ClassificationOutput, AnalysisOutput, IntegrationOutput])
def test_schemas_are_strict(answer: type[BaseModel]) -> None:
    schema = strict_schema(answer)
    allowed = set("type enum const description anyOf items properties required additionalProperties".split())

    def walk(node: dict[str, Any]) -> None:
        assert set(node) <= allowed | BOUNDS, node
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])
            for part in node["properties"].values():
                walk(part)
        for part in (*node.get("anyOf", ()), *([node["items"]] if "items" in node else ())):
            walk(part)

    walk(schema)
    answer.model_validate(instance_of(schema))
    assert not BOUNDS & _keywords(without_bounds(schema))


def _keywords(node: Any) -> set[str]:
    if isinstance(node, list):
        return set().union(*map(_keywords, node))
    if not isinstance(node, dict):
        return set()
    named = node.get("properties", {})
    rest = [part for key, part in node.items() if key != "properties"]
    return set(node) | set().union(*map(_keywords, (*rest, *named.values())))


class Tree(BaseModel):
    name: str
    pattern: str = Field(default="", pattern="^a")
    children: list[Tree] = []


def test_a_type_that_holds_itself_keeps_its_reference() -> None:
    schema = strict_schema(Tree)
    assert set(schema["$defs"]) == {"Tree"}
    assert schema["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
    bare = without_bounds(schema)
    assert "pattern" in bare["properties"], "a property of that name stays"
    assert "pattern" not in bare["properties"]["pattern"]
