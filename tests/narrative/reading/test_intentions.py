"""No intention is told as a fact: plans, orders, promises, wishes and purposes, beside near ones that did happen."""

from __future__ import annotations

import time

import pytest

from memorybank.memory.types import Lang
from memorybank.narrative.reading.modality import Modality
from memorybank.narrative.reading.narration import read
from tests.narrative.reading.intentions_read import judged, kept, taken_as_happened


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_few_intentions_are_told_as_happened_and_few_deeds_as_intended(lang: Lang) -> None:
    """No rule was changed for these tables."""
    table = judged(lang)
    intended = [one for one in table if one.label is Modality.INTENDED]
    assert len(list(taken_as_happened(table))) <= 0.2 * len(intended)
    assert kept(table) >= 0.9, [one.sentence for one in table if one.label is not one.found]


# -- how far an intention reaches -------------------------------------------------------------------------------------


def told(text: str, lang: Lang) -> list[str]:
    return [str(one.modality) for one in read(text, lang).clauses]


def at(text: str, words: str, lang: Lang) -> Modality:
    story = read(text, lang)
    place = text.index(words)
    one = next(one for one in story.clauses if one.clause.start <= place < one.clause.end)
    return one.modality_at(place - one.clause.start)


def test_of_two_orders_the_one_not_carried_out_counts() -> None:
    text = "皇上请他坐了即命众官去搜城。"
    assert at(text, "搜城", "zh") is Modality.INTENDED


def test_a_plan_that_is_a_noun_is_a_thing() -> None:
    assert told("他把计划书烧了。", "zh") == ["happened"]
    assert told("计划泄露了。", "zh") == ["happened"]
    assert told("计划明日下山。", "zh") == ["intended"]
    assert told("Her orders had come from the duke.", "en") == ["happened"]


def test_what_moves_people_is_no_order() -> None:
    assert told("那歌声令人心酸。", "zh") == ["happened"]
    assert told("他令人开门。", "zh") == ["intended"]


def test_an_english_infinitive_says_what_for_and_its_clause_what_was_done() -> None:
    text = "He rode north to kill the duke."
    assert at(text, "rode", "en") is Modality.HAPPENED
    assert at(text, "kill", "en") is Modality.INTENDED
    assert told(text, "en") == ["happened"]
    for no_verb in ("He gave the ring to the duke.", "He went to bed and slept.", "He went to York and slept."):
        assert at(no_verb, no_verb.split()[-2], "en") is Modality.HAPPENED, no_verb


def test_a_straight_mark_that_a_curved_one_closes_opens_speech() -> None:
    text = '岫烟见了问好，说是"近来园内人少，一个人难出来．今儿幸会。”妙玉点头。'
    assert [one.clause.spoken for one in read(text, "zh").clauses] == [False, False, True, True, True, False]


def test_the_time_is_linear_in_a_clause_without_marks() -> None:
    units: dict[Lang, tuple[str, ...]] = {
        "zh": ("命了", "等一", "人叫他", "约他", "说", "令人", "原", "择", "打量"),
        "en": (
            "managed to go ",
            "for a to be ",
            "who to find him found ",
            "ordered that ",
            "so she ",
            "asked for a b ",
        ),
    }
    for lang, several in units.items():
        for unit in several:
            began = time.perf_counter()
            read(unit * 8_000, lang)
            assert time.perf_counter() - began < 10, unit
