"""Killed or paused anywhere inside a round, it goes on with the answers it had; images, given, waiting or recalled."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from memorybank.errors import EndpointError
from memorybank.llm.base import ChatRequest
from memorybank.memory.events import AgentCalled, ToolUsed
from memorybank.memory.types import ImageId, Lang, StagedImage
from memorybank.session.effects import Paused
from memorybank.session.executors.base import Assignment
from memorybank.session.executors.react import ReActAgent
from memorybank.session.markup import images_of, write_image
from memorybank.session.waiting_images import READER, cited_name, images_read
from memorybank.tools.base import ToolResult
from tests.prompts.rendered import check
from tests.session.executors.react_world import IMAGE, PICTURE, Answer, World, assignment, call, native, world

SCRIPT = (
    call("search", query="willow"),
    "nothing to see",
    call("visit", source="willow.md") + call("visit", source="gone.md"),
    call("deep_retrieval", node_id="n1"),
    "<answer>105</answer>",
)


def by_turn(request: ChatRequest) -> Answer:
    """The script's answer for this point of the conversation, so that a new process gives the same."""
    return SCRIPT[sum(message.role == "assistant" for message in request.messages)]


@pytest.mark.parametrize("kept", range(9))
def test_a_round_resumes_inside(kept: int) -> None:
    whole = world(by_turn)
    expected = whole.solve()
    assert len(whole.journal) == 9
    again = World(chat=world(by_turn).chat, settings=whole.settings, shelf=whole.shelf)
    result = ReActAgent().solve(assignment(), again.effects(whole.journal[:kept]))
    assert result == expected
    known = whole.journal[:kept]
    assert len(again.chat.asked) == 5 - sum(isinstance(one, AgentCalled) for one in known)
    assert len(again.journal) == 9 - kept
    assert [one.key for one in (*known, *again.journal) if isinstance(one, AgentCalled | ToolUsed)] == [
        one.key for one in whole.journal if isinstance(one, AgentCalled | ToolUsed)
    ]


def test_a_pause_stops_before_the_next_call() -> None:
    round_ = world(by_turn)
    with pytest.raises(Paused):
        ReActAgent().solve(assignment(), round_.effects(paused=lambda: len(round_.ran) >= 1))
    assert round_.ran == ["search willow"]
    resumed = ReActAgent().solve(assignment(), round_.effects(list(round_.journal)))
    assert resumed.prediction == "105"
    assert round_.ran.count("search willow") == 1


READ = '<answer><image id="i1">2019: 53, 2024: 105</image></answer>'


IMAGE_TASK = assignment(images=(IMAGE,))


def test_staged_images_go_to_a_model_that_sees() -> None:
    round_ = world(READ)
    result = round_.solve(IMAGE_TASK)
    assert images_of(result.prediction) == {"i1": ("2019: 53, 2024: 105", True)}
    (part,) = round_.chat.asked[0].messages[1].images
    assert (part.data, part.media_type) == (PICTURE, "image/png")
    assert "i1 (chart.png)" in round_.last_prompt
    assert round_.ran == []
    assert result.messages[1].images == ("i1 (chart.png)",)


@pytest.mark.parametrize("vision", [False, True], ids=["told", "refused"])
def test_the_local_ocr_serves_a_model_that_does_not_see(vision: bool) -> None:
    refusal = [EndpointError("127.0.0.1 answered 400 (this model does not support image input)")] if vision else []
    round_ = world(*refusal, "<answer>Done.</answer>", vision=vision)
    result = round_.solve(IMAGE_TASK)
    assert images_of(result.prediction) == {"i1": ("text of i1", True)}
    assert round_.ran == ["ocr i1"]
    assert "the text read by the local OCR" in round_.last_prompt
    assert not any(message.images for message in round_.chat.asked[-1].messages)
    assert "Images shown here" not in round_.last_prompt


def test_an_image_is_asked_for_once_when_its_block_is_missing() -> None:
    round_ = world("<answer>A chart.</answer>", READ)
    result = round_.solve(IMAGE_TASK)
    assert "i1" in images_of(result.prediction)
    assert 'no <image id="i1">' in round_.last_prompt


