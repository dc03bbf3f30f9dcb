"""Limits on calls, tokens and time: asked near one, forced past it; long results are shortened and say so."""

from __future__ import annotations

import re

import pytest

from memorybank.llm.base import ChatRequest
from memorybank.session.executors.react import ReActAgent
from tests.session.executors.react_world import PAGES, Answer, assignment, call, native, world


def searches() -> Answer:
    """Another query each time, and never an answer, except when no tool may be called any more."""

    def answer(request: ChatRequest) -> Answer:
        if "No tool can be called" in request.messages[-1].content:
            return "<answer>105, as far as I know</answer>"
        return call("search", query=f"willow {len(request.messages)}")

    return answer


def test_calls_are_counted_told_and_ended() -> None:
    round_ = world(searches())
    result = round_.solve(assignment(max_tool_calls=6))
    assert (result.termination, result.prediction, result.failure) == ("calls", "105, as far as I know", "")
    assert len(round_.ran) == 6
    assert len(round_.chat.asked) == 7
    told = [re.findall(r"Calls left: (\d+)", request.messages[-1].content) for request in round_.chat.asked]
    assert told == [[], [], [], [], [], ["1"], ["0"]]


def test_several_calls_of_one_turn_stop_at_the_limit() -> None:
    many = "".join(call("search", query=str(number)) for number in range(5))
    round_ = world(many, "<answer>105</answer>")
    result = round_.solve(assignment(max_tool_calls=3))
    assert len(round_.ran) == 3
    assert round_.last_prompt.count("Not called: no calls are left.") == 2
    assert result.termination == "calls"


def test_a_model_that_never_answers_fails_and_the_record_is_whole() -> None:
    round_ = world(call("search", query="x"))
    result = round_.solve(assignment(max_tool_calls=2))
    assert (result.termination, result.prediction) == ("calls", "")
    assert "no answer" in result.failure
    execution = ReActAgent().run(assignment(max_tool_calls=2), world(call("search", query="x")).effects())
    assert (execution.answer, execution.failure != "") == ("", True)
    assert "[end: calls]" in execution.transcript


@pytest.mark.parametrize("factor", [0.8, 1.3, 2.5], ids=lambda factor: f"server counts {factor}")
def test_tokens_stay_inside_the_context_by_the_servers_own_count(factor: float) -> None:
    def read_on(request: ChatRequest) -> Answer:
        if "No tool can be called" in request.messages[-1].content:
            return "<answer>105</answer>"
        return call("visit", source="willow.md", offset=len(request.messages))

    round_ = world(read_on, window=4_000, factor=factor)
    result = round_.solve()
    assert (result.termination, result.prediction) == ("tokens", "105")
    assert len(round_.ran) >= 3
    sizes = [sum(len(m.content.split()) for m in request.messages) * factor for request in round_.chat.asked]
    assert max(sizes) + round_.chat.asked[-1].max_tokens <= 4_000
    assert "tokens are left in this conversation" in round_.last_prompt
    assert "are not shown; for the rest call visit again with offset=" in round_.last_prompt


def test_a_shortened_result_says_what_is_missing_and_may_be_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PAGES, "long.md", "\n".join(f"Line {number} of the report." for number in range(3_000)))
    ask = call("visit", source="long.md", offset=len("Line 0 of the report.\n"))
    round_ = world(ask, ask, "<answer>105</answer>", window=6_000, factor=1.0)
    round_.solve()
    seen = round_.chat.asked[1].messages[-1].content
    left, total, offset = map(int, re.findall(r"\d+", seen[seen.rindex("(shortened") :])[:3])
    assert total - left == offset - len("Line 0 of the report.\n")
    assert 1_000 < offset < total
    assert seen.split("<tool_response>\n")[1].startswith("Line 1 of")
    assert round_.ran == ["visit long.md"] * 2, "what was shown in part is no repetition"


def test_a_context_smaller_than_was_known_is_learnt_from_its_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PAGES, "long.md", "word " * 9_000)
    ask = call("visit", source="long.md")
    round_ = world(ask, lambda _: "<answer>105</answer>", window=5_000, factor=1.0, tells_window=False)
    assert round_.solve().prediction == "105"
    sizes = [sum(len(m.content.split()) for m in request.messages) for request in round_.chat.asked]
    assert sizes[1] > 5_000 > sizes[-1]


def test_a_first_prompt_that_is_too_long_goes_with_half_of_its_memories() -> None:
    memories = "\n".join(f"[n{number}] Willow has 105 qubits and is cold." for number in range(400))
    round_ = world("<answer>105</answer>", window=2_500, factor=1.0, tells_window=False)
    prompt = f"<task>How many?</task>\n<memory>\n{memories}\n</memory>\nAnswer."
    assert round_.solve(assignment(prompt=prompt)).prediction == "105"
    assert "[n0]" in round_.last_prompt
    assert "[n399]" not in round_.last_prompt
    assert round_.last_prompt.rstrip().endswith("…\n</memory>\nAnswer.")


def test_a_forced_answer_is_asked_for_again_when_the_history_was_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PAGES, "long.md", "word " * 2_000)
    ask = call("visit", source="long.md")
    round_ = world(ask, "<answer>105</answer>", window=1_500, factor=1.0, tells_window=False)
    result = round_.solve(assignment(max_tool_calls=1))
    assert (result.termination, result.prediction) == ("calls", "105")
    assert "All calls are used up" in round_.last_prompt
    assert "are not shown" in round_.last_prompt


def test_a_prompt_that_does_not_fit_fails_with_a_remedy() -> None:
    result = world("<answer>105</answer>", window=300).solve(assignment(prompt="word " * 400))
    assert result.termination == "error"
    assert "lower PROMPT_TOKENS" in result.failure


@pytest.mark.parametrize(("seconds", "termination"), [(9.0, "answer"), (10.0, "time")])
def test_time_is_told_and_ended(seconds: float, termination: str) -> None:
    round_ = world(call("search", query="a"), "<answer>105</answer>")
    effects = round_.effects()
    effects.elapsed = lambda: seconds * len(round_.ran)  # type: ignore[method-assign]
    result = ReActAgent(seconds=10.0).solve(assignment(), effects)
    assert (result.termination, result.prediction) == (termination, "105")
    assert ("About 1 seconds are left" in round_.last_prompt) == (termination == "answer")
    assert ("The time is over." in round_.last_prompt) == (termination == "time")


def test_a_forced_native_answer_declares_no_tools_and_sends_text() -> None:
    def answer(request: ChatRequest) -> Answer:
        if not request.tools:
            return "<answer>105</answer>"
        return native("search", f'{{"query": "{len(request.messages)}"}}', f"c{len(request.messages)}")

    round_ = world(answer, native_tools=True)
    result = round_.solve(assignment(max_tool_calls=3))
    assert (result.termination, result.prediction) == ("calls", "105")
    last = round_.chat.asked[-1]
    assert {message.role for message in last.messages} == {"system", "user", "assistant"}
    assert round_.last_prompt.count("<tool_call>") == 3
    assert round_.last_prompt.count("</tool_response>") == 3
    assert "</tool_response>" not in round_.last_prompt[round_.last_prompt.index("All calls are used up") :]
