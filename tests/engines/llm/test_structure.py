"""Summaries: asked for, audited for what they lost or made up, and made to fit a context."""

from __future__ import annotations

import re

import pytest

from memorybank.embedding.hashed import count_tokens
from memorybank.engines.llm.schemas import bounded
from memorybank.engines.llm.structure import Findings, audit
from memorybank.engines.llm.windows import TokenCounter, window
from memorybank.engines.llm.wire import AnalysisAnswer, ClassificationAnswer, PlanningAnswer, StructureAnswer
from memorybank.llm.base import ChatMessage, ChatReply, ChatRequest, TokenUsage
from memorybank.llm.faults import TooLongError
from memorybank.llm.schemas import strict_schema
from memorybank.memory.contracts import StructureInput
from memorybank.memory.types import Lang
from memorybank.settings.llm import LLMSettings
from tests.engines.llm.scripted import Bench
from tests.engines.offline.test_structure import CHINESE, ENGLISH
from tests.tables import tables

TABLES = tables(__file__)

GOOD = TABLES["good"]
TABLE = "| year | cars |\n|---|---|\n| 2001 | 8,100 |\n| 2023 | 20,000 |"


def run(bench: Bench, content: str, lang: Lang = "en") -> str:
    given = StructureInput(content=content, context="Øresund Bridge", keywords=("bridge",), lang=lang)
    return bench.engine.structure.run(given).summary


def test_what_stays_whole_needs_no_call() -> None:
    bench = Bench([{"summary": "never asked"}])
    short = "谷歌展示了Willow芯片。它有105个量子比特。"
    for content in (short, TABLE, f"Two sentences.\n\n{TABLE}\n\nHere.", "# Willow\n\nWillow has *105* qubits."):
        assert run(bench, f"\n{content}\n") == content.replace("# ", "").replace("*", "")
    assert bench.chat.requests == []


def test_a_good_summary_is_taken_as_it_is() -> None:
    bench = Bench([{"summary": f"  {GOOD}\n"}])
    assert run(bench, ENGLISH) == GOOD
    assert bench.notes == []
    (prompt,) = bench.prompts
    words = len(ENGLISH.split())
    assert f"about {int(0.3 * words)} to {int(0.5 * words)} words, up to {int(0.7 * words)} rather" in prompt
    assert bench.chat.requests[0].temperature == 0.1
    assert run(Bench([{"summary": GOOD.split(": ")}]), ENGLISH) == GOOD.replace(": ", "\n"), "a list of points is one"


def test_lost_dates_and_units_are_asked_for_once_by_name() -> None:
    bench = Bench([{"summary": "The bridge joins two cities."}, {"summary": GOOD}])
    assert run(bench, ENGLISH) == GOOD
    assert bench.notes == ["structure: asked again for 3 figures that were unknown or lost"]
    first, second = bench.prompts
    assert second.startswith(first)
    for missing in ("1 July 2000", "7,845 metres", "2.6 billion euros"):
        assert f"- {missing}\n" in second


@pytest.mark.parametrize(
    ("content", "topic", "back"),
    [
        (ENGLISH, "The Øresund Bridge", ["Construction began in 1995", "The bridge is 7,845 metres long"]),
        (CHINESE, "青藏铁路", ["青藏铁路连接西宁和拉萨", "铁路最高点在唐古拉山口"]),
    ],
)
def test_what_stays_lost_comes_back_in_whole_sentences_that_name_their_subject(
    content: str, topic: str, back: list[str]
) -> None:
    vague = "It joins two cities."
    bench = Bench([{"summary": vague}])
    made = bench.engine.structure.run(StructureInput(content=content, context=topic)).summary
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


# -- Summaries a good model writes of real documents: what the audit says of them, and what it does not ----------------

OVERVIEW = TABLES["overview"]


@pytest.mark.parametrize(
    "summary", TABLES["a_true_summary_has_no_findings"], ids=["dates and number words", "units and multiples"]
)
def test_a_true_summary_has_no_findings(summary: str) -> None:
    assert audit(summary, OVERVIEW) == Findings(unknown=(), lost=())


@pytest.mark.parametrize(
    ("wrong", "unknown"), TABLES["values_that_the_text_does_not_have_are_named_with_their_statement"]
)
def test_values_that_the_text_does_not_have_are_named_with_their_statement(
    wrong: str, unknown: tuple[str, ...]
) -> None:
    (doubt,) = audit(f"The array stands in Skerra Sound. {wrong}", OVERVIEW).unknown
    assert (doubt.statement, doubt.figures) == (wrong, tuple(unknown))


