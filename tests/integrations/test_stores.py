"""The stores and sessions that frameworks bring, held against their own: what is put, found, deleted and read again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from agents import Agent, OpenAIChatCompletionsModel, Runner, SQLiteSession
from agents.memory import Session
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.prebuilt import create_react_agent
from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from openai import AsyncOpenAI
from smolagents import ActionStep, OpenAIServerModel, ToolCallingAgent
from smolagents import Tool as SmolTool

from memorybank.errors import JournalError, ToolError
from memorybank.integrations.arguments import Utterance
from memorybank.integrations.bank_tools import BankTools
from memorybank.integrations.kept_items import KeptItems
from memorybank.integrations.langgraph import as_langchain, enhancing, filing
from memorybank.integrations.langgraph_store import BankStore
from memorybank.integrations.openai_agents import BankSession, as_function_tools
from memorybank.integrations.smolagents import MemoryHook, as_smolagents
from memorybank.settings.config import Settings
from memorybank_lab.scripted import Answer, ScriptedServer, SeenRequest, tool_reply
from tests.integrations.test_frameworks import chat

SETTINGS = Settings(embedding_model="hashed-ngrams")


@pytest.fixture
def bank(run_dir: Path) -> Iterator[BankTools]:
    with BankTools.at(run_dir, settings=SETTINGS) as opened:
        yield opened


def filled(store: BaseStore) -> BaseStore:
    store.put(("users", "ana"), "city", {"text": "Ana moved to Lisbon in March.", "year": 2024, "tags": ["move"]})
    store.put(("users", "ana"), "food", {"text": "Ana likes sardines.", "year": 2023})
    store.put(("users", "ben"), "city", {"text": "Ben lives in Oslo.", "year": 2024}, index=["text"])
    store.put(("notes",), "blank", {"year": 2020}, index=False)
    store.put(("notes",), "gone", {"text": "not for long"})
    store.delete(("notes",), "gone")
    store.delete(("notes",), "never")
    return store


OPS = [
    GetOp(("users", "ana"), "city"),
    GetOp(("users", "ana"), "nothing"),
    GetOp(("notes",), "gone"),
    *(
        SearchOp(prefix, filter=wanted, limit=limit, offset=offset)
        for prefix in ((), ("users",), ("users", "ben"), ("no",))
        for wanted in (None, {"year": 2024}, {"year": {"$lt": 2024}}, {"year": {"$ne": 2024}}, {"tags": ["move"]})
        for limit, offset in ((10, 0), (1, 1))
    ),
    *(ListNamespacesOp(max_depth=depth) for depth in (None, 1)),
    ListNamespacesOp(match_conditions=(MatchCondition("prefix", ("users", "*")), MatchCondition("suffix", ("ana",)))),
    ListNamespacesOp(limit=1, offset=1),
    PutOp(("users", "ana"), "city", {"text": "read before it is put", "year": 2024}),
]


def plain(results: Any) -> Any:
    """What does not tell the time."""
    if isinstance(results, list):
        return [plain(one) for one in results]
    return (results.namespace, results.key, results.value) if hasattr(results, "value") else results


def test_without_a_query_it_answers_as_langgraphs_own_store(bank: BankTools) -> None:
    own, ours = filled(InMemoryStore()), filled(BankStore(bank))
    assert plain(ours.batch(OPS)) == plain(own.batch(OPS))
    assert plain(asyncio.run(ours.abatch(OPS))) == plain(asyncio.run(own.abatch(OPS)))
    with pytest.raises(ValueError, match=r"[Nn]amespace"):
        ours.put((), "x", {})
    twice = [PutOp(("a",), "k", {"v": 1}), PutOp(("a",), "k", {"v": 2})]
    assert plain([ours.batch(twice), ours.get(("a",), "k")]) == plain([own.batch(twice), own.get(("a",), "k")])


@pytest.mark.parametrize("odd", [object(), datetime.now(UTC), b"Oslo", {"Oslo"}, Utterance(speaker="a", text="b")])
def test_what_is_no_json_is_refused_before_anything_of_it_is_filed(bank: BankTools, odd: Any) -> None:
    store, session = BankStore(bank), BankSession(bank)
    with pytest.raises(ToolError, match=r"b/k.* no JSON"):
        store.batch([PutOp(("a",), "k", {"v": "fine"}), PutOp(("b",), "k", {"text": "Ben lives here.", "at": odd})])
    with pytest.raises(ToolError, match=r"item 2.* no JSON"):
        asyncio.run(session.add_items([*items("I moved."), {"role": "user", "content": "Noted.", "at": odd}]))
    assert (store.search(()), asyncio.run(session.get_items()), bank.insight_doc().nodes) == ([], [], 0)
    call: Any = {"name": "look", "args": {"at": odd}, "id": "1"}
    answer = ToolMessage("Oslo has a tram.", name="look", tool_call_id="1")
    filing(bank)({"messages": [AIMessage("", tool_calls=[call]), answer]})
    assert "tram" in bank.search_memory("tram").model_dump_json()


def test_a_query_finds_by_the_banks_recall_within_its_namespace(bank: BankTools, run_dir: Path) -> None:
    store = filled(BankStore(bank))
    found = store.search(("users",), query="which fish does Ana like to eat: sardines?")
    assert found[0].key == "food"
    assert {item.namespace for item in found} == {("users", "ana"), ("users", "ben")}
    scores = [item.score for item in found]
    assert scores == sorted(scores, reverse=True)
    assert [item.key for item in store.search(("users", "ben"), query="sardines")] == ["city"]
    assert [item.score for item in store.search(("notes",), query="anything")] == [None], "of it nothing was filed"
    assert len(store.search((), query="Ana", limit=2, offset=1)) == 2
    assert "Lisbon" in bank.search_memory("where does Ana live").model_dump_json()

    created = store.get(("users", "ana"), "city").created_at  # type: ignore[union-attr]
    store.put(("users", "ana"), "city", {"text": "Ana moved on to Porto."})
    bank.close()
    with BankTools.at(run_dir, settings=SETTINGS) as again:
        reopened = BankStore(again)
        item = reopened.get(("users", "ana"), "city")
        assert item is not None
        assert (item.value, item.created_at) == ({"text": "Ana moved on to Porto."}, created)
        assert item.updated_at >= created
        assert "Porto" in reopened.search(("users",), query="Porto")[0].value["text"]
        assert reopened.list_namespaces() == store.list_namespaces()
        assert "Lisbon" in again.search_memory("Lisbon").model_dump_json(), "the raw record stays"


def test_a_file_of_items_is_untrusted_and_ends_where_a_writer_was_killed(tmp_path: Path) -> None:
    kept = KeptItems(tmp_path)
    kept.put(("a",), "k", {"v": "x"})
    path = tmp_path / "items.jsonl"
    path.write_bytes(path.read_bytes() + b'{"namespace": ["a"], "ke')
    again = KeptItems(tmp_path)
    again.put(("a",), "l", {"v": "half a character \ud800"})
    assert [(key, item.value["v"]) for _, key, item in KeptItems(tmp_path)] == [("k", "x"), ("l", "half a character ?")]
    odd = b'{"namespace": ["a"], "key": "k", "value": 3, "entry": "", "at": 0}'
    for bad in (b"[]", odd, b"\xff", b"[" * 9_999):
        path.write_bytes(bad + b"\n")
        with pytest.raises(JournalError, match=r"items\.jsonl"):
            KeptItems(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(partial(KeptItems(tmp_path / "many").put, ("a",), value={"v": "x"}), map(str, range(40))))
    assert len(list(KeptItems(tmp_path / "many"))) == 40


# -- the OpenAI Agents SDK --------------------------------------------------------------------------------------------


def items(*texts: str) -> list[Any]:
    return [{"role": "user" if place % 2 == 0 else "assistant", "content": text} for place, text in enumerate(texts)]


async def used(session: Any) -> list[Any]:
    """What a session answers to all that its protocol has."""
    answers = [await session.pop_item(), await session.get_items()]
    await session.add_items(items("I moved to Lisbon.", "Noted."))
    await session.add_items([{"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"}])
    await session.add_items([{"type": "function_call_output", "call_id": "1", "output": "x"}, *items("And you?")])
    answers += [await session.get_items(limit) for limit in (None, 0, 2, 99)]
    answers += [await session.pop_item(), await session.get_items()]
    await session.add_items(items("again"))
    answers.append(await session.get_items(1))
    await session.clear_session()
    return [*answers, await session.get_items(), await session.pop_item()]


def test_the_agents_sessions_answers_are_those_of_the_sdks_own(bank: BankTools, run_dir: Path) -> None:
    ours = BankSession(bank, "talk")
    assert isinstance(ours, Session)
    assert asyncio.run(used(ours)) == asyncio.run(used(SQLiteSession("talk")))
    asyncio.run(ours.add_items(items("I have a cat.", "A cat!")))
    assert asyncio.run(BankSession(bank, "other").get_items()) == []
    bank.close()
    with BankTools.at(run_dir, settings=SETTINGS) as again:
        assert asyncio.run(BankSession(again, "talk").get_items()) == items("I have a cat.", "A cat!")
        assert "Lisbon" in again.search_memory("Lisbon").model_dump_json(), "what was said stays in memory"


def test_an_agent_is_given_memory_in_place_of_a_long_history(bank: BankTools) -> None:
    session = BankSession(bank, "talk", recent=3)

    async def talk(model: OpenAIChatCompletionsModel) -> None:
        agent = Agent(name="friend", model=model, tools=as_function_tools(bank.tools()))
        for said in ("I moved to Lisbon in March.", "It rained.", "It rained again.", "Where do I live: Lisbon?"):
            await Runner.run(agent, said, session=session, run_config=session.run_config())

    with ScriptedServer("I see.") as server:
        client = AsyncOpenAI(base_url=server.base_url, api_key="any")
        asyncio.run(talk(OpenAIChatCompletionsModel("scripted", client)))
        first, last = server.chats[0], server.chats[-1]
    assert "<memory>" not in first.text
    assert [message["role"] for message in last.messages] == ["system", "user", "assistant", "user"]
    assert "user: I moved to Lisbon in March." in last.text
    assert set(last.tools) == {tool.name for tool in bank.tools()}
    assert len(asyncio.run(session.get_items())) == 8


# -- LangGraph's hooks, and smolagents' -------------------------------------------------------------------------------


def test_nodes_enhance_a_graphs_prompt_and_file_what_it_brought(bank: BankTools) -> None:
    bank.ingest("Ana moved to Lisbon in March.", "a.txt")

    @tool
    def look(place: str) -> str:
        """Look at a place."""
        return f"{place} has a tram."

    with ScriptedServer(lambda request: "It has." if "has a tram" in request.text else LOOKS) as server:
        graph = create_react_agent(
            chat(server),
            [look, *as_langchain(bank.tools())],
            pre_model_hook=enhancing(bank),
            post_model_hook=filing(bank),
        )
        result = graph.invoke({"messages": [HumanMessage("Has Lisbon, where Ana lives, a tram?")]})
        assert [message.type for message in result["messages"]] == ["human", "ai", "tool", "ai"]
        assert all(request.text.count("<memory>") == 1 for request in server.chats)
        assert "Ana moved to Lisbon in March." in server.chats[0].text
    sources = [entry.source for entry in bank.session.bank.tree.entries.values()]
    assert 'look({"place": "Lisbon"})' in sources
    assert sources.count("dialogue") == 2, "each message once"


LOOKS = tool_reply(("look", {"place": "Lisbon"}))


def test_a_hook_files_an_agents_steps_and_shortens_what_was_filed(bank: BankTools) -> None:
    class Look(SmolTool):  # type: ignore[misc]
        name = "look"
        description = "Look at a place."
        inputs = {"place": {"type": "string", "description": "where"}}  # noqa: RUF012 - as smolagents reads it
        output_type = "string"

        def forward(self, place: str) -> str:
            return f"{place} has a tram. " + "It is yellow. " * 100

    def script(request: SeenRequest) -> Answer:
        if request.text.count("has a tram") < 2:
            return LOOKS
        return tool_reply(("final_answer", {"answer": "It has a tram."}))

    bank.ingest("Ana moved to Lisbon in March.", "a.txt")
    hook = MemoryHook(bank, recent=1)
    with ScriptedServer(script) as server:
        model = OpenAIServerModel("scripted", api_base=server.base_url, api_key="any")
        agent = ToolCallingAgent(
            tools=[Look(), *as_smolagents(bank.tools())],
            model=model,
            step_callbacks=[hook],
            verbosity_level=0,
            max_steps=6,
        )
        assert agent.run(hook.task("Has Lisbon a tram?")) == "It has a tram."
        assert "Ana moved to Lisbon in March." in server.chats[0].text
    texts = [entry.text for entry in bank.session.bank.tree.entries.values()]
    assert any("It is yellow" in text for text in texts)
    assert any("agent: It has a tram." in text for text in texts)
    steps = [step for step in agent.memory.steps if isinstance(step, ActionStep)]
    assert "filed" in steps[0].observations
