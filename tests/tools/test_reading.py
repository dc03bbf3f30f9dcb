"""search and visit over a corpus and over ingested documents; the executor's mistakes are words, not crashes."""

from __future__ import annotations

import pytest

from memorybank.errors import ToolError
from memorybank.tools.base import Tool
from memorybank.tools.reading import search_tool, visit_tool
from memorybank.tools.sources import Readable, Sources, passages, readable
from tests.scripted import LetterEmbedder

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


def test_the_index_follows_new_documents() -> None:
    documents = DOCUMENTS[:1]
    search, _ = tools(documents)
    assert "sycamore.md" not in search.run({"query": "Sycamore qubits"}).text
    documents.append(DOCUMENTS[2])
    assert search.run({"query": "Sycamore qubits"}).materials[0].source == "sycamore.md"
    assert tools([])[0].run({"query": "anything"}).materials == ()


def test_visit_shows_long_documents_in_parts_and_keeps_the_whole_as_material() -> None:
    _, visit = tools(DOCUMENTS)
    first = visit.run({"url": "long.txt"})
    assert first.materials[0].text == DOCUMENTS[4].text
    assert "call again with offset=12000" in first.text
    assert visit.run({"url": "long.txt", "offset": 36_000}).text.endswith("The end of the long text.")


def test_mistakes_are_words_for_the_executor() -> None:
    search, visit = tools(DOCUMENTS)
    with pytest.raises(ToolError, match=r"no document '\.\./secret'"):
        visit.run({"url": "../secret"})
    with pytest.raises(ToolError, match="query"):
        search.run({})
    with pytest.raises(ToolError, match="limit"):
        search.run({"query": "x", "limit": "many"})
    assert set(search.parameters["properties"]) == {"query", "limit"}
    assert "Returns for each query" in search.description
    assert set(visit.parameters["properties"]) == {"url", "goal", "offset"}
    assert visit.parameters["required"] == ["url"]


def test_passages_are_whole_sentences_and_lose_nothing() -> None:
    for document in DOCUMENTS:
        parts = passages(document.text)
        assert "".join(parts) == document.text
        assert max(len(part) for part in parts) <= 450
