"""The door to models: what it records of a call and what calls cost, what a resume repeats, how a pause ends one."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank import calls
from memorybank.calls import ChatCall
from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import EndpointError, JournalError, ToolError
from memorybank.llm.base import ChatMessage, ChatReply, ChatRequest, Chats, ImagePart, TokenUsage
from memorybank.memory.contracts import StructureInput, StructureOutput
from memorybank.memory.events import AgentCalled, Observation, ToolUsed
from memorybank.retrieval.recall import Recall
from memorybank.runs.files.stores import BlobStore
from memorybank.session.effects import Effects, Paused
from memorybank.session.usage import by_agent
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from memorybank.tools.base import Tool, ToolResult
from tests.scripted import ScriptedEngine


class Talker:
    """A chat model that answers with what it was asked, and reports the call as the meter does."""

    name = "talker"
    context_window: int | None = 4_096

    def __init__(self) -> None:
        self.asked: list[ChatRequest] = []

    def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        text = request.messages[-1].content
        if text == "wait":
            while True:
                calls.check()
                time.sleep(0.01)
        call = ChatCall(model=self.name, prompt=text, reply=text.upper(), input_tokens=3, output_tokens=2, attempts=2)
        calls.report(replace(call, notes=("429: waited 0.1 s",)))
        if text == "refuse":
            raise EndpointError("the endpoint refused")
        return ChatReply(text=text.upper(), usage=TokenUsage(input_tokens=3, output_tokens=2))

    def close(self) -> None: ...


def effects(
    folder: Path, model: Talker | None, seen: list[Observation], memo: list[Observation], stop: threading.Event
) -> Effects:
    def look(name: str) -> ToolResult:
        """Look something up."""
        if model is not None:
            model.complete(ChatRequest(messages=(ChatMessage(role="user", content=f"extract {name}"),)))
        return ToolResult(text=f"found {name}")

    return Effects(
        engine=ScriptedEngine(),
        recall=Recall(HashedNgrams()),
        tools=[Tool(look, "look")],
        settings=Settings(),
        lang="en",
        observe=seen.append,
        blobs=BlobStore(folder),
        now=0.0,
        chats=Chats(model) if model else None,
        memo=memo,
        paused=stop.is_set,
    )


def ask(text: str, *images: ImagePart) -> ChatRequest:
    return ChatRequest(messages=(ChatMessage(role="user", content=text, images=images),))


def test_a_chat_call_is_recorded_and_a_resume_does_not_repeat_it(tmp_path: Path) -> None:
    model, seen = Talker(), list[Observation]()
    fx = effects(tmp_path, model, seen, [], threading.Event())
    reply = fx.chat(ask("hello", ImagePart(data=b"\xff\x00pixels", media_type="image/png")))
    fx.use("look", name="tide")
    with pytest.raises(EndpointError, match="refused"):
        fx.chat(ask("refuse"))
    fx.chat(ask("go on"))

    first, extraction, looked, refused, _ = seen
    assert isinstance(first, AgentCalled)
    assert (first.role, first.model, first.input_tokens, first.attempt) == ("react", "talker", 3, 2)
    assert first.notes == ("429: waited 0.1 s",)
    asked = BlobStore(tmp_path).get(first.input_blob).decode()
    assert "sha256:" in asked
    assert "pixels" not in asked, "images stand in the record by their digest"
    (call,) = json.loads(BlobStore(tmp_path).get(first.output_blob))
    assert call["reply"] == "HELLO"
    assert isinstance(extraction, AgentCalled)
    assert extraction.role == "look", "what a tool asks of a model is counted as the tool's"
    assert isinstance(looked, ToolUsed)
    assert isinstance(refused, AgentCalled)
    assert (refused.outcome, refused.error) == ("failed", "the endpoint refused")

    resumed = Talker()
    again = effects(tmp_path, resumed, [], seen, threading.Event())
    assert again.chat(ask("hello", ImagePart(data=b"\xff\x00pixels", media_type="image/png"))) == reply
    assert again.use("look", name="tide").text == "found tide"
    with pytest.raises(EndpointError, match="the endpoint refused"):
        again.chat(ask("refuse"))
    again.chat(ask("go on"))
    assert resumed.asked == []
    assert again.elapsed() == pytest.approx(fx.elapsed(), abs=1e-3)
    other = again.chat(ask("hello", ImagePart(data=b"other", media_type="image/png")))
    assert (other.text, len(resumed.asked)) == ("HELLO", 1), "another image is another question"


def test_a_pause_ends_a_call_in_flight(tmp_path: Path) -> None:
    stop, seen = threading.Event(), list[Observation]()
    fx = effects(tmp_path, Talker(), seen, [], stop)
    threading.Timer(0.1, stop.set).start()
    with pytest.raises(Paused):
        fx.chat(ask("wait"))
    assert seen == [], "a call that was stopped is not an answer"
    with pytest.raises(Paused):
        fx.use("look", name="tide")


def test_without_a_language_model_the_executor_is_told_so(tmp_path: Path) -> None:
    fx = effects(tmp_path, None, [], [], threading.Event())
    with pytest.raises(EndpointError, match="llm engine"):
        fx.chat(ask("hello"))
    with pytest.raises(ToolError, match="there is no tool 'nothing'"):
        fx.use("nothing", tool="a model may name an argument so")
    for odd in (float("inf"), b"x", {1}):  # the journal could not be read again
        with pytest.raises(ToolError, match=r"no JSON .*not finite"):
            fx.use("nothing", offset=odd)


def test_a_failure_that_stopped_the_stage_is_tried_again(tmp_path: Path) -> None:
    seen = list[Observation]()
    fx = effects(tmp_path, Talker(), seen, [], threading.Event())
    fx.chat(ask("hello"))
    with pytest.raises(EndpointError):
        fx.chat(ask("refuse"))
    resumed = Talker()
    again = effects(tmp_path, resumed, [], seen, threading.Event())
    again.chat(ask("hello"))
    assert resumed.asked == []
    with pytest.raises(EndpointError):
        again.chat(ask("refuse"))
    assert len(resumed.asked) == 1, "what stopped it may be mended by now"


def test_an_answer_that_a_journal_remembers_and_no_agent_gives_is_refused(tmp_path: Path) -> None:
    seen = list[Observation]()
    fx = effects(tmp_path, Talker(), seen, [], threading.Event())
    fx.chat(ask("hello"))
    fx.ask("structure", StructureInput(content="a: 1"), StructureOutput)
    said, structured = (one for one in seen if isinstance(one, AgentCalled))
    acts: list[tuple[str, Callable[[Effects], object]]] = [
        (said.key, lambda fx: fx.chat(ask("hello"))),
        (structured.key, lambda fx: fx.ask("structure", StructureInput(content="a: 1"), StructureOutput)),
    ]
    for key, act in acts:
        tool = ToolUsed(tool="look", arguments={}, key=key, outcome="ok", excerpt="")
        for memo in (replace(said, key=key, answer={"summary": 5, "text": 5}), tool):
            again = effects(tmp_path, Talker(), [], [memo], threading.Event())
            with pytest.raises(JournalError, match="no agent gives"):
                act(again)


def call(role: str, **more: object) -> AgentCalled:
    fields: dict[str, object] = {"outcome": "ok", "input_tokens": 1_000, "output_tokens": 200, "ms": 250.0, **more}
    return AgentCalled(role=role, engine="llm", key="k", **fields)  # type: ignore[arg-type]


def test_totals_by_agent() -> None:
    events = [
        call("analysis"),
        call("planning", attempt=3, outcome="failed"),
        call("analysis", cached=True),
        "something else",
    ]
    used = by_agent(events)
    assert list(used) == ["analysis", "planning", "all"]
    assert (used["analysis"].calls, used["analysis"].cached, used["analysis"].input_tokens) == (2, 1, 1_000)
    assert (used["planning"].failed, used["planning"].attempts) == (1, 3)
    assert used["all"].calls == 3
    assert used["all"].ms == 750.0
    assert used["all"].cost is None, "no price is set, so no money is named"
    priced = by_agent(events, LLMSettings(price_input=2.0, price_output=10.0))
    assert priced["analysis"].cost == pytest.approx(0.002 + 0.002)
    assert by_agent([]) == {}


@pytest.mark.parametrize(
    ("price_cached", "cost"), [(None, 0.002 + 0.002), (0.2, 0.0004 + 0.00016 + 0.002), (0.0, 0.0004 + 0.002)]
)
def test_tokens_from_the_prefix_cache_are_counted_apart_and_have_their_own_price(
    price_cached: float | None, cost: float
) -> None:
    prices = LLMSettings(price_input=2.0, price_output=10.0, price_cached=price_cached)
    used = by_agent([call("analysis", cached_input_tokens=800), call("planning")], prices)
    assert {role: use.cached_input_tokens for role, use in used.items()} == {"analysis": 800, "planning": 0, "all": 800}
    assert used["analysis"].input_tokens == 1_000
    assert used["analysis"].cost == pytest.approx(cost)
