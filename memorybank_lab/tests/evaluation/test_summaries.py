from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.structure import summarise
from memorybank_lab.evaluation import summaries
from memorybank_lab.evaluation.data import SETS, Text
from memorybank_lab.evaluation.summaries import SummaryTopic, facts, lead, stated
from memorybank_lab.evaluation.verbatim import not_verbatim

LONG = (
    "The Øresund Bridge joins Copenhagen and Malmö. Many people had dreamt of such a link for a very long time indeed. "
    "Construction began in 1995 and the bridge opened on 1 July 2000. There was much joy and there were many speeches "
    "on that fine and sunny day. The bridge is 7,845 metres long and carries a motorway and a railway. It cost 2.6 "
    "billion euros, paid by tolls. Drivers sometimes complain about the wind, as drivers on bridges do everywhere. "
    "People who live nearby like to look at it in the evening light, when the water is still and the birds come home. "
    "In 2023 about 20,000 vehicles crossed it every day."
)


def topic(source: str, summary: str = "") -> SummaryTopic:
    return SummaryTopic(name="a text", source=source, summary=summary or summarise(source))


def test_topics_and_summaries_are_those_of_a_session() -> None:
    found = summaries.topics([Text(name="bridge.md", text=LONG)], HashedNgrams())
    assert sum(len(one.source) for one in found) == len(LONG)
    assert [one.summary for one in found] == [summarise(one.source) for one in found]
    several = summaries.topics([Text(name="a.md", text=LONG), Text(name="b.md", text="One line only.")], HashedNgrams())
    assert {one.name for one in several} == {"a.md", "b.md"}


def test_facts_are_counted_once_and_folded() -> None:
    assert {"1121", "ibm"} <= facts("The chip of IBM has 1,121 qubits, IBM said.")
    assert "weather" not in facts("Weather was fine. It rained later.")
    assert "weather" in stated("Weather was fine.")
    pairs = [("It has 1,121 qubits and 12 cores.", "It has 1121 qubits."), ("Nothing here.", "Nothing.")]
    assert summaries.kept_shares(pairs) == [0.5]


def test_a_lead_is_of_whole_sentences_and_as_long_as_asked_for() -> None:
    assert abs(len(lead(LONG, 300)) - 300) < 120
    assert not_verbatim(lead(LONG, 300), LONG) == []
    assert LONG.startswith(lead(LONG, 300).split("\n")[0])


def test_every_measure_has_its_control() -> None:
    scores = {(one.measure, one.system): one for one in summaries.judged("set", [topic(LONG)])}
    near = {one.system: one.value for one in summaries.similarities("set", [topic(LONG)], HashedNgrams())}
    assert scores["length over the source's", "engine"].goal == 0.5
    assert scores["length over the source's", "engine"].holds
    assert scores["summaries word for word", "engine"].value == 1.0
    kept = "numbers, dates and names kept"
    assert scores[kept, "engine"].value > scores[kept, "lead of equal length"].value
    assert set(near) == set(summaries.SYSTEMS)
    assert all(0 < value <= 1 for value in near.values())
    assert summaries.judged("set", []) == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_demo_material_keeps_its_facts(lang: str) -> None:
    texts = [text for text in SETS[f"demo {lang}"](Path()) if text.name.endswith(".md")][:6]
    for found in summaries.topics(texts, HashedNgrams()):
        assert not_verbatim(found.summary, found.source) == []
        assert len(found.summary) <= len(found.source)
