"""Texts into claims: subject, attribute, value, unit, time, polarity; and what "it" stands for."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.contradiction import extract
from memorybank.memory.types import Claim

EN = (
    "The Osprey is a quantum processor built by Varley Labs in Dresden. It holds 433 superconducting qubits and is cooled "
    "to 15 mK. The chip was announced on 9 November 2022. Its designer is Ruth Adler. It does not need a helium supply."
)
ZH = (
    "青鸾是瓦利实验室研制的量子处理器。它搭载433个超导量子比特，工作温度约为15毫开。该芯片于2022年11月9日发布，"
    "总设计师是陆文澜。它不需要补充液氦。"
)


def of_kind(claims: tuple[Claim, ...], kind: str) -> list[Claim]:
    return [claim for claim in claims if claim.kind == kind]


def test_english_claims_of_one_text() -> None:
    claims = extract(EN)
    numbers, dates = of_kind(claims, "number"), of_kind(claims, "date")
    assert [(claim.value, claim.unit) for claim in numbers] == [("433", "qubits"), ("15 mK", "mK")]
    assert all("osprey" in claim.subject.lower() for claim in numbers)
    assert numbers[0].attribute == "qubits"
    assert [claim.value for claim in dates] == ["9 November 2022"]
    assert {claim.value for claim in of_kind(claims, "name")} >= {"Varley Labs", "Ruth Adler"}
    assert "Dresden" in [claim.value for claim in of_kind(claims, "place")]
    (denial,) = of_kind(claims, "negation")
    assert not denial.polarity
    assert "helium" in denial.text


def test_chinese_claims_of_one_text() -> None:
    claims = extract(ZH)
    numbers = of_kind(claims, "number")
    assert [claim.value for claim in numbers] == ["433", "15毫开"]
    assert "量子比特" in numbers[0].unit
    assert all("青鸾" in claim.subject for claim in numbers)
    assert [claim.value for claim in of_kind(claims, "date")] == ["2022年11月9日"]
    assert {claim.value for claim in of_kind(claims, "name")} >= {"陆文澜"}
    assert any("液氦" in claim.text for claim in of_kind(claims, "negation"))


def test_a_time_beside_a_state_is_no_date_claim() -> None:
    (claim,) = of_kind(extract("In 2019 the Harlow clinic had 214 nurses."), "number")
    assert (claim.value, claim.time) == ("214", "2019")
    assert not of_kind(extract("In 2019 the Harlow clinic had 214 nurses."), "date")


def test_versions_and_years_are_no_counts() -> None:
    claims = extract("Falcon 9 flew in 2010. Phase 2 began in May 2011. Windows 10 was released in 2015.")
    assert not of_kind(claims, "number")
    assert [claim.value for claim in of_kind(claims, "date")] == ["2010", "May 2011", "2015"]


def test_values_are_verbatim() -> None:
    for text in (EN, ZH):
        for claim in extract(text):
            assert claim.text in text
            assert claim.value in claim.text


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_verbatim_claims(text: str) -> None:
    for claim in extract(text):
        assert claim.text in text
        assert claim.value in claim.text
    assert extract(text) == extract(text)