@pytest.mark.parametrize("tools", [False, True], ids=["text", "native"])
def test_recalled_images_are_shown_or_read(tools: bool) -> None:
    asked = {"node_id": "n1", "attachment_id": "a1"}
    ask = native("deep_retrieval", json.dumps(asked)) if tools else call("deep_retrieval", **asked)
    seeing = world(ask, "<answer>105</answer>", native_tools=tools)
    seeing.solve()
    last = seeing.chat.asked[1].messages[-1]
    assert (last.role, [part.data for part in last.images]) == ("user", [PICTURE])
    assert "aGVsbG8" not in seeing.last_prompt
    blind = world(ask, "<answer>105</answer>", native_tools=tools, vision=False)
    blind.solve()
    assert "text of a1" in blind.last_prompt
    assert "local OCR" in blind.last_prompt
    refusal = EndpointError("500 image input is not supported - hint: if this is unexpected, provide the mmproj")
    learnt = world(ask, refusal, "<answer>105</answer>", native_tools=tools)
    assert learnt.solve().prediction == "105"
    assert "text of a1" in learnt.last_prompt
    assert not any(message.images for message in learnt.chat.asked[-1].messages)


ASK = call("read_image", image_id="i1")
WRITTEN = '<image id="i1">2019: 53, 2024: 105</image>'


def beside(**given: object) -> Assignment:
    return assignment(waiting=(IMAGE,), **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("tools", [False, True], ids=["text", "native"])
def test_a_model_that_sees_is_shown_the_image_and_told_how_to_write_it_down(tools: bool) -> None:
    ask = native("read_image", '{"image_id": "i1"}') if tools else ASK
    round_ = world(ask, f"<answer>105.\n{WRITTEN}</answer>", native_tools=tools)
    result = round_.solve(beside())
    assert images_of(result.prediction) == {"i1": ("2019: 53, 2024: 105", True)}
    parts = [part.data for message in round_.chat.asked[1].messages for part in message.images]
    assert parts == [PICTURE]
    assert "text of i1" in round_.last_prompt, "what the local OCR read stands beside it"
    assert "[?]" in round_.last_prompt, "the rules of reading come with the image"
    assert len(round_.chat.asked) == 2


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_words_that_come_with_the_image(lang: Lang) -> None:
    round_ = world(ASK, f"<answer>{WRITTEN}</answer>")
    round_.lang = lang
    round_.solve(replace(beside(), lang=lang))
    check(f"executor-image-read.{lang}", "\n\n".join(message.content for message in round_.chat.asked[1].messages[-2:]))


def test_the_tool_is_offered_only_where_an_image_waits_and_its_rules_only_where_it_is_read() -> None:
    without, offered = world("<answer>105</answer>"), world("<answer>105</answer>")
    without.solve()
    result = offered.solve(beside())
    assert "read_image" not in without.last_prompt
    assert "read_image" in offered.last_prompt
    assert "[?]" not in offered.last_prompt
    assert (offered.ran, result.prediction, len(offered.chat.asked)) == ([], "105", 1)


POSTER = StagedImage(
    id=ImageId("i1"), name="poster.png", sha256="0" * 64, media_type="image/png", width=4, height=4, size=9
)


def test_a_block_on_an_image_that_was_not_read_is_no_reading() -> None:
    made_up = write_image("i1", "PLATFORM 12", readable=True)
    calls = [(READER, "a filed one", "a1"), ("visit", "a page", "i1")]
    used = [(tool, {"image_id": image}, ToolResult(text=text)) for tool, text, image in calls]
    assert images_read(made_up, used, [POSTER]) == []


@pytest.mark.parametrize(
    ("lang", "found_in", "name"),
    [
        ("en", "", "poster.png"),
        ("en", "https://a.org/page.html", "poster.png, an image of https://a.org/page.html"),
        ("zh", "报告.pdf", "poster.png（报告.pdf 中的图片）"),
        ("en", "https://a.org/img/poster.png?w=1", "https://a.org/img/poster.png?w=1"),
        ("en", "https://[broken", "poster.png, an image of https://[broken"),
    ],
)
def test_it_is_cited_by_its_name_and_the_page_that_shows_it(lang: Lang, found_in: str, name: str) -> None:
    assert cited_name(replace(POSTER, found_in=found_in), lang) == name
