"""An image that waits beside the task: offered, read when the model asks for it, written down by one that sees."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from memorybank.errors import EndpointError
from memorybank.memory.types import Claim, Conflict, ConflictId, Contradiction, Lang, NodeId, Task, TaskType
from memorybank.session.executors.base import Assignment, Brief, PartySource
from memorybank.session.markup import images_of
from tests.prompts.rendered import check
from tests.session.executors.react_world import IMAGE, PICTURE, Answer, assignment, call, native, world

READ = call("read_image", image_id="i1")
WRITTEN = '<image id="i1">2019: 53, 2024: 105</image>'


def beside(**given: object) -> Assignment:
    return assignment(waiting=(IMAGE,), **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("tools", [False, True], ids=["text", "native"])
def test_a_model_that_sees_is_shown_the_image_and_told_how_to_write_it_down(tools: bool) -> None:
    ask = native("read_image", '{"image_id": "i1"}') if tools else READ
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
    round_ = world(READ, f"<answer>{WRITTEN}</answer>")
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


def test_the_block_of_an_image_that_was_shown_is_asked_for_once() -> None:
    round_ = world(READ, "<answer>105</answer>", f"<answer>105\n{WRITTEN}</answer>")
    result = round_.solve(beside())
    assert images_of(result.prediction)
    assert 'no <image id="i1">' in round_.last_prompt
    stubborn = world(READ, "<answer>105</answer>")
    assert stubborn.solve(beside()).prediction == "105"
    assert len(stubborn.chat.asked) == 3


@pytest.mark.parametrize("refused", [False, True], ids=["told", "refused"])
def test_a_model_that_does_not_see_has_what_the_local_ocr_reads_and_writes_nothing_down(refused: bool) -> None:
    refusal: list[Answer] = [EndpointError("400 this model does not support image input")] if refused else []
    round_ = world(READ, *refusal, "<answer>105</answer>", vision=refused)
    assert round_.solve(beside()).prediction == "105"
    assert "text of i1" in round_.last_prompt
    assert not any(message.images for message in round_.chat.asked[-1].messages)
    assert round_.ran == ["ocr i1"]


# -- a verdict on it --------------------------------------------------------------------------------------------------


def disputed() -> Assignment:
    claims = [
        Claim(text=f"Willow has {value} qubits.", kind="number", subject="Willow", attribute="qubits", value=value)
        for value in ("105", "98")
    ]
    pair = Contradiction(left=claims[0], right=claims[1], reason="qubits", confidence=0.9)
    conflict = Conflict(
        id=ConflictId("c1"), node_ids=(NodeId("n1"), NodeId("n2")), description="qubits differ", contradictions=(pair,)
    )
    left, right = (
        (PartySource(source=name, text=claim.text, node_id=NodeId(node_id)),)
        for name, claim, node_id in zip(("a.md", "b.md"), claims, ("n1", "n2"), strict=True)
    )
    task = Task(type=TaskType.CROSS_VALIDATE, description="check", conflict_ids=(conflict.id,))
    return beside(task=task, briefs=(Brief(conflict=conflict, left=left, right=right),))


def verdict(quote: str) -> str:
    piece = {"source": "chart.png", "quote": quote, "supports": "left", "independent": True}
    stated = {"conflict": "c1", "status": "resolved", "winner": "left", "value": "105", "evidence": [piece]}
    return f"<verdict>{json.dumps({**stated, 'reasoning': 'chart.png'})}</verdict>"


@pytest.mark.parametrize("sees", [True, False], ids=["its own block", "the local OCR"])
def test_a_verdict_may_quote_the_image_that_was_read(sees: bool) -> None:
    said = f"{verdict('2024: 105')}\n{WRITTEN}" if sees else verdict("text of i1")
    round_ = world(READ, f"<answer>{said}</answer>", vision=sees)
    round_.solve(disputed())
    assert len(round_.chat.asked) == 2, "nothing in it has to be asked for again"


def test_a_verdict_may_not_quote_an_image_that_was_not_read() -> None:
    round_ = world(f"<answer>{verdict('2024: 105')}\n{WRITTEN}</answer>")
    round_.solve(disputed())
    assert "no source “chart.png” was read" in round_.last_prompt
