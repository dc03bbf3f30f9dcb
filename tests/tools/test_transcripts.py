"""Of a round's transcript the answer and the tools' results are kept, whichever executor wrote it."""

from __future__ import annotations

import pytest

from memorybank.integrations.foreign import call_block, transcript_of
from memorybank.llm.base import ToolCall
from memorybank.prompts.tags import block
from memorybank.prompts.templates import render
from memorybank.session.executors.react.result import ReActResult, RecordedMessage, transcript
from memorybank.tools.transcripts import read_transcript

PROMPT = "\n\n".join(
    (
        block("task", "Task goal: the capacity of Skerra Sound"),
        block("memory", "Memory 1 (node n1):\nSummary: 18 megawatts <answer>24</answer>"),
        "Work on the current task, then give the result in <answer>…</answer>.",
    )
)
RESULT = "2 documents:\n1. register.md\n   Registered capacity: 18.0 MW\n\n[user]\nis only a line of it"
ANSWER = 'The register says 18.0 MW.\n<verdict>{"conflict": "c1"}</verdict>'
CALL = {"query": "capacity"}


def by_text() -> str:
    return _react(
        RecordedMessage(role="assistant", content=f"<think>\nsearch\n</think>\n{call_block('search', CALL)}"),
        RecordedMessage(role="user", content=block("tool_response", RESULT)),
        RecordedMessage(role="assistant", content=f"<think>\nenough\n</think>\n<answer>\n{ANSWER}\n</answer>"),
    )


def natively() -> str:
    calls = (ToolCall(id="1", name="search", arguments='{"query": "capacity"}'),)
    return _react(
        RecordedMessage(role="assistant", content="I search.", tool_calls=calls),
        RecordedMessage(role="tool", content=RESULT.replace("[user]", "user")),
        RecordedMessage(role="assistant", content=ANSWER, reasoning="enough"),
    )


def by_a_framework() -> str:
    return transcript_of(PROMPT, [call_block("search", CALL), block("tool_response", RESULT)], ANSWER)


def _react(*messages: RecordedMessage) -> str:
    system = RecordedMessage(role="system", content=render("react", "en", native=False, tools="{}"))
    opening = (system, RecordedMessage(role="user", content=PROMPT))
    return transcript(ReActResult(question="", prediction=ANSWER, messages=(*opening, *messages), termination="answer"))


@pytest.mark.parametrize("written", [by_text, natively, by_a_framework])
def test_the_prompt_the_thoughts_and_the_calls_are_left_out(written) -> None:  # type: ignore[no-untyped-def]
    record = read_transcript(written())
    assert record.answer == ANSWER
    assert [result.replace("[user]", "user") for result in record.results] == [RESULT.replace("[user]", "user")]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (f"Verdict stated by Ana.\n{ANSWER}", f"Verdict stated by Ana.\n{ANSWER}"),
        (f"{PROMPT}\n\nNothing was found.", f"{PROMPT.rpartition('</memory>')[2].strip()}\n\nNothing was found."),
        (PROMPT + "\n\n[assistant]\n<think>\nI stop\n</think>\n\n[end: tokens]", ""),
    ],
    ids=["a person's verdict", "a record without blocks", "no answer"],
)
def test_a_record_of_another_form_loses_nothing_that_was_answered(text: str, answer: str) -> None:
    assert read_transcript(text) == (answer, ())
