"""What two texts say that cannot both hold, read by the real parsers: rows of pairs, and what each reader gives."""

from __future__ import annotations

import pytest

from memorybank.contradiction.differences import Difference, differences
from memorybank.contradiction.reading import ReadText, read
from memorybank.contradiction.same_value import same_value
from memorybank.embedding.parsers import Parsers
from memorybank.engines.offline.ruling import Hearing
from memorybank.language.parse import Parsed
from memorybank.memory.types import Claim, ClaimKind
from tests.tables import tables

TABLES = tables(__file__)

PARSERS = Parsers()


def raised(left: str, right: str, topics: tuple[str, str] = ("", "")) -> tuple[Difference, ...]:
    return differences(reading(left, topics[0]), reading(right, topics[1]))


def reading(text: str, topic: str = "") -> ReadText:
    return read(text, PARSERS.parse, topic)


@pytest.mark.parametrize(("kind", "left", "right"), TABLES["found"], ids=lambda part: part[:30])
def test_another_value_of_the_same_thing_is_found_either_way_round(kind: str, left: str, right: str) -> None:
    (difference,) = raised(left, right)
    assert difference.left.kind == kind
    assert difference.left.value in left
    assert [item.left.value for item in raised(right, left)] == [difference.right.value]


@pytest.mark.parametrize(("why", "left", "right"), TABLES["fine"], ids=lambda part: part[:30])
def test_what_may_hold_together_is_left_alone(why: str, left: str, right: str) -> None:
    assert not raised(left, right), why
    assert not raised(right, left), why


def test_a_pronoun_and_an_unnamed_thing_mean_what_their_own_text_speaks_of() -> None:
    assert raised("The castle of Brenn is old. It has 4 towers.", "The castle of Brenn has 6 towers.")
    assert not raised("The castle of Brenn is old. It has 4 towers.", "The abbey of Brenn is old. It has 2 towers.")
    assert raised("Tarrow Bridge is old. The bridge has 12 arches.", "Tarrow Bridge has 14 arches.")
    plain = "Willow is a quantum processor. It has 105 qubits."  # the parser takes no name of it here
    assert raised(plain, "Google's quantum processor Willow was shown in 2024. Willow has 98 qubits.")
    unnamed = "The city has 4,000 inhabitants.", "The city has 5,000 inhabitants."
    assert raised(*unnamed)
    assert not raised(*unnamed, topics=("Wadi", "Olden"))


def test_a_near_copy_differs_in_one_name_or_number_that_is_no_subject() -> None:
    old = "In the winter of that year the council of Elbrook let the old mill to the miller Karl Berg for a small rent."
    (difference,) = raised(old, old.replace("Karl Berg", "Ida Holm"))
    assert (difference.found_by, difference.left.value, difference.right.value) == ("copies", "Karl Berg", "Ida Holm")
    assert not raised(old, old.replace("Karl Berg", "Ida Holm").replace("Elbrook", "Harnby"))
    named = "Anna Holt of Marsk, who never learnt to swim, crossed the wide sound in a small boat at night."
    assert not raised(named, named.replace("Holt", "Berg"))


def test_a_template_for_two_things_is_no_near_copy() -> None:
    sheet = "This sheet was written for all of the many visitors of Marrow Bridge."
    assert not raised(sheet, sheet.replace("Marrow", "Teal"), topics=("Marrow Bridge", "A Bridge and its People"))
    template = "广汀投资把大部分资金押在了{0}电芯厂上。{0}电芯厂的邻居起初抱怨货车太多。"
    assert not raised(template.format("丰泽"), template.format("沙洲"))


@pytest.mark.parametrize(("stated", "correction", "values"), TABLES["a_correction_supersedes"])
def test_a_correction_supersedes(stated: str, correction: str, values: tuple[str, str]) -> None:
    (difference,) = raised(stated, correction)
    assert (difference.found_by, difference.newer) == ("corrections", "right")
    assert (difference.left.value, difference.right.value) == tuple(values)


