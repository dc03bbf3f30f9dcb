from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.embedding.hashed import count_tokens
from memorybank.engines.llm.classification import LEAST_UNIT
from memorybank.errors import AgentError
from memorybank.memory.contracts import ClassificationInput, ClassificationOutput, TextToFile
from tests.engines.llm.scripted import Bench, units_in

ENGLISH = (
    "# Quantum chips in 2023\n\nIBM showed Condor in December 2023. It has 1,121 qubits.\n\n"
    "China announced Tianyan-504. It has 504 qubits.\n\nIBM later said that Condor was a test of scale."
)
DIALOGUE = "Ann: When does the train leave?\nBen: At 9:40.\nAnn: And who brings the maps?\nBen: I do.\n"


def topic(name: str, *ranges: tuple[int, int], keywords: tuple[str, ...] = ("chip",)) -> dict[str, object]:
    listed = [{"first": first, "last": last} for first, last in ranges]
    return {"topic": name, "keywords": list(keywords), "ranges": listed}


def answer(*topics: dict[str, object]) -> dict[str, object]:
    return {"reasoning": "The subject changes from IBM to China and back.", "topics": list(topics)}


def assert_covered(text: str, output: ClassificationOutput) -> None:
    """Every character in exactly one span; spans ascending; the flag agrees with the count."""
    spans = sorted(span for cluster in output.clusters for span in cluster.spans)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(left[1] == right[0] for left, right in pairwise(spans))
    for cluster in output.clusters:
        assert list(cluster.spans) == sorted(cluster.spans)
    assert output.should_cluster == (len(output.clusters) > 1)


def test_ranges_become_spans_of_the_text() -> None:
    bench = Bench([answer(topic("IBM's Condor", (0, 2), (5, 5)), topic("China's Tianyan-504", (3, 4)))])
    output = bench.engine.classification.run(ClassificationInput(text=ENGLISH, task_goal="Compare quantum chips"))
    assert_covered(ENGLISH, output)
    condor, tianyan = output.clusters
    (said,) = (ENGLISH[start:end].strip() for start, end in tianyan.spans)
    assert said == "China announced Tianyan-504. It has 504 qubits."
    assert len(condor.spans) == 2
    assert ENGLISH[slice(*condor.spans[1])] == "IBM later said that Condor was a test of scale."
    assert condor.context == "IBM's Condor"
    assert bench.notes == []
    (prompt,) = bench.prompts
    assert "Compare quantum chips" in prompt
    assert units_in(prompt)[:2] == [(0, "# Quantum chips in 2023"), (1, "IBM showed Condor in December 2023.")]
    (request,) = bench.chat.requests
    assert (request.schema_name, request.temperature, request.schema is not None) == ("classification", 0.4, True)


@pytest.mark.parametrize(
    ("topics", "owners", "told"),
    [
        ([topic("A", (0, 2))], ["A"], "3 units were in no topic"),
        ([topic("A", (2, 2)), topic("B", (4, 4))], ["A", "B"], "no topic"),
        ([topic("A", (0, 3)), topic("B", (2, 4))], ["A", "B"], "2 units were in two"),
        ([topic("A", (5, 0))], ["A"], None),
        ([topic("A", (-3, 99))], ["A"], "units that are not there"),
        ([topic("A", (70, 80)), topic("B")], ["A"], "6 units were in no topic"),
        ([topic("A", (0, 4)), topic("B", (0, 4))], ["A"], "two topics"),
    ],
)
def test_any_ranges_cover_the_text_once(topics: list[dict[str, object]], owners: list[str], told: str | None) -> None:
    bench = Bench([answer(*topics)])
    output = bench.engine.classification.run(ClassificationInput(text=ENGLISH))
    assert_covered(ENGLISH, output)
    assert [cluster.context for cluster in output.clusters] == owners
    assert any(told in note for note in bench.notes) if told else not bench.notes


def test_a_heading_is_a_unit_and_goes_with_what_follows_it() -> None:
    text = "# Chips\n\n## IBM\n\nIBM showed Condor.\n\n## China\nChina announced Tianyan."
    bench = Bench([answer(topic("IBM", (0, 2)), topic("China", (4, 4)))])
    output = bench.engine.classification.run(ClassificationInput(text=text))
    assert [unit for _, unit in units_in(bench.prompts[0])] == [line for line in text.splitlines() if line]
    assert_covered(text, output)
    assert text[slice(*output.clusters[1].spans[0])] == "## China\nChina announced Tianyan."
    assert bench.notes == []


