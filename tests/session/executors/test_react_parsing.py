"""Reading a model's turn: whatever can be understood is, whatever cannot is told back, and bad form is remarked on."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.llm.around import MeteredChat
from memorybank.llm.base import ChatReply, ToolCall
from memorybank.memory.events import AgentCalled
from memorybank.session.executors.react import ReActAgent
from memorybank.session.executors.react.parsing import ModelTurn, ParsedCall, read_turn, remarks
from tests.session.executors.react_world import ScriptedChat, World, assignment, call
from tests.tables import tables

TABLES = tables(__file__)


TOOLS = ("search", "visit")
SEARCH = ParsedCall(name="search", arguments={"query": ["willow"]})
JSON = '{"name": "search", "arguments": {"query": ["willow"]}}'


def read(text: str, **reply: object) -> ModelTurn:
    return read_turn(ChatReply(text=text, **reply), TOOLS)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", TABLES["a_call_is_read_however_it_was_written"], ids=lambda text: text[:40])
def test_a_call_is_read_however_it_was_written(text: str) -> None:
    turn = read(text)
    assert turn.calls == (SEARCH,)
    assert turn.answer is None


@pytest.mark.parametrize(
    "text", ["<function=look_up>\n<parameter=q>x</parameter>", '[TOOL_CALLS]search{"query": ["wil', 'Action Input: "x"']
)
def test_a_call_that_cannot_be_read_is_told_back_in_its_own_words(text: str) -> None:
    (call,) = read(text).calls
    assert call.problem == "not_json"
    assert call.detail == " ".join(text.split())


@pytest.mark.parametrize(
    "text", ["The function search(query) finds it.", "I search (query: willow).", '{"name": "Willow", "qubits": 105}']
)
def test_prose_that_speaks_of_a_tool_calls_none(text: str) -> None:
    assert read(text).calls == ()


def test_several_calls_keep_their_order() -> None:
    visit = '{"name": "visit", "arguments": {"source": "a.md"}}'
    for text in (
        f"<tool_call>{JSON}</tool_call>\n<tool_call>{visit}</tool_call>",
        f"<tool_call>{JSON}<tool_call>{visit}",
        f"<tool_call>{JSON}\n{visit}</tool_call>",
    ):
        assert read(text).calls == (SEARCH, ParsedCall(name="visit", arguments={"source": "a.md"})), text


def test_the_models_own_tool_response_is_cut_off_with_all_behind_it() -> None:
    turn = read(f"<tool_call>{JSON}</tool_call>\n<tool_response>98</tool_response>\n<answer>98</answer>")
    assert turn.calls == (SEARCH,)
    assert turn.answer is None
    assert turn.own_response
    assert "98" not in turn.text


def test_answer_and_call_in_one_turn() -> None:
    behind = read(f"<tool_call>{JSON}</tool_call><answer>a guess</answer>")
    assert (behind.calls, behind.answer, behind.set_aside) == ((SEARCH,), None, True)
    around = read(f"<answer>let me see <tool_call>{JSON}</tool_call></answer>")
    assert (around.calls, around.answer, around.set_aside) == ((SEARCH,), None, True)
    before = read(f"<answer>105</answer>\nNow to something else. <tool_call>{JSON}</tool_call>")
    assert (before.calls, before.answer) == ((), "105")


def test_answers_open_twice_or_in_a_thought() -> None:
    assert read("<answer>105 qubits").answer == "105 qubits"
    assert not read("<answer>105 qubits").closed
    assert read("<answer>draft</answer>\n<answer>105</answer>").answer == "105"
    assert read("<think>maybe <answer>98</answer></think><answer>105</answer>").answer == "105"
    assert read("", reasoning="so I will say\n<answer>105</answer>").answer == "105"
    assert read("<answer>105</ans", finish="length").answer == "105"
    assert read("<ans", finish="length").text == ""
    assert read("no tags at all").answer is None


def test_native_calls_come_first_and_may_be_double_encoded() -> None:
    calls = (
        ToolCall(id="1", name="search", arguments='{"query": ["willow"]}'),
        ToolCall(id="2", name="visit", arguments=json.dumps('{"source": "a.md"}')),
        ToolCall(id="3", name="visit", arguments=""),
        ToolCall(id="4", name=" ", arguments="{}"),
    )
    turn = read("Looking it up.", tool_calls=calls)
    assert [(call.id, call.name, dict(call.arguments)) for call in turn.calls[:3]] == [
        ("1", "search", {"query": ["willow"]}),
        ("2", "visit", {"source": "a.md"}),
        ("3", "visit", {}),
    ]
    assert turn.calls[3].problem == "no_name"


TAGS = "<think> </think> <tool_call> </tool_call> <answer> </answer> <tool_response>".split()
PIECES = st.sampled_from([*TAGS, JSON, "{", "}", "x "])


@given(st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    turn = read(text)
    assert turn.answer is None or not turn.calls
    assert "<tool_response" not in turn.text


@pytest.mark.parametrize("form", ["<tool_call>{}</tool_call>", "{}"])
def test_json_nested_too_deep_is_no_call_that_can_be_made(form: str) -> None:
    deep = '{"name": "search", "arguments": ' + '{"a": ' * 100_000 + "1" + "}" * 100_001
    assert all(call.problem or call.name in TOOLS for call in read(form.replace("{}", deep)).calls)


CALL = f"<tool_call>{JSON}</tool_call>"


@pytest.mark.parametrize(("text", "said"), TABLES["a_turn_in_bad_form_is_remarked_on"])
def test_a_turn_in_bad_form_is_remarked_on(text: str, said: tuple[str, ...]) -> None:
    assert remarks(ChatReply(text=text), TOOLS, plain=False) == tuple(said)


def test_replies_that_are_not_text_alone() -> None:
    assert remarks(ChatReply(text="I cannot.", finish="refused"), TOOLS, plain=False) == ("refused",)
    cut = remarks(ChatReply(text="<answer>Willow has", finish="length"), TOOLS, plain=False)
    assert cut == ("cut off at the answer's limit",)
    thought = remarks(ChatReply(text="", reasoning="hm <answer>105</answer>"), TOOLS, plain=False)
    assert thought == ("repaired: the blocks stood in the thoughts",)
    native = ToolCall(id="a", name="search", arguments="{'query': ['a']}")
    reply = ChatReply(text="Let me look.", tool_calls=(native,), finish="tool_calls")
    assert remarks(reply, TOOLS, plain=True) == ("repaired: misspelt JSON",)
    assert remarks(ChatReply(text="Willow has 105 qubits."), TOOLS, plain=True) == ()


def test_remarks_are_journaled_with_the_call() -> None:
    chat = ScriptedChat(answers=("What?", call("search", query="a"), "<answer>105</answer>"))
    world = World(chat=MeteredChat(chat))  # as in a session: remarks go to the call that was counted
    effects = world.effects()
    result = ReActAgent().solve(assignment(), effects)
    assert result.prediction == "105"
    notes = [event.notes for event in world.journal if isinstance(event, AgentCalled)]
    assert notes == [("unusable: neither a tool call nor an answer",), (), ()]
