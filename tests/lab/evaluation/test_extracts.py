from __future__ import annotations

from memorybank.lab.evaluation.extracts import at_random, lead, most_facts
from memorybank.lab.evaluation.summaries import digits
from memorybank.lab.evaluation.verbatim import not_verbatim

LONG = (
    "The Øresund Bridge joins Copenhagen and Malmö. Many people had dreamt of such a link for a very long time indeed. "
    "Construction began in 1995 and the bridge opened on 1 July 2000. There was much joy and there were many speeches "
    "on that fine and sunny day. The bridge is 7,845 metres long and carries a motorway and a railway. It cost 2.6 "
    "billion euros, paid by tolls. Drivers sometimes complain about the wind, as drivers on bridges do everywhere. "
    "People who live nearby like to look at it in the evening light, when the water is still and the birds come home. "
    "In 2023 about 20,000 vehicles crossed it every day."
)


def test_extracts_are_as_long_as_asked_for_and_of_whole_sentences() -> None:
    for extract in (lead(LONG, 300), at_random(LONG, 300)):
        assert abs(len(extract) - 300) < 120
        assert not_verbatim(extract, LONG) == []
    assert LONG.startswith(lead(LONG, 300).split("\n")[0])
    assert at_random(LONG, 300) == at_random(LONG, 300)


def test_the_ceiling_takes_what_says_most_and_keeps_to_the_length() -> None:
    source = "It opened in 1995 and again in 2000. It rained. It cost much in 1995. In 2023 came 7845 of 20000."
    best = most_facts(source, 80, digits, digits)
    assert best == "It opened in 1995 and again in 2000.\nIn 2023 came 7845 of 20000."
    assert most_facts(source, 40, digits, digits) == "In 2023 came 7845 of 20000."
    assert most_facts(source, 10, digits, digits) == ""
    assert most_facts("Nothing here. Nor there.", 100, digits, digits) == ""
