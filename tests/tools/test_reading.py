"""search and visit over a corpus and ingested documents, and what a model is told of the tools in both languages."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest

from memorybank import calls
from memorybank.calls import Cancelled, ChatCall
from memorybank.errors import MemoryBankError, ToolError
from memorybank.hosting.ready_tasks import demo_image
from memorybank.language.text import cjk_share
from memorybank.memory.types import Lang
from memorybank.prompts import say
from memorybank.session.session import Session
from memorybank.settings.config import Settings, WebSettings
from memorybank.tools.base import Tool
from memorybank.tools.reading import in_order, search_tool, visit_tool
from memorybank.tools.sources import Readable, Sources, readable
from tests.prompts import rendered
from tests.scripted import LetterEmbedder, parts, source
from tests.tables import tables

TABLES = tables(__file__)

DOCUMENTS = [
    readable("willow.md", "Willow is a quantum processor by Google. It has 105 qubits and was announced in 2024."),
    readable("copy.md", "Willow is a quantum processor by Google. It has 105 qubits and was announced in 2024."),
    readable("sycamore.md", "Sycamore, of 2019, has 53 working qubits."),
    readable("望远镜.md", "韦布空间望远镜于2021年12月25日发射，主镜口径6.5米。"),
    readable("long.txt", "Filler about glaciers. " * 2_000 + "The end of the long text."),
]


def tools(documents: list[Readable]) -> tuple[Tool, Tool]:
    sources = Sources(lambda: documents, LetterEmbedder())
    return search_tool(sources, "en"), visit_tool(sources, "en")


def test_search_ranks_documents_and_gives_their_best_passage() -> None:
    search, _ = tools(DOCUMENTS)
    found = search.run({"query": "how many qubits has Willow"})
    assert found.materials[0].source == "willow.md"
    assert "105 qubits" in found.materials[0].text
    assert all(material.excerpt for material in found.materials)
    assert "copy.md" not in {material.source for material in found.materials}, "the same text once"
    assert "long.txt" not in {material.source for material in found.materials}
    chinese = search.run({"query": ["韦布望远镜何时发射", "quux zyzzy"]})
    assert chinese.materials[0].source == "望远镜.md"
    assert "Nothing found for “quux zyzzy”" in chinese.text


REGISTER = TABLES["register"]
ABOUT_SKERRA = [
    readable("register.md", REGISTER),
    readable("overview.md", "The Skerra Sound tidal array is run by Skerra Tidal Ltd. Its capacity is 18 megawatts."),
    readable("boat.md", "The workboat lifted nacelles of the Skerra Sound tidal array. Fuel used: 41 cubic metres."),
    readable("简报.md", f"鹿纹铜镜直径21.3厘米。{'两镜均于1986年移交文化馆。' * 30}鹿纹铜镜出土于1986年4月17日。"),
    readable("介绍.md", "鹿纹铜镜是镇馆之宝。"),
]


@pytest.mark.parametrize(
    ("query", "source", "answer"),
    [
        ("Skerra Sound tidal array first metered export date", "register.md", "2 June 2023"),
        ("Skerra Sound tidal array registered capacity", "register.md", "18.0 MW"),
        ("鹿纹铜镜 出土日期", "简报.md", "4月17日"),
    ],
)
def test_of_a_document_the_passage_that_answers_is_shown(query: str, source: str, answer: str) -> None:
    found = tools(ABOUT_SKERRA)[0].run({"query": query})
    assert answer in {material.source: material.text for material in found.materials}[source]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_several_queries_give_one_list_that_says_what_is_in_memory(lang: Lang) -> None:
    marks = {
        "register.md": say("search_read", lang),
        "overview.md": say("search_known", lang, nodes="n1, n4"),
        "boat.md": say("search_excerpt_known", lang, nodes="n2"),
    }
    sources = Sources(lambda: ABOUT_SKERRA, LetterEmbedder())
    search = search_tool(sources, lang, standing=lambda: marks)
    asked = ["Skerra Sound tidal array first metered export date", "Skerra Sound registered capacity", "quux zyzzy"]
    found = search.run({"query": asked})
    rendered.check(f"search.{lang}", found.text)
    texts = [(material.source, material.text) for material in found.materials]
    assert len(texts) == len(set(texts))


def test_the_index_follows_new_documents() -> None:
    documents = DOCUMENTS[:1]
    search, _ = tools(documents)
    assert "sycamore.md" not in search.run({"query": "Sycamore qubits"}).text
    documents.append(DOCUMENTS[2])
    assert search.run({"query": "Sycamore qubits"}).materials[0].source == "sycamore.md"
    assert tools([])[0].run({"query": "anything"}).materials == ()


def test_of_several_documents_each_is_named_before_its_text() -> None:
    _, visit = tools(DOCUMENTS)
    one, other = DOCUMENTS[0], DOCUMENTS[2]
    both = visit.run({"url": [one.name, other.name]}).text
    assert all(f"{each.name}:\n\n{each.text[:40]}" in both for each in (one, other))
    assert ":" not in visit.run({"url": one.name}).text.splitlines()[0], "a single one needs no name"


class CountingExtraction:
    """Counts what it is asked, as a model would be paid."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def extract(self, goal: str, source: str, text: str) -> str:
        self.asked.append(source)
        return "Summary: it ends."


