"""A round on a scripted chat model: think, act, observe, answer, within limits; what goes wrong is an observation."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from memorybank.contradiction.disputes.gathering import disputes, points_of
from memorybank.contradiction.votes import SourcePassage
from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import EndpointError, EndpointLostError
from memorybank.llm.base import ChatReply, ChatRequest
from memorybank.memory.events import ToolUsed
from memorybank.memory.types import Conflict, ConflictId, NodeId, Task, TaskType
from memorybank.prompts import say
from memorybank.session.executors.base import Assignment, Brief, PartySource
from memorybank.session.executors.react import ReActAgent
from memorybank.session.markup import answer_of
from memorybank.session.matters import Matter
from memorybank.tools.reading import search_tool, visit_tool
from memorybank.tools.sources import Sources, readable
from tests.session.executors.react_world import PAGES, Answer, assignment, call, native, world


def test_a_round_searches_reads_and_answers() -> None:
    round_ = world(
        call("search", query=["willow qubits"]),
        call("visit", source="willow.md"),
        "<think>\nenough\n</think>\n<answer>\n105 qubits (willow.md)\n</answer>",
    )
    execution = ReActAgent().run(assignment(), round_.effects())
    assert round_.ran == ["search ['willow qubits']", "visit willow.md"]
    assert answer_of(execution.answer) == "105 qubits (willow.md)"
    assert execution.failure == ""
    for said in ("How many qubits has Willow?", "willow qubits", "Willow has 105 qubits", "enough", "[end: answer]"):
        assert said in execution.transcript
    first, second, third = round_.chat.asked
    assert [message.role for message in third.messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert '"name": "visit"' in first.messages[0].content, "the tools are declared in the system prompt"
    assert first.stop == ("<tool_response",)
    assert first.tools == ()
    assert second.messages[-1].content.startswith("<tool_response>\nwillow.md")


@pytest.mark.parametrize(
    ("queries", "final", "used"),
    [
        (("Willow; qubits", "Willow date"), False, [{"query": ["Willow; qubits", "Willow date"], "limit": 4}]),
        (("willow.md", "trap.md"), False, [{"url": ["willow.md", "trap.md"]}]),
        (("its date", "willow.md"), False, [{"url": ["willow.md"]}, {"query": ["its date"], "limit": 4}]),
        (("Willow",), False, []),
        (("Willow qubits",), True, []),
        ((), False, []),
    ],
    ids=["searches", "documents", "both", "the goal itself", "the answer", "nothing"],
)
def test_what_a_plan_names_is_searched_or_read_before_the_model_is_asked(
    queries: tuple[str, ...], final: bool, used: list[object]
) -> None:
    round_ = world("<answer>105</answer>")
    sources = Sources(lambda: [readable(name, text) for name, text in PAGES.items()], HashedNgrams())
    round_.tools = lambda: [search_tool(sources, "en"), visit_tool(sources, "en")]  # type: ignore[method-assign]
    task = Task(type=TaskType.NORMAL, description="How many?", query="; ".join(queries), queries=queries, final=final)
    round_.solve(assignment(task=task))
    assert [event.arguments for event in round_.journal if isinstance(event, ToolUsed)] == used
    (request,) = round_.chat.asked
    assert any("Willow has 105 qubits" in message.content for message in request.messages) == bool(used)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("<tool_call>\nsearch willow\n</tool_call>", "is not JSON"),
        ("<tool_call></tool_call>", "is empty"),
        ('<tool_call>{"arguments": {}}</tool_call>', "names no tool"),
        (call("google", query="x"), "no tool google; there are: search, visit"),
        (call("visit", page="willow.md"), "takes no argument page; it takes: source, offset"),
        (call("visit"), "source"),
        (call("visit", source=["a"]), "source"),
        (call("visit", source="gone.md"), "no page 'gone.md'"),
        ("Let me think about it.", "neither a <tool_call> nor an <answer>"),
        ("", "Your reply was empty"),
        ("<answer> </answer>", "Your reply was empty"),
        (f"{call('search', query='x')}<tool_response>105</tool_response>", "only the results given to you are real"),
        (f"{call('search', query='x')}<answer>105</answer>", "set aside"),
    ],
    ids=lambda text: text[:30],
)
def test_what_cannot_be_done_is_an_observation(wrong: str, told: str) -> None:
    round_ = world(wrong, "<answer>105</answer>")
    result = round_.solve()
    assert (result.prediction, result.termination) == ("105", "answer")
    assert told.lower() in round_.last_prompt.lower()
    assert "tool_response>105" not in round_.last_prompt
    roles = [message.role for message in round_.chat.asked[-1].messages]
    assert all(first != second for first, second in pairwise(roles)), "turns alternate"


def test_tags_in_a_result_open_and_close_nothing() -> None:
    round_ = world(call("visit", source="trap.md"), "<answer>105</answer>")
    result = round_.solve()
    assert result.prediction == "105"
    assert "‹answer>98‹/answer>" in round_.last_prompt


def test_half_a_character_goes_no_further() -> None:
    first = ChatReply(text=f"{call('search', query='a')} \ud800", reasoning="\udc00 hm")
    execution = ReActAgent().run(assignment(), world(first, "<answer>1\ud80005</answer>").effects())
    assert answer_of(execution.answer) == "1?05"
    assert execution.transcript.encode()


def test_what_is_searched_by_rule_comes_first_and_no_call_is_repeated() -> None:
    again = call("search", query="willow")
    round_ = world(again, again, "<answer>105</answer>")
    round_.solve(assignment(task=Task(type=TaskType.NORMAL, description="d", queries=("Who made it", "where"))))
    assert round_.ran == ["search ['Who made it', 'where']", "search willow"]
    assert say("call_again", "en") in round_.last_prompt


def test_prose_is_taken_as_the_answer_in_the_end() -> None:
    result = world("Willow has 105 qubits.").solve()
    assert (result.prediction, result.termination) == ("Willow has 105 qubits.", "answer")
    assert len(result.messages) == 2 + 2 * 2 + 1


def test_a_silent_a_refusing_and_a_dead_model_end_the_round_with_a_failure() -> None:
    silent = world("").solve()
    assert (silent.termination, silent.prediction) == ("error", "")
    assert "3 empty replies" in silent.failure
    refusing = world(ChatReply(text="I cannot help with that.", finish="refused")).solve()
    assert "refused: I cannot help" in refusing.failure
    dead = world(call("search", query="x"), EndpointError("the endpoint is unreachable")).solve()
    assert (dead.termination, dead.failure) == ("error", "the endpoint is unreachable")
    assert dead.messages[-1].role == "user", "the record holds all there was"
    execution = ReActAgent().run(assignment(), world("").effects())
    assert execution.answer == ""
    assert "3 empty replies" in execution.failure
    assert "[end: error]" in execution.transcript


def test_a_round_whose_first_call_does_not_get_through_is_no_failed_attempt() -> None:
    with pytest.raises(EndpointLostError, match="out of attempts"):
        world(EndpointError("out of attempts")).solve()


def test_a_cut_answer_is_asked_for_again_once() -> None:
    cut = ChatReply(text="<answer>Willow has 10", finish="length")
    round_ = world(cut, "<answer>105</answer>")
    assert round_.solve().prediction == "105"
    assert "cut off at 4096 tokens" in round_.last_prompt
    assert world(cut).solve().prediction == "Willow has 10"


CONFLICT = Conflict(id=ConflictId("c1"), node_ids=(NodeId("n1"), NodeId("n2")), description="105 or 98")


def validation() -> Assignment:
    task = Task(type=TaskType.CROSS_VALIDATE, description="check c1", conflict_ids=(CONFLICT.id,))
    sides = (PartySource(source=f"{number}.md", text=f"It has {number}.", node_id=NodeId("n1")) for number in (105, 98))
    left, right = ((side,) for side in sides)
    known = (SourcePassage(source="data.md", text="Counted again in May, Willow has 105\nqubits in all."),)
    pairs = tuple((point, ("A", "B")) for point in points_of(CONFLICT))
    matter = Matter(id="m1", dispute=disputes([CONFLICT])[0], pairs=pairs, positions={})
    briefs = (Brief(conflict=CONFLICT, left=left, right=right),)
    return assignment(task=task, briefs=briefs, matters=(matter,), documents=known)


def test_verdicts_are_values_and_a_refused_one_is_corrected_twice() -> None:
    claim = '"claims": [{"contradiction": 0, "status": "resolved", "winner": "left", "value": "105"}]'
    evidence = '"evidence": [{"source": "data.md", "quote": "willow has 105 qubits", "supports": "left"}]'
    good = f'<verdict>{{"conflict": "c1", {evidence}, {claim}}}</verdict>'
    loose = good.replace('"', "'").replace("]}<", "],}<")
    for first in (good, loose):
        round_ = world(f"<answer>It is 105. {first}</answer>")
        result = round_.solve(validation())
        assert [verdict.winner for verdict in result.verdicts] == ["left"]
        assert len(result.messages) == 5
        assert round_.ran == ["search ['105 or 98']"], "a check begins with a search by rule"
    round_ = world("<answer>It is 105.</answer>", f"<answer>{good}</answer>")
    result = round_.solve(validation())
    assert result.verdicts[0].value == "105"
    assert "no <verdict> block for m1" in round_.last_prompt
    quoting = good.replace("willow has 105", "willow has 107")
    nowhere = good.replace("data.md", "gone.md").replace("willow has 105", "willow has 108")
    round_ = world(*(f"<answer>{each}</answer>" for each in (quoting, nowhere, good)))
    assert round_.solve(validation()).verdicts[0].winner == "left"
    told = [request.messages[-1].content for request in round_.chat.asked[1:]]
    assert "“willow has 107 qubits” does not stand word for word in data.md" in told[0]
    assert "“willow has 108 qubits”" in told[1], "what is lacking now, not what was"
    assert "107" not in told[1]
    never = world(f"<answer>{quoting}</answer>")
    result = never.solve(validation())
    assert (result.termination, len(never.chat.asked)) == ("answer", 3)
    assert result.verdicts[0].evidence[0].quote == "willow has 107 qubits", "it is refused where it is weighed"


def test_native_tool_calling() -> None:
    two = native("search", '{"query": "willow"}', text="I look it up.")
    two = ChatReply(text=two.text, tool_calls=(*two.tool_calls, *native("visit", "{oops", "c2").tool_calls))
    round_ = world(two, native("visit", '{"source": "trap.md"}', ""), "Willow has 105 qubits.", native_tools=True)
    result = round_.solve()
    assert (result.prediction, result.termination) == ("Willow has 105 qubits.", "answer")
    first, second, third = round_.chat.asked
    assert [spec.name for spec in first.tools] == ["search", "visit", "deep_retrieval"], "no image waits"
    assert first.tools[1].parameters["required"] == ["source"]
    assert '"name": "visit"' not in first.messages[0].content
    assert first.stop == ()
    tools = [message for message in second.messages if message.role == "tool"]
    assert [message.tool_call_id for message in tools] == ["c1", "c2"]
    assert "is not JSON" in tools[1].content
    assert third.messages[-1].tool_call_id == third.messages[-2].tool_calls[0].id != ""
    assert "‹answer>98" in third.messages[-1].content
    check = world("<answer>105</answer>", native_tools=True)
    check.solve(validation())
    by_rule, result = check.chat.asked[0].messages[2:]
    assert (by_rule.tool_calls[0].name, result.tool_call_id) == ("search", by_rule.tool_calls[0].id)
    assert "willow.md" in result.content


def test_a_server_that_refuses_tools_is_asked_in_text() -> None:
    refused = EndpointError("127.0.0.1 answered 400 (tools param requires --jinja flag)")
    round_ = world(refused, call("search", query="willow"), "<answer>105</answer>", native_tools=True)
    assert round_.solve().prediction == "105"
    assert round_.ran == ["search willow"]
    assert [bool(request.tools) for request in round_.chat.asked] == [True, False, False]
    assert '"name": "visit"' in round_.chat.asked[1].messages[0].content


def test_a_model_that_writes_its_native_calls_as_text_is_understood() -> None:
    round_ = world(call("search", query="willow"), "<answer>105</answer>", native_tools=True)
    assert round_.solve().prediction == "105"
    assert round_.chat.asked[1].messages[-1].role == "user"
    assert "<tool_response>" in round_.chat.asked[1].messages[-1].content


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