@pytest.mark.parametrize(
    "line",
    ["Emi ({}): I have 16 hens.\n", "{} - Emi: I have 16 hens.\n", "Emi（{}）：I have 16 hens.\n"],
    ids=["ours", "a phone's", "full width"],
)
@pytest.mark.parametrize("written", ["2023-12-30T00:34:16", "30.12.2023, 00:34", "30/12/2023, 12:34 am"])
def test_the_head_of_a_turn_is_no_sentence_and_a_later_turn_is_an_update(line: str, written: str) -> None:
    said = reading(line.format(written))
    assert [(item.speaker, item.parsed.text) for item in said.said] == [("Emi", "I have 16 hens.")]
    assert {item.claim.subject for item in said.statements} == {"Emi"}
    later = reading(line.format(written.replace("30", "31")).replace("16 hens", "20 hens"))
    assert [item.update for item in differences(said, later)] == [True]


@pytest.mark.parametrize("day", ["yesterday", "today", "last Friday", "two weeks ago"])
def test_what_is_told_from_the_day_on_which_it_is_said_is_no_claim(day: str) -> None:
    said = reading(
        f"Odile (2024-03-12 09:15): I met 4 friends {day}.\n奥黛尔（2024-03-12 09:16）：昨天我见了4个朋友。\n"
    )
    assert len(said.said) == 2
    assert not said.statements
    assert reading("Today the museum has 12 rooms.").statements, "a document's today is its present"


def test_what_is_said_of_the_speaker_is_another_thing_for_another_speaker() -> None:
    first = reading("阿青 2024-01-03 08:02:23\n票花了我44元。\n")
    assert [(item.speaker, item.moment) for item in first.said] == [("阿青", "2024-01-03 08:02:23")]
    other, again = (reading(f"{who}（2024-01-09T08:02:23）：票花了我18元。\n") for who in ("小林", "阿青"))
    assert not differences(first, other)
    assert [item.update for item in differences(first, again)] == [True]


@pytest.mark.parametrize(("left", "right", "said"), TABLES["a_passage_is_heard_on_what_it_states_of_the_same_thing"])
def test_a_passage_is_heard_on_what_it_states_of_the_same_thing(left: str, right: str, said: dict[str, str]) -> None:
    hearing = Hearing(raised(left, right)[0].contradiction(), PARSERS.parse)
    assert {text: hearing.stance(text).supports for text in said} == said


def test_a_sentence_that_tells_both_values_apart_explains_them() -> None:
    hearing = Hearing(raised("Osprey has 433 qubits.", "Osprey has 412 qubits.")[0].contradiction(), PARSERS.parse)
    told = "Osprey started with 412 qubits; since the upgrade of 2023 it works with 433 qubits."
    assert hearing.explains_both(told) == told
    assert not hearing.explains_both("Some say that Osprey has 412 qubits since 2023, others say 433 qubits.")
    assert not hearing.explains_both("Merlin started with 412 qubits; since 2023 it works with 433 qubits.")


def test_without_parsers_nothing_is_stated() -> None:
    blind = read("The bridge has 12 arches.", lambda texts: [Parsed(text, "en") for text in texts])
    assert blind.said
    assert not blind.statements


# -- Values are compared as values, however they are written; a number before a unit is no year ------------------------


def stated(value: str, kind: ClaimKind = "number") -> Claim:
    return Claim(text=value, kind=kind, subject="mill", attribute="", value=value)


@pytest.mark.parametrize(
    ("left", "right", "is_one"), TABLES["a_number_with_a_unit_is_a_size_and_one_without_may_be_a_year"]
)
def test_a_number_with_a_unit_is_a_size_and_one_without_may_be_a_year(left: str, right: str, is_one: bool) -> None:
    for kind in ("number", "name"):  # the second: a value of an answer, of which no kind is known
        assert same_value(stated(left, kind), stated(right, kind)) is is_one


@pytest.mark.parametrize("denied", ["not designed to be serviced by astronauts", "无法由航天员维修"])
def test_what_is_denied_is_another_value_than_what_is_not(denied: str) -> None:
    plain = denied.removeprefix("not ").replace("无法", "")
    assert not same_value(stated(denied, "name"), stated(plain, "name"))
