"""What is disputed is named in the words of its claims, whoever took them apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorybank.contradiction.reading import read
from memorybank.embedding.hashed import HashedNgrams
from memorybank.language.text import detect_lang
from memorybank.memory.types import Claim, ClaimKind, Lang
from memorybank.prompts.claim_words import alternatives, listed, matter, opened, quoted, shown


def claims(kind: ClaimKind, *texts: str, polarity: bool = True) -> list[Claim]:
    return [Claim(text=text, kind=kind, subject="", attribute="", value=text, polarity=polarity) for text in texts]


@pytest.mark.parametrize(
    ("subject", "attribute", "lang", "name"),
    [
        ("The Tarrow Bridge", "is … long", None, "The Tarrow Bridge is … long"),
        ("The Tarrow Bridge", "was opened in …", None, "The Tarrow Bridge was opened in"),
        ("The …-qubit Willow chip", "was built", None, "The …-qubit Willow chip was built"),
        ("青岚大桥", "由…设计", None, "青岚大桥由……设计"),
        ("青岚塔", "建于…", "en", "青岚塔建于"),
        ("全长", "…", None, "全长"),
        ("Tarrow Bridge", "length", None, "Tarrow Bridge, length"),
        ("Tarrow Bridge", "length", "zh", "Tarrow Bridge的length"),
        ("青岚塔", "长度", None, "青岚塔的长度"),
        ("青岚塔", "长度", "en", "青岚塔, 长度"),
        ("“九章”", "探测到的光子数", None, "“九章”探测到的光子数"),
        ("News of the Willow chip, by H. Neven", "number of qubits of Willow", None, "number of qubits of Willow"),
        ("“九章”的展板文字：探测到76个光子", "“九章”的发布时间", None, "“九章”的发布时间"),
        ("The height of the tower", "height", None, "The height of the tower"),
        ("展板：说明", "质量", None, "“展板：说明”的质量"),
        ("Hubble", "", None, "Hubble"),
        ("", "capital", None, "capital"),
    ],
)
def test_a_matter_is_named_in_the_words_of_its_claims(subject: str, attribute: str, lang: Lang, name: str) -> None:
    assert matter(subject, attribute, [], lang) == name


def test_statements_that_deny_each_other_are_named_by_their_attribute_or_subject() -> None:
    no = claims("negation", "The telescope was not built for repairs.", polarity=False)
    parsed = [replace(claim, value="") for claim in no]
    assert matter("The telescope", "build", no) == "The telescope, build"
    assert matter("The telescope", "was not built for repairs", parsed) == "The telescope"


def test_values_stand_behind_each_other_and_a_line_opens_with_a_capital() -> None:
    assert alternatives(("1", "2", "3"), "en") == "1, 2 or 3"
    assert alternatives(("甲", "乙", "丙"), "zh") == "甲、乙，或丙"
    assert listed(("a", "b"), "", "en") == "a or b"
    assert listed(("甲", "乙"), "首都", "zh") == "首都：甲，或乙"
    assert listed((quoted("it “is”"), "b"), "a mill", "en") == "A mill: “it ‘is’” or b"
    assert [opened(words) for words in ("the mill", "iPhone", "pH of it", "n2")] == [
        "The mill",
        "iPhone",
        "pH of it",
        "n2",
    ]


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("The Tarrow Bridge is 412 metres long.", "389 m", "The Tarrow Bridge is … long: 412 metres or 389 m"),
        ("In 2019 the museum had 30,000 visitors.", "3,000", "The museum had … visitors in 2019: 30,000 or 3,000"),
        ("On 12 May 1921 the mill was opened.", "1927", "The mill was opened on: 12 May 1921 or 1927"),
        ("The bridge was designed by Ida Bry.", "Karl Holm", "The bridge was designed by: Ida Bry or Karl Holm"),
        ("With its 98 qubits, the chip looks modest.", "105", "The chip looks modest with its … qubits: 98 or 105"),
        ("The castle has 4 towers and a moat.", "5", "The castle has … towers and a moat: 4 or 5"),
        ("青岚塔高412米。", "389米", "青岚塔高：412米，或389米"),
        ("青岚塔于2020年12月开放。", "2020年8月", "青岚塔于……开放：2020年12月，或2020年8月"),
        ("青岚大桥由李明设计。", "王强", "青岚大桥由……设计：李明，或王强"),
    ],
)  # fmt: skip
def test_a_parsed_claim_is_told_as_its_clause_with_a_gap_for_the_value(text: str, value: str, told: str) -> None:
    stated = [statement.claim for statement in read(text, HashedNgrams().parse).statements]
    (claim,) = (each for each in stated if each.kind in ("date", "name", "number") and each.value not in each.subject)
    about = matter(claim.subject, claim.attribute, [claim])
    assert listed([claim.value, value], about, detect_lang(text)) == told


@pytest.mark.parametrize(
    ("value", "unit", "text", "words"),
    [
        ("105", "qubits", "Willow has 105 superconducting qubits.", "105 superconducting qubits"),
        ("76", "光子", "“九章”探测到76个光子。", "76个光子"),
        ("2.5吨", "吨", "慧眼卫星的质量为2.5吨。", "2.5吨"),
        ("500 kg", "kilogram", "The bell weighs 500 kg.", "500 kg"),
        ("", "", "The mill  is closed.", "The mill is closed"),
    ],
)
def test_a_value_is_shown_as_the_text_writes_it_with_its_unit_once(
    value: str, unit: str, text: str, words: str
) -> None:
    assert shown(Claim(text=text, kind="number", subject="", attribute="", value=value, unit=unit)) == words
