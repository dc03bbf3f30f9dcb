from __future__ import annotations

import re

import pytest

from memorybank.embedding.hashed import count_tokens
from memorybank.engines.llm.audit import audited, numbers_of
from memorybank.errors import AgentError
from memorybank.memory.contracts import StructureInput
from memorybank.memory.types import Lang
from tests.engines.llm.scripted import Bench
from tests.engines.offline.test_structure import CHINESE, ENGLISH

GOOD = (
    "The Øresund Bridge joins Copenhagen and Malmö: begun in 1995, opened on 1 July 2000, 7,845 metres long, 2.6 "
    "billion euros paid by tolls, about 20,000 vehicles a day in 2023."
)
TABLE = "| year | cars |\n|---|---|\n| 2001 | 8,100 |\n| 2023 | 20,000 |"


def run(bench: Bench, content: str, lang: Lang = "en") -> str:
    given = StructureInput(content=content, context="Øresund Bridge", keywords=("bridge",), lang=lang)
    return bench.engine.structure.run(given).summary


@pytest.mark.parametrize(
    "content",
    [
        "Willow has 105 qubits. Google built it.",
        "谷歌展示了Willow芯片。它有105个量子比特。",
        TABLE,
        f"Two sentences.\n\n{TABLE}\n\nHere.",
    ],
    ids=["short", "short zh", "table", "table with little around"],
)
def test_what_stays_whole_needs_no_call(content: str) -> None:
    bench = Bench([{"summary": "never asked"}])
    assert run(bench, f"\n{content}\n") == content
    assert bench.chat.requests == []


def test_a_good_summary_is_taken_as_it_is() -> None:
    bench = Bench([{"summary": f"  {GOOD}\n"}])
    assert run(bench, ENGLISH) == GOOD
    assert bench.notes == []
    (prompt,) = bench.prompts
    assert ENGLISH in prompt
    assert "Øresund Bridge" in prompt.split("<memory>")[0]
    system = bench.chat.requests[0].messages[0].content
    assert f"{int(0.3 * len(ENGLISH))} to {int(0.5 * len(ENGLISH))} characters" in system
    assert bench.chat.requests[0].temperature == 0.1


def test_a_list_of_points_is_a_summary_too() -> None:
    assert run(Bench([{"summary": GOOD.split(": ")}]), ENGLISH) == GOOD.replace(": ", "\n")


@pytest.mark.parametrize(("content", "lang"), [(ENGLISH, "en"), (CHINESE, "zh")])
def test_lost_numbers_are_put_back_in_the_texts_own_words(content: str, lang: Lang) -> None:
    vague = "The bridge joins two cities." if lang == "en" else "这条铁路连接两座城市。"
    bench = Bench([{"summary": vague}])
    summary = run(bench, content, lang)
    assert summary.startswith(vague)
    for sentence in summary.splitlines()[1:]:
        assert sentence in content
    assert len(numbers_of(summary) & numbers_of(content)) >= 4
    assert len(summary) <= 0.65 * len(content)
    assert any("put back" in note for note in bench.notes)


def test_a_statement_with_an_invented_number_is_left_out() -> None:
    bench = Bench([{"summary": f"{GOOD} It was built by 9,400 workers."}])
    assert run(bench, ENGLISH) == GOOD
    assert any("9400" in note for note in bench.notes)


def test_when_nothing_of_the_summary_holds_the_texts_sentences_stand() -> None:
    summary, notes = audited("It has 77 arches.", ENGLISH, "The Øresund Bridge joins Copenhagen and Malmö.")
    assert summary == "The Øresund Bridge joins Copenhagen and Malmö."
    assert len(notes) == 2


def test_numbers_of_a_list_are_no_facts() -> None:
    assert numbers_of("1. Opened in 2000.\n2) Cost 2.6 billion.\n- 3. Long: １,２３４ m") == {"2000", "2.6", "1234"}


def test_a_summary_longer_than_the_text_gives_way_to_it() -> None:
    bench = Bench([{"summary": f"{GOOD} " + "It is a bridge. " * 60}])
    assert run(bench, ENGLISH) == ENGLISH
    assert any("longer than the text" in note for note in bench.notes)


@pytest.mark.parametrize("empty", ["", "  \n", None], ids=["nothing", "space", "null"])
def test_an_empty_summary_is_no_answer(empty: str | None) -> None:
    with pytest.raises(AgentError):
        run(Bench([{"summary": empty}]), ENGLISH)


@pytest.mark.parametrize(
    "summary",
    [f"{GOOD}\n[[0]]\nThat is all.", GOOD, f"[[0]] {GOOD} [[0]] [[7]]"],
    ids=["placed", "not placed", "twice"],
)
def test_tables_stay_as_they_are_and_once(summary: str) -> None:
    content = f"{ENGLISH}\n\n{TABLE}\n\nThe figures are those of the operator, who counts at the toll station."
    bench = Bench([{"summary": summary}])
    made = run(bench, content)
    assert made.count(TABLE) == 1
    assert GOOD in made
    assert "[[" not in made
    assert TABLE not in bench.prompts[0]
    assert "[[0]]" in bench.prompts[0]


@pytest.mark.parametrize(("base", "lang"), [(ENGLISH, "en"), (CHINESE, "zh")])
def test_a_long_text_is_summarised_in_parts_and_none_is_left_out(base: str, lang: Lang) -> None:
    content = "\n\n".join(f"{base} {n}." for n in range(30))
    bench = Bench(lambda request: {"summary": _body(request.messages[-1].content)[:200]}, context=3_000, max_tokens=400)
    run(bench, content, lang)
    shown = "".join(_body(prompt) for prompt in bench.prompts)
    assert "".join(shown.split()) == "".join(content.split())
    assert len(bench.prompts) > 5
    assert max(bench.sizes()) <= 3_000
    assert all(count_tokens(_body(prompt)) <= 1.5 * 400 for prompt in bench.prompts)
    assert f"1 of {len(bench.prompts)}" in bench.prompts[0] or f"{len(bench.prompts)} 部分" in bench.prompts[0]


def _body(prompt: str) -> str:
    found = re.search(r"<memory>\n(.*)\n</memory>", prompt, re.DOTALL)
    assert found
    return found[1]
