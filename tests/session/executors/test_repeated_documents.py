"""What an earlier result of a round shows of a document is not printed again; what has changed in it is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from memorybank.memory.types import Lang
from memorybank.prompts import say
from memorybank.session.executors.react.acting import ImageAccess, Toolbox
from memorybank.session.executors.react.parsing import ParsedCall
from memorybank.tools.reading import search_tool, visit_tool
from memorybank.tools.sources import Readable, Sources, readable
from tests.scripted import LetterEmbedder

WILLOW = "# Willow\n\nWillow has 105 qubits, and it was announced on 9 December 2024 in Santa Barbara, California.\n"


class Round:
    """The tools of a round on documents that may change while it goes on."""

    def __init__(self, lang: Lang, *documents: Readable) -> None:
        self.documents, self.lang = list(documents), lang
        sources = Sources(lambda: self.documents, LetterEmbedder())
        tools = {tool.name: tool for tool in (search_tool(sources, lang), visit_tool(sources, lang))}
        self.fx: Any = SimpleNamespace(tools=tools, use=lambda name, **given: tools[name].run(given))
        self.toolbox = Toolbox(self.fx, lang, ImageAccess(self.fx, lang, sees=False))

    def asked(self, name: str, **given: Any) -> str:
        self.call = ParsedCall(name=name, arguments=given)
        return self.toolbox.observe(self.call, allowed=True).text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_document_is_named_with_one_line_where_its_words_stand_above(lang: Lang) -> None:
    mark, round_ = say("stands_above", lang), Round(lang, readable("willow.md", WILLOW))
    assert "105 qubits" in round_.asked("search", query="Willow qubits")
    again = round_.asked("search", query="qubits of Willow")
    assert "105 qubits" not in again
    assert again.endswith(f"\n   {mark}")
    assert round_.asked("visit", url="willow.md") == mark


def test_two_excerpts_whose_words_stand_above_have_one_line() -> None:
    between = "\n\n".join(f"Room {number} of the house was painted by two brothers." for number in range(200))
    text = f"Willow has 105 qubits.\n\n{between}\n\nThe Willow chip was shown in Goleta."
    round_ = Round("en", readable("willow.md", text))
    first = round_.asked("search", query=["Willow qubits", "the chip in Goleta"])
    assert "105 qubits" in first
    assert "Goleta" in first
    again = round_.asked("search", query=["qubits of Willow", "Goleta chip"])
    assert again.count(say("stands_above", "en")) == 1


@pytest.mark.parametrize(("shown", "is_named"), [(WILLOW, True), (WILLOW.replace("105", "98"), False)])
def test_a_document_is_named_with_one_line_where_a_memory_of_the_prompt_has_its_sentences(
    shown: str, is_named: bool
) -> None:
    round_ = Round("en", readable("willow.md", WILLOW), readable("copy.md", WILLOW))
    round_.toolbox.begin(f"Memory (node n1):\nSources: willow.md\nText: {shown}")
    assert ("105 qubits" not in round_.asked("visit", url="willow.md")) == is_named
    assert "105 qubits" in round_.asked("visit", url="copy.md"), "a copy is another document"


def test_a_page_that_changed_and_a_copy_under_another_name_are_shown() -> None:
    round_ = Round("en", readable("willow.md", WILLOW))
    round_.asked("visit", url="willow.md")
    round_.documents = [readable("willow.md", WILLOW.replace("105", "98"))]
    assert "98 qubits" in round_.asked("visit", url="willow.md", offset=0)
    round_.documents = [readable("copy.md", WILLOW)]
    assert "105 qubits" in round_.asked("visit", url="copy.md")


def test_what_was_shown_in_part_is_shown_again() -> None:
    round_ = Round("en", readable("willow.md", WILLOW))
    round_.asked("search", query="Willow qubits")
    round_.toolbox.forget(round_.call)
    assert "105 qubits" in round_.asked("visit", url="willow.md")
