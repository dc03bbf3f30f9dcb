"""What the journal says of a turn in bad form."""

from __future__ import annotations

import pytest

from memorybank.llm.base import ChatReply, ToolCall
from memorybank.llm.meter import MeteredChat
from memorybank.memory.events import AgentCalled
from memorybank.session.executors.react import ReActAgent
from memorybank.session.executors.react.remarks import remarks
from tests.session.executors.react_world import ScriptedChat, World, assignment, call

TOOLS = ("search", "visit")
CALL = '<tool_call>{"name": "search", "arguments": {"query": ["willow"]}}</tool_call>'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"<think>I look it up.</think>\n{CALL}", ()),
        ("<think>done</think>\n<answer>\n105 qubits\n</answer>", ()),
        ("<think>好</think>＜answer＞105＜/answer＞", ()),
        ("", ("unusable: the answer is empty",)),
        ("I would rather not.", ("unusable: neither a tool call nor an answer",)),
        (CALL.replace('"', "'"), ("repaired: misspelt JSON",)),
        (CALL.replace(": ", "：").replace(", ", "，"), ("repaired: full-width punctuation",)),
        (f"```json\n{CALL}\n```", ("repaired: code fence",)),
        (f"Here it is: {CALL} Anything else?", ("repaired: text around the blocks",)),
        (CALL.removeprefix("<tool_call>").removesuffix("</tool_call>"), ("a tool call without its tags",)),
        ("<tool_call>{}</tool_call>", ("unusable: a tool call (no name)",)),
        (CALL.replace("search", "google"), ("unusable: a tool that is not there",)),
        (f"{CALL}<answer>105</answer>", ("repaired: an answer beside a tool call was set aside",)),
        (
            f"{CALL}<tool_response>105</tool_response>",
            ("repaired: a tool's response, written by the model, was left out",),
        ),
        ("<answer><verdict>{'conflict': 'c1'}</verdict></answer>", ("repaired: the JSON of a verdict",)),
    ],
)
def test_a_turn_in_bad_form_is_remarked_on(text: str, said: tuple[str, ...]) -> None:
    assert remarks(ChatReply(text=text), TOOLS, plain=False) == said


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