def test_dates_and_units_are_lost_only_where_they_are_many() -> None:
    most = "18 megawatts, 1.5 megawatts, 34 metres, November 2022, 14 March 2023, 51 gigawatt-hours, 96 million pounds"
    assert audit(most, OVERVIEW).lost == ()
    lost = "1.5 megawatts, 34 metres, November 2022, 30 September 2024, 51 gigawatt-hours, 96 million pounds"
    assert audit("The array has 18 MW since 14 March 2023.", OVERVIEW).lost == tuple(lost.split(", "))


def test_tables_beside_a_summary_keep_their_values_and_a_topic_may_be_quoted() -> None:
    text = "The bridge opened on 1 July 2000 and cost 2.6 billion euros.\n\n[[0]]"
    table = ("| opened | 1 July 2000 |\n| cost | 2.6 billion euros |",)
    assert not audit("The bridge, E20.", text, shown=("The bridge of road E20",), kept=table)
    assert audit("The bridge, E20.", text).lost == ("1 July 2000", "2.6 billion euros")


# -- windows -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("windows", "context", "limit", "answer"), TABLES["prompt_and_answer_fit_the_smaller_of_window_and_context"]
)
def test_prompt_and_answer_fit_the_smaller_of_window_and_context(
    windows: dict[str, int], context: int | None, limit: int, answer: int
) -> None:
    size, note = window("analysis", LLMSettings(windows=windows), context, 0.9)  # type: ignore[arg-type]
    assert (size.limit, size.answer, size.prompt) == (limit, answer, limit - answer)
    assert bool(note) == (context == 2_048)


def test_a_text_that_was_too_long_is_cut_again_within_the_call() -> None:
    def answer(request: ChatRequest) -> object:
        prompt = sum(count_tokens(message.content) for message in request.messages)
        if prompt + request.max_tokens > 1_800:
            bench.chat.context_window = (bench.chat.context_window or 32_000) // 2
            raise TooLongError("llm.prompt_over_context", model="m", host="h", tokens=bench.chat.context_window)
        return {"summary": GOOD}

    bench = Bench(answer)
    found = bench.engine.structure.run(StructureInput(content=ENGLISH * 40, context="Bridges", keywords=()))
    assert found.summary
    assert bench.chat.context_window == 2_000


def _learn(counter: TokenCounter, text: str, tokens: int, *, measured: bool = True) -> float:
    request = ChatRequest(messages=(ChatMessage(role="user", content=text),))
    counter.learn(request, ChatReply(text="", usage=TokenUsage(input_tokens=tokens, measured=measured)))
    return counter.factor


def test_counts_are_corrected_by_what_the_server_counted() -> None:
    counter = TokenCounter(len)
    assert counter("x" * 10) == 10
    assert _learn(counter, "x" * 1_000, 900) == 1.0
    assert _learn(counter, "x" * 1_000, 5_000, measured=False) == 1.0
    assert _learn(counter, "x" * 50, 200) == 1.0  # too little to tell from the template
    assert _learn(counter, "x" * 1_000, 1_300) == 1.5
    assert counter("x" * 10) == 15
    assert counter.plain("x" * 10) == 10  # a schema is English whatever the session's language
    assert _learn(counter, "x" * 1_000, 1_000) == 1.5  # never less than was seen
    assert _learn(counter, "x" * 1_000, 90_000) == 4.0


def test_after_a_correction_less_is_sent_at_a_time() -> None:
    content = "\n\n".join(f"{ENGLISH} {n}." for n in range(12))
    bench = Bench([{"summary": GOOD}], context=6_000, per_token=2.0)
    bench.engine.structure.run(StructureInput(content=content))
    before = len(bench.prompts)
    bench.engine.structure.run(StructureInput(content=content))
    assert len(bench.prompts) - before > before
    assert "lowered from 32000 to 6000" in bench.notes[0]
    assert sum("lowered" in note for note in bench.notes) == 1


@pytest.mark.parametrize("answer", [ClassificationAnswer, StructureAnswer, AnalysisAnswer, PlanningAnswer])
def test_strings_and_lists_are_bounded_only_in_a_small_context(answer: type) -> None:
    assert bounded(answer, 4_000, 5) is answer
    small = strict_schema(bounded(answer, 600, 5))
    for node in _nodes(small):
        if node.get("type") == "string" and "enum" not in node:
            assert 24 <= node["maxLength"] <= 1_200
        if node.get("type") == "array":
            assert node.get("maxItems", 99) <= 5 or node["items"]["type"] == "integer"
    plain = strict_schema(answer)
    assert not any("maxLength" in node for node in _nodes(plain))


def _nodes(schema: object) -> list[dict[str, object]]:
    if isinstance(schema, list):
        return [node for part in schema for node in _nodes(part)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(node for part in schema.values() for node in _nodes(part))]