@pytest.mark.parametrize("source", ["register.md", "简报.md"])
def test_a_short_page_is_shown_whatever_the_goal_and_no_model_is_asked(source: str) -> None:
    extraction = CountingExtraction()
    documents = [*ABOUT_SKERRA, DOCUMENTS[4], readable("长文.md", "冰川在石头上移动。" * 200)]
    visit = visit_tool(Sources(lambda: documents, LetterEmbedder()), "en", extraction=extraction)
    text = next(document.text for document in documents if document.name == source)
    assert visit.run({"url": source, "goal": "capacity"}).text == text
    assert extraction.asked == []
    assert "it ends" in visit.run({"url": ["long.txt", "长文.md"], "goal": "capacity"}).text
    assert extraction.asked == ["long.txt", "长文.md"]


def test_mistakes_are_words_for_the_executor() -> None:
    search, visit = tools(DOCUMENTS)
    with pytest.raises(ToolError, match=r"no document '\.\./secret'"):
        visit.run({"url": "../secret"})
    with pytest.raises(ToolError, match="query"):
        search.run({})
    with pytest.raises(ToolError, match="limit"):
        search.run({"query": "x", "limit": "many"})
    assert set(search.parameters["properties"]) == {"query", "limit"}
    assert "the documents of the corpus" in search.description
    assert set(visit.parameters["properties"]) == {"url", "goal", "offset"}
    assert visit.parameters["required"] == ["url"]


# -- What a model is told of the tools: the same names and arguments in both languages, the words in the session's -----


def description_tools(folder: Path, lang: Lang, *, image: bool = True, web: bool = True) -> list[Tool]:
    settings = Settings(engine="scripted", web=WebSettings(visit=web, serper_key="key" if web else ""))
    images = [("label.png", demo_image("webb_label_en.png"))] if image else []
    with Session.start(
        folder, parts(lang=lang, settings=settings), sources=[source("a text")], images=images
    ) as session:
        session.step()
        return session.parts.tools(lambda: session.bank, session.folder)


def test_each_tool_says_what_it_is_for_in_the_language_of_the_session(tmp_path: Path) -> None:
    parameters = []
    for lang in ("en", "zh"):
        told = {web: description_tools(tmp_path / f"{lang}{web}", lang, web=web, image=web) for web in (True, False)}
        lines = [f"{tool.name}({', '.join(tool.parameters['properties'])})\n{tool.description}" for tool in told[True]]
        lines += [f"{tool.name}, without the web\n{tool.description}" for tool in told[False][:2]]
        rendered.check(f"tools.{lang}", "\n\n".join(lines))
        for tool in told[True]:
            assert (cjk_share(tool.description) > 0.4) is (lang == "zh"), tool.name
        assert [tool.name for tool in told[False]] == ["search", "visit", "deep_retrieval"], "no image to read"
        parameters.append([(tool.name, json.dumps(tool.parameters)) for tool in told[True]])
    assert parameters[0] == parameters[1], "names and arguments are the same in both"


# -- Several waits at once: outcomes and reports in order, one stop for all --------------------------------------------


def test_outcomes_and_reported_calls_come_in_the_order_of_the_input() -> None:
    ended = [threading.Event() for _ in range(4)]

    def work(number: int) -> int:
        assert number == 3 or ended[number + 1].wait(60), "all are at work at once, and the last ends first"
        ended[number].set()
        calls.report(ChatCall(model="m", prompt=str(number), reply=""))
        if number == 2:
            raise ToolError("two")
        return number * 10

    with calls.watch() as made:
        found = in_order(work, [0, 1, 2, 3])
    assert [str(one) for one in found] == ["0", "10", "two", "30"]
    assert isinstance(found[2], MemoryBankError)
    assert [call.prompt for call in made] == ["0", "1", "2", "3"]
    assert in_order(work, []) == []
    assert str(in_order(work, [2])[0]) == "two"


def until_stopped(_: int) -> None:
    while True:
        calls.check()
        time.sleep(0.01)


def test_a_stop_reaches_every_thread_and_leaves_none() -> None:
    stop = time.monotonic() + 0.2
    with calls.watch(lambda: time.monotonic() > stop), pytest.raises(Cancelled):
        in_order(until_stopped, list(range(9)))
    assert not [one for one in threading.enumerate() if one.name.startswith("tool")]


def test_a_mistake_of_ours_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        in_order(lambda number: 1 // number, [1, 0])