def test_turns_are_units_of_a_dialogue() -> None:
    bench = Bench([answer(topic("The train", (0, 1)), topic("The maps", (2, 3)))])
    output = bench.engine.classification.run(ClassificationInput(text=DIALOGUE, dialogue=True))
    assert_covered(DIALOGUE, output)
    assert [text for _, text in units_in(bench.prompts[0])] == DIALOGUE.splitlines()
    assert "turns of a conversation" in bench.chat.requests[0].messages[0].content


def test_a_missing_topic_line_or_keywords_are_taken_from_the_text() -> None:
    bench = Bench([answer({"topic": "", "keywords": [], "ranges": [{"first": 0, "last": 4}]})])
    (cluster,) = bench.engine.classification.run(ClassificationInput(text=ENGLISH)).clusters
    assert "Quantum chips in 2023" in cluster.context
    assert cluster.keywords
    assert all(word.casefold() in ENGLISH.casefold() for word in cluster.keywords)


def test_sloppy_answers_are_read() -> None:
    sloppy = [
        {"topic": "甲", "keywords": "芯片，量子比特", "ranges": {"first": "[0]", "last": "2"}},
        {"topic": "乙", "keywords": None, "ranges": [{"first": 3, "last": 4}]},
    ]
    output = Bench([sloppy]).engine.classification.run(ClassificationInput(text=ENGLISH, lang="zh"))
    assert_covered(ENGLISH, output)
    assert output.clusters[0].keywords == ("芯片", "量子比特")
    assert len(output.clusters) == 2


def test_an_empty_text_needs_no_call() -> None:
    bench = Bench([answer()])
    for text in ("", " \n\n\t"):
        assert_covered(text, bench.engine.classification.run(ClassificationInput(text=text)))
    assert bench.chat.requests == []


def test_a_context_too_small_for_any_content_is_refused_with_the_remedy() -> None:
    with pytest.raises(AgentError, match="larger context"):
        Bench([answer()], context=256).engine.classification.run(ClassificationInput(text=ENGLISH))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_long_text_is_asked_in_runs_that_fit(lang: str) -> None:
    sentence = "The station at kilometre {n} has {n} lamps. " if lang == "en" else "第{n}公里处的车站有{n}盏灯。"
    text = "".join(sentence.format(n=n) + ("\n\n" if n % 7 == 0 else "") for n in range(700))
    bench = Bench(lambda request: answer(topic(f"part {len(bench.chat.requests)}", (0, 10_000))), context=3_000)
    output = bench.engine.classification.run(ClassificationInput(text=text, lang="zh" if lang == "zh" else "en"))
    assert_covered(text, output)
    assert len(bench.prompts) == len(output.clusters) > 3
    assert max(bench.sizes()) <= 3_000
    shown = "".join(text for prompt in bench.prompts for _, text in units_in(prompt))
    assert "".join(shown.split()) == "".join(text.split())


@pytest.mark.parametrize("sentence", ["The station at kilometre {n} has {n} lamps. ", "第{n}公里处的车站有{n}盏灯。"])
def test_the_sentences_of_a_long_text_are_numbered_a_few_at_a_time(sentence: str) -> None:
    """A long text is one of many tokens: Chinese takes fewer characters for as much."""
    short = "".join(sentence.format(n=n) for n in range(20))
    long = "".join(sentence.format(n=n) for n in range(300))
    bench = Bench([answer(topic("lamps", (0, 1_000)))])
    for text in (short, long):
        bench.engine.classification.run(ClassificationInput(text=text))
    few, many = (units_in(prompt) for prompt in bench.prompts)
    assert len(few) == 20
    assert len(many) < 100
    assert max(count_tokens(unit) for _, unit in many) <= LEAST_UNIT


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(alphabet="ab。. \n\t|#-[]0：:?", max_size=400),
    ranges=st.lists(st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60)), max_size=4), min_size=1, max_size=5),
    dialogue=st.booleans(),
    context=st.sampled_from([None, 2_100]),
)
def test_nothing_is_lost_whatever_is_answered(
    text: str, ranges: list[list[tuple[int, int]]], dialogue: bool, context: int | None
) -> None:
    bench = Bench([answer(*(topic(f"t{n}", *one) for n, one in enumerate(ranges)))], context=context)
    output = bench.engine.classification.run(ClassificationInput(text=text, dialogue=dialogue))
    assert_covered(text, output)


