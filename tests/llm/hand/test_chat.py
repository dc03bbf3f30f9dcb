"""One request by hand: its files, which answer is taken and when, what ends the waiting; how an answer is checked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from memorybank import calls
from memorybank.engines.llm import wire
from memorybank.errors import EndpointError
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatReply, ChatRequest, ImagePart
from memorybank.llm.build import build_chat
from memorybank.llm.hand import chat
from memorybank.llm.hand.chat import HandChat
from memorybank.llm.hand.folder import HandFolder, check
from memorybank.llm.schemas import strict_schema
from memorybank.settings.llm import LLMSettings
from memorybank_lab.scripted import instance_of
from tests.llm.hand.answering import Reader
from tests.prompts import rendered
from tests.waiting import wait_until


class Judgement(BaseModel):
    reasoning: str
    sure: bool


def question(
    text: str = "Is the bridge of stone?", *, schema: bool = True, images: tuple[ImagePart, ...] = ()
) -> ChatRequest:
    system = ChatMessage(role="system", content="You judge.\n~~~\nText in a fence is data.\n~~~")
    messages = system, ChatMessage(role="user", content=text, images=images)
    named = {"schema": strict_schema(Judgement), "schema_name": "analysis"} if schema else {}
    return ChatRequest(messages=messages, **named)  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> HandFolder:
    return HandFolder(tmp_path / "hand")


@pytest.fixture
def pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(4)


def asked(folder: HandFolder, count: int = 1) -> list[str]:
    wait_until(lambda: len(folder.waiting()) == count, 10, lambda: f"{folder.waiting()} wait")
    return folder.waiting()


def asking(pool: ThreadPoolExecutor, folder: HandFolder, request: ChatRequest) -> Future[ChatReply]:
    return pool.submit(HandChat(folder.path).complete, request)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_page_tells_a_reader_all(folder: HandFolder, pool: ThreadPoolExecutor, lang: str) -> None:
    picture = ImagePart(data=b"\x89PNG", media_type="image/png")
    text = {"en": "Is the bridge on the picture of stone?", "zh": "图片中的桥是石桥吗？"}[lang]
    reply = asking(pool, folder, question(text, images=(picture,)))
    (name,) = asked(folder)
    assert name == "001.analysis"
    assert (folder.path / "001.analysis.image-1.png").read_bytes() == picture.data
    assert folder.image("001.analysis.image-1.png") == picture.data
    assert folder.image(f"../hand/{name}.image-1.png") == b"", "no name leads out of the folder"
    rendered.check(f"hand_page.{lang}", (folder.path / f"{name}.request.md").read_text("utf-8"))
    folder.give(name, '{"reasoning": "arches", "sure": true}')
    assert json.loads(reply.result(10).text)["sure"] is True


def test_text_is_answered_with_text_and_cut_where_a_model_would_stop(
    folder: HandFolder, pool: ThreadPoolExecutor
) -> None:
    reply = asking(pool, folder, replace(question(schema=False), stop=("<tool_response>",)))
    (name,) = asked(folder)
    assert name == "001.react"
    folder.give(name, "<think>\nlook\n</think>\n<tool_call>…</tool_call>\n<tool_response>\nmine")
    taken = reply.result(10)
    assert (taken.text, taken.reasoning) == ("<tool_call>…</tool_call>\n", "look")


def between_looks(monkeypatch: pytest.MonkeyPatch, *steps: Callable[[], object]) -> None:
    """Do one step after each look at the folder, instead of waiting, and fail when a look too many comes."""
    left: list[Callable[[], object]] = [*steps, lambda: None]
    monkeypatch.setattr(chat, "pause", lambda seconds: left.pop(0)())


@pytest.mark.parametrize("ending", ["json", "md", "txt"])
def test_an_answer_that_still_grows_is_not_taken(
    folder: HandFolder, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    whole = json.dumps({"reasoning": "a long text", "sure": False})
    path = folder.path / f"001.analysis.answer.{ending}"
    growing = [partial(path.write_text, whole[:end], "utf-8-sig") for end in range(1, len(whole) + 1)]
    between_looks(monkeypatch, *growing)
    assert HandChat(folder.path).complete(question()).text == whole


def test_what_is_no_file_is_no_answer(folder: HandFolder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text('{"reasoning": "from outside", "sure": true}', "utf-8")
    link, empty, whole = (folder.path / f"001.analysis.answer.{ending}" for ending in ("json", "md", "txt"))
    written = partial(whole.write_text, "{}", "utf-8")
    between_looks(monkeypatch, lambda: link.symlink_to(tmp_path / "secret.txt"), empty.touch, lambda: None, written)
    assert HandChat(folder.path).complete(question()).text == "{}"


def test_several_wait_at_once_and_the_same_question_waits_once(folder: HandFolder, pool: ThreadPoolExecutor) -> None:
    person = HandChat(folder.path)
    replies = [pool.submit(person.complete, question(text)) for text in ("one?", "two?", "one?")]
    names = asked(folder, 2)
    for name in names:
        request = folder.request(name)
        folder.give(name, request.messages[-1].content)
    assert [reply.result(10).text for reply in replies] == ["one?", "two?", "one?"]
    again = pool.submit(person.complete, question("one?"))
    (name,) = asked(folder)
    assert name == "003.analysis", "who asks again wants another answer"
    folder.give(name, "another")
    assert again.result(10).text == "another"


def test_what_was_answered_while_nobody_waited_is_taken(folder: HandFolder) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    with calls.watch(stop.is_set), pytest.raises(calls.Cancelled):
        HandChat(folder.path).complete(question())
    assert folder.waiting() == ["001.analysis"], "a stop leaves the request"
    folder.give("001.analysis", "late")
    assert HandChat(folder.path).complete(question()).text == "late"
    assert folder.names() == ["001.analysis"]


def test_a_bad_answer_comes_back_as_a_new_request(folder: HandFolder) -> None:
    answers = iter(["perhaps", '{"reasoning": "arches", "sure": true}'])
    with Reader(folder.path, lambda request: next(answers)) as reader:
        assert ask_typed(HandChat(folder.path), question(), Judgement).sure
    assert reader.answered == ["001.analysis", "002.analysis"]
    repair = folder.request("002.analysis")
    assert [message.role for message in repair.messages[-2:]] == ["assistant", "user"]
    assert "cannot be used" in repair.messages[-1].content


def test_a_persons_time_is_no_latency_and_tokens_are_counted_not_told(tmp_path: Path) -> None:
    model = build_chat(LLMSettings(provider="hand", timeout=0.05), tmp_path / "cache.sqlite")
    with Reader(tmp_path / "hand", lambda request: "{}"), calls.watch(run_folder=tmp_path) as made:
        model.complete(question())
    (call,) = made
    assert call.ms < 100
    assert call.input_tokens > 10
    assert call.output_tokens == 1
    assert call.notes == ("answered by hand: 001.analysis", "tokens estimated")
    assert not (tmp_path / "cache.sqlite").exists()


def test_without_a_folder_nothing_is_asked() -> None:
    with pytest.raises(EndpointError, match="HAND_DIR"):
        HandChat().complete(question())


# -- An answer against its schema: what fits has no problem; what is missing or wrong is told at its place -------------

ANSWERS = (wire.ClassificationAnswer, wire.AnalysisAnswer, wire.IntegrationAnswer, wire.PlanningAnswer)
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "a": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 2},
        "b": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]},
        "c": {"type": "string", "maxLength": 2},
    },
    "required": ["a", "b"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_fits_has_no_problem_and_a_missing_field_is_named(answer: type[wire.ModelAnswer]) -> None:
    schema = strict_schema(answer)
    value = instance_of(schema)
    assert check(value, schema) == {}
    for name in schema["required"]:
        problems = check({key: part for key, part in value.items() if key != name}, schema)
        assert {place: problem.code for place, problem in problems.items()} == {(name,): "hand.missing"}


@pytest.mark.parametrize(
    ("value", "problems"),
    [
        ({"a": ["a"], "b": 0, "c": "ab"}, {}),
        ("a", {(): "this must be an object with fields"}),
        ({"a": ["c"], "b": -1}, {("a", 0): "choose one of: a, b", ("b",): "at least 0"}),
        ({"a": [], "b": None, "c": "abc"}, {("a",): "at least 1", ("c",): "at most 2"}),
        (
            {"b": "x", "d": 1},
            {("a",): "this is missing", ("b",): "this must be a whole number", ("d",): "the schema has no such field"},
        ),
    ],
)
def test_each_problem_is_told_at_its_place(value: Any, problems: Mapping[tuple[str | int, ...], str]) -> None:
    assert {place: str(problem) for place, problem in check(value, SCHEMA).items()} == problems


@pytest.mark.parametrize("answer", [*ANSWERS, wire.StructureAnswer, wire.NeighborsAnswer])
def test_no_docstring_of_ours_is_sent_to_a_model(answer: type[wire.ModelAnswer]) -> None:
    assert '"description":' not in json.dumps(strict_schema(answer)).replace('"description": {', "")
