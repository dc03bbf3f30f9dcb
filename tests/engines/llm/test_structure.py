from __future__ import annotations

import re

import pytest

from memorybank.embedding.hashed import count_tokens
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
        "# Willow\n\nWillow has *105* qubits.",
    ],
    ids=["short", "short zh", "table", "table with little around", "marks"],
)
def test_what_stays_whole_needs_no_call(content: str) -> None:
    bench = Bench([{"summary": "never asked"}])
    assert run(bench, f"\n{content}\n") == content.replace("# ", "").replace("*", "")
    assert bench.chat.requests == []


def test_a_good_summary_is_taken_as_it_is() -> None:
    bench = Bench([{"summary": f"  {GOOD}\n"}])
    assert run(bench, ENGLISH) == GOOD
    assert bench.notes == []
    (prompt,) = bench.prompts
    assert ENGLISH in prompt
    assert "Øresund Bridge" in prompt.split("<memory>")[0]
    words = len(ENGLISH.split())
    assert f"about {int(0.3 * words)} to {int(0.5 * words)} words, up to {int(0.7 * words)} rather" in prompt
    assert bench.chat.requests[0].temperature == 0.1


def test_a_list_of_points_is_a_summary_too() -> None:
    assert run(Bench([{"summary": GOOD.split(": ")}]), ENGLISH) == GOOD.replace(": ", "\n")


def test_lost_dates_and_units_are_asked_for_once_by_name() -> None:
    bench = Bench([{"summary": "The bridge joins two cities."}, {"summary": GOOD}])
    assert run(bench, ENGLISH) == GOOD
    assert bench.notes == ["structure: asked again for 3 figures that were unknown or lost"]
    first, second = bench.prompts
    assert second.startswith(first)
    for missing in ("1 July 2000", "7,845 metres", "2.6 billion euros"):
        assert f"- {missing}\n" in second


@pytest.mark.parametrize(
    ("content", "lang", "topic", "back"),
    [
        (ENGLISH, "en", "The Øresund Bridge", ["Construction began in 1995", "The bridge is 7,845 metres long"]),
        (CHINESE, "zh", "青藏铁路", ["青藏铁路连接西宁和拉萨", "铁路最高点在唐古拉山口"]),
    ],
)
def test_what_stays_lost_comes_back_in_whole_sentences_that_name_their_subject(
    content: str, lang: Lang, topic: str, back: list[str]
) -> None:
    vague = "It joins two cities." if lang == "en" else "这里连接两座城市。"
    bench = Bench([{"summary": vague}])
    made = bench.engine.structure.run(StructureInput(content=content, context=topic, lang=lang)).summary
    assert len(bench.prompts) == 2
    first, *others = made.splitlines()
    assert first == vague
    assert [line[: len(start)] for line, start in zip(others, back, strict=True)] == back
    assert all(line in content for line in others)
    assert "put back" in bench.notes[1]


def test_scraps_without_a_subject_are_not_put_back_but_told() -> None:
    log = (
        "MV Brisling lay at Norwick quay on 13 March 2024. Weather fair, wind NW 3. Fuel used 41 litres. Depth 34 m. "
        "It left on 14 March 2024 at slack water, with all twelve nacelles on deck and a crew of five. "
        "The crew had been paid off after the last nacelle came ashore, and the shore team replaced all the seals. "
        "Marker buoys were checked twice in that time, and nothing else of note was written down by the "
        "master of the vessel, who signed the log on the quay, as on each voyage, and had it copied for the office "
        "that evening, where it was read aloud to all who had come in from the rain to hear of the work."
    )
    bench = Bench([{"summary": "MV Brisling left the quay with twelve nacelles."}])
    made = bench.engine.structure.run(StructureInput(content=log, context="MV Brisling's log")).summary
    assert made.splitlines()[1:] == ["MV Brisling lay at Norwick quay on 13 March 2024."]
    assert bench.notes[-1] == "structure: the summary leaves out: 41 litres, 34 m, 14 March 2024"


CLAIM = "It was built by 9,400 workers."


@pytest.mark.parametrize(
    ("second", "kept", "told"),
    [
        (GOOD, GOOD, []),
        (f"{GOOD} {CLAIM}", f"{GOOD} {CLAIM}", [f"structure: 9,400 is not in the text: {CLAIM}"]),
        ("It is a bridge.", f"{GOOD} {CLAIM}", [f"structure: 9,400 is not in the text: {CLAIM}"]),
        ("", f"{GOOD} {CLAIM}", ["structure: the summary was not given again", "structure: 9,400 is not in the text"]),
    ],
    ids=["taken back", "insisted on", "worse", "no answer"],
)
def test_an_unknown_number_is_asked_about_once_and_never_deleted(second: str, kept: str, told: list[str]) -> None:
    bench = Bench([{"summary": f"{GOOD} {CLAIM}"}, {"summary": second}])
    assert run(bench, ENGLISH) == kept
    assert f"- 9,400, in: {CLAIM}" in bench.prompts[1]
    again, *notes = bench.notes
    assert again == "structure: asked again for 1 figures that were unknown or lost"
    assert [note[: len(start)] for note, start in zip(notes, told, strict=True)] == told


def test_the_second_question_is_left_out_where_it_does_not_fit() -> None:
    content = "\n\n".join(f"{ENGLISH} {n}." for n in range(3))
    vague = "A bridge joins two cities, and people like to look at it in the evening light. " * 3
    bench = Bench([{"summary": vague}], context=1_500, max_tokens=400)
    run(bench, content)
    assert all(vague not in prompt for prompt in bench.prompts)
    assert max(bench.sizes()) <= 1_500
    assert any("leaves out" in note for note in bench.notes)


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
    bench = Bench(lambda request: {"summary": _body(request.messages[-1].content)}, context=3_000, max_tokens=400)
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