TIDE, CLEAR = "It turns with the tide, both ways, on all days of a year. ", "They keep clear of it by day. "
ARRAY = f"The array has 18 MW. It first exported on 14 March 2023. {TIDE * 10}"
SEALS = f"The colony numbered 412 seals in August 2022. No seal was hurt in 11,400 hours. {CLEAR * 18}"
SUMMARY = "412 seals in August 2022; none hurt in 11,400 hours."
TWO = f"{ARRAY}\n\n{SEALS}"


def summarised(name: str, summary: str, *ranges: tuple[int, int]) -> dict[str, object]:
    return topic(name, *ranges) | {"summary": summary}


def test_a_short_text_is_classified_and_summarised_in_one_call() -> None:
    array = "The array has 18 MW since 2023-03-14."
    bench = Bench([answer(summarised("The array", array, (0, 11)), summarised("The seals", SUMMARY, (12, 31)))])
    output = bench.engine.classification.run(ClassificationInput(text=TWO))
    assert [cluster.summary for cluster in output.clusters] == [array, SUMMARY]
    assert len(bench.prompts) == 1
    assert bench.notes == []


@pytest.mark.parametrize(("seals", "calls"), [(SEALS, 1), (SEALS + CLEAR * 25, 2)])
def test_a_summary_of_the_one_call_is_audited_and_asked_for_again_where_its_text_is_not_short(
    seals: str, calls: int
) -> None:
    wrong = SUMMARY.replace("412", "421")
    first = answer(summarised("The array", "", (0, 11)), summarised("The seals", wrong, (12, 99)))
    bench = Bench([first, {"summary": SUMMARY}])
    output = bench.engine.classification.run(ClassificationInput(text=f"{ARRAY}\n\n{seals}"))
    assert [cluster.summary for cluster in output.clusters] == ["", SUMMARY if calls == 2 else seals.strip()]
    assert [request.schema_name for request in bench.chat.requests] == ["classification", "structure"][:calls]
    assert all(f"- 421, in: {wrong}" in prompt for prompt in bench.prompts[1:])
    told = "structure: asked again for 1 figures" if calls == 2 else "structure: 1 figures were unknown or lost"
    assert [note[: len(told)] for note in bench.notes if note.startswith("structure")] == [told]


@pytest.mark.parametrize(
    ("text", "max_tokens"),
    [
        ("The array has 18 MW. " * 10, 4096),
        (TWO * 16, 4096),
        (f"{TWO}\n\n| year | seals |\n|---|---|\n| 2022 | 412 |\n", 4096),
        (TWO, 1_000),
    ],
    ids=["stays whole", "long", "with a table", "small answers"],
)
def test_other_texts_are_only_classified(text: str, max_tokens: int) -> None:
    bench = Bench([answer(summarised("All", "A summary that nobody asked for.", (0, 10_000)))], max_tokens=max_tokens)
    bench.engine.classification.run(ClassificationInput(text=text))
    request = bench.chat.requests[0]
    assert "summary" not in str(request.schema)
    assert "summary" not in request.messages[0].content


def test_a_short_topic_of_a_short_text_stays_whole() -> None:
    bench = Bench([answer(summarised("All but one", "18 MW.", (1, 31)), summarised("One", "18 MW.", (0, 0)))])
    output = bench.engine.classification.run(ClassificationInput(text=TWO))
    assert [cluster.summary for cluster in output.clusters] == ["The array has 18 MW.", "18 MW."]


def test_several_texts_are_filed_in_one_call_and_none_of_their_topics_joins_two_of_them() -> None:
    texts = [TextToFile(text=text, source=name) for text, name in ((SEALS, "seals.md"), (" ", ""), ("A note.", "b.md"))]
    array = summarised("Array and note", "18 MW.", (0, 11), (32, 32))
    bench = Bench([answer(array, summarised("Seals", SUMMARY, (12, 31)))])
    request = ClassificationInput(text=ARRAY, source="array.md", further=tuple(texts))
    clusters = bench.engine.classification.run(request).clusters
    assert [(cluster.number, cluster.summary) for cluster in clusters] == [*enumerate(["", SUMMARY, "", "A note."])]
    for number, text in enumerate(request.texts):
        output = ClassificationOutput(should_cluster=False, clusters=[one for one in clusters if one.number == number])
        assert_covered(text.text, output)
    (prompt,) = bench.prompts
    assert all(f"Document: {name}\n[" in prompt for name in ("array.md", "seals.md", "b.md"))
