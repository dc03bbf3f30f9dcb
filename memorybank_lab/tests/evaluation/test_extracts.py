from __future__ import annotations

from memorybank_lab.evaluation.extracts import at_random, lead, most_facts
from memorybank_lab.evaluation.summaries import digits
from memorybank_lab.evaluation.verbatim import not_verbatim
from memorybank_lab.tests.evaluation.test_summaries import LONG


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
