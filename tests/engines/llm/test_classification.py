from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.errors import AgentError
from memorybank.memory.contracts import ClassificationInput, ClassificationOutput
from tests.engines.llm.scripted import Bench, units_in

ENGLISH = (
    "# Quantum chips in 2023\n\nIBM showed Condor in December 2023. It has 1,121 qubits.\n\n"
    "China announced Tianyan-504. It has 504 qubits.\n\nIBM later said that Condor was a test of scale."
)
DIALOGUE = "Ann: When does the train leave?\nBen: At 9:40.\nAnn: And who brings the maps?\nBen: I do.\n"


def topic(name: str, *ranges: tuple[int, int], keywords: tuple[str, ...] = ("chip",)) -> dict[str, object]:
    return {
        "topic": name,
        "keywords": list(keywords),
        "ranges": [{"first": first, "last": last} for first, last in ranges],
    }


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
    bench = Bench([answer(topic("IBM's Condor", (0, 1), (4, 4)), topic("China's Tianyan-504", (2, 3)))])
    output = bench.engine.classification.run(ClassificationInput(text=ENGLISH, task_goal="Compare quantum chips"))
    assert_covered(ENGLISH, output)
    condor, tianyan = output.clusters
    assert [ENGLISH[start:end].strip() for start, end in tianyan.spans] == [
        "China announced Tianyan-504. It has 504 qubits."
    ]
    assert len(condor.spans) == 2
    assert ENGLISH[slice(*condor.spans[1])] == "IBM later said that Condor was a test of scale."
    assert condor.context == "IBM's Condor"
    assert bench.notes == []
    (prompt,) = bench.prompts
    assert "Compare quantum chips" in prompt
    assert [number for number, _ in units_in(prompt)] == [0, 1, 2, 3, 4]
    request = bench.chat.requests[0]
    assert request.schema_name == "classification"
    assert request.temperature == 0.4
    assert request.schema is not None


@pytest.mark.parametrize(
    ("topics", "owners", "told"),
    [
        pytest.param([topic("A", (0, 1))], ["A"], "3 units were in no topic", id="units left out"),
        pytest.param([topic("A", (2, 2)), topic("B", (4, 4))], ["A", "B"], "no topic", id="the first ones left out"),
        pytest.param([topic("A", (0, 3)), topic("B", (2, 4))], ["A", "B"], "2 units were in two", id="overlap"),
        pytest.param([topic("A", (4, 0))], ["A"], None, id="a range turned round"),
        pytest.param([topic("A", (-3, 99))], ["A"], "units that are not there", id="a range beyond the text"),
        pytest.param([topic("A", (70, 80)), topic("B")], ["A"], "5 units were in no topic", id="nothing usable"),
        pytest.param([topic("A", (0, 4)), topic("B", (0, 4))], ["A"], "two topics", id="the same twice"),
    ],
)
def test_any_ranges_cover_the_text_once(topics: list[dict[str, object]], owners: list[str], told: str | None) -> None:
    bench = Bench([answer(*topics)])
    output = bench.engine.classification.run(ClassificationInput(text=ENGLISH))
    assert_covered(ENGLISH, output)
    assert [cluster.context for cluster in output.clusters] == owners
    assert any(told in note for note in bench.notes) if told else not bench.notes


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


def test_no_topics_at_all_is_no_answer() -> None:
    with pytest.raises(AgentError):
        Bench([answer()]).engine.classification.run(ClassificationInput(text=ENGLISH))


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
