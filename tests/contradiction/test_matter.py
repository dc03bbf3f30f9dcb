"""What is disputed is named as a person would name it, whoever took the claims apart."""

from __future__ import annotations

import pytest

from memorybank.contradiction import contradictions
from memorybank.contradiction.matter import alternatives, foreign_matter, listed, matter, opened, quoted
from memorybank.memory.types import Claim, ClaimKind, Lang


def claims(kind: ClaimKind, *texts: str, polarity: bool = True) -> list[Claim]:
    return [Claim(text=text, kind=kind, subject="", attribute="", value=text, polarity=polarity) for text in texts]


@pytest.mark.parametrize(
    ("subject", "attribute", "kind", "text", "name"),
    [
        ("Willow", "announced", "date", "Google announced Willow in 2024.", "when Willow was announced"),
        ("The twins", "Launched", "date", "The twins were launched in 1977.", "when the twins were launched"),
        ("Ada Bry", "died", "date", "Ada Bry died in 1852.", "when Ada Bry died"),
        ("Webb telescope", "launched", "place", "The Webb telescope left.", "where the Webb telescope was launched"),
        ("the bridge", "designed", "name", "It was designed by Ida Bry.", "by whom the bridge was designed"),
        ("The bell", "weighs", "number", "The bell weighs 500 kg.", "the weight of the bell"),
        ("the tunnel", "long", "number", "The tunnel is 4 km long.", "the length of the tunnel"),
        ("The height of the tower", "height", "number", "", "the height of the tower"),
        ("Willow", "qubits", "number", "Willow qubits: 105", "the number of qubits of Willow"),
        ("Alien", "director", "name", "Alien, director: Scott.", "the director of Alien"),
        ("its Willow chip", "date (announce)", "date", "", "the date of its Willow chip"),
        ("the probe", "ISO grade", "text", "", "the probe"),
        ("News of the Willow chip, by H. Neven", "number of qubits of Willow", "number", "", None),
        ("Hubble", "", "number", "", "Hubble"),
        ("", "capital", "name", "", "capital"),
        ("FAST工程的首席科学家", "首席科学家", "name", "", "FAST工程的首席科学家"),
        ("“九章”", "发布", "date", "", "“九章”何时发布"),
        ("爱因斯坦探针", "发射", "place", "", "爱因斯坦探针在何处发射"),
        ("导游说白鹿书院", "建于", "date", "", "白鹿书院建于"),
        ("慧眼卫星", "质量", "number", "", "慧眼卫星的质量"),
        ("“九章”的展板文字：探测到76个光子", "“九章”的发布时间", "date", "", "“九章”的发布时间"),
        ("展板：说明", "质量", "number", "", "“展板：说明”的质量"),
        ("A blog on the wheel", "where the wheel came from", "name", "", "where the wheel came from"),
        ("A blog on the wheel", "by whom the wheel was built", "name", "", "by whom the wheel was built"),
        ("A blog on the wheel", "year in which it was built", "date", "", "the year in which it was built"),
        ("A blog on the wheel", "whether the wheel of Orr turns", "text", "", "whether the wheel of Orr turns"),
        ("校报专访：青雀一号", "卫星2024年是否还有信号", "number", "", "卫星2024年是否还有信号"),
        ("石蟾坝的坝高、库容与鱼道", "石蟾坝的坝高", "number", "", "石蟾坝的坝高"),
    ],
)
def test_a_matter_is_named_in_plain_words(
    subject: str, attribute: str, kind: ClaimKind, text: str, name: str | None
) -> None:
    named = matter(subject, attribute, claims(kind, text))
    assert named == (f"the {attribute}" if name is None else name)
    assert not set("()（）") & set(named)


@pytest.mark.parametrize(
    ("lang", "subject", "attribute", "kind", "name"),
    [
        ("zh", "The Webb telescope", "launched", "place", "“Webb telescope”“launched”的地点"),
        ("zh", "Willow", "announced", "date", "Willow“announced”的时间"),
        ("zh", "Hubble", "diameter", "number", "Hubble的“diameter”"),
        ("zh", "the main probe", "ISO grade", "text", "“main probe”"),
        ("zh", "Willow", "", "number", "Willow"),
        ("zh", "", "capital", "name", "capital"),
        ("en", "“九章”", "发布", "date", "when “九章” “发布”"),
        ("en", "慧眼卫星", "质量", "number", "“质量” of 慧眼卫星"),
    ],
)
def test_for_a_reader_of_another_language_the_words_between_are_theirs(
    lang: Lang, subject: str, attribute: str, kind: ClaimKind, name: str
) -> None:
    assert foreign_matter(subject, attribute, claims(kind, "text"), lang) == name


def test_statements_that_deny_each_other_ask_whether_it_is_so() -> None:
    no = claims("negation", "The telescope was not built for repairs.", polarity=False)
    yes = claims("negation", "The telescope was built for repairs.")
    assert matter("The telescope", "build", [*no, *yes]) == "whether the telescope was built for repairs"
    assert foreign_matter("It", "", [*no, *yes], "zh") == "“The telescope was built for repairs”是否属实"
    assert matter("望远镜", "", claims("negation", "望远镜可以维修。")) == "望远镜"
    both = [*claims("negation", "望远镜可以在轨维修。"), *claims("negation", "望远镜不能在轨维修。", polarity=False)]
    assert matter("望远镜", "", both) == "“望远镜可以在轨维修”是否属实"
    long = matter("It", "", [*no, *claims("negation", "The telescope was " + "very " * 100 + "large.")])
    assert len(long) < 200


def test_values_stand_behind_each_other_and_a_line_opens_with_a_capital_of_ours_only() -> None:
    assert alternatives(("1", "2", "3"), "en") == "1, 2 or 3"
    assert alternatives(("甲", "乙", "丙"), "zh") == "甲、乙，或丙"
    assert listed(("a", "b"), "", "en") == "a or b"
    assert listed(("甲", "乙"), "首都", "zh") == "首都：甲，或乙"
    assert listed((quoted("it “is”"), "b"), "a mill", "en") == "A mill: “it ‘is’” or b"
    assert [opened(words) for words in ("when it was", "iPhone", "pH of it")] == ["When it was", "iPhone", "pH of it"]


def test_where_a_bridge_leads_is_not_what_is_measured() -> None:
    (found,) = contradictions(
        "The Orsay footbridge across Lake Perrin is 214 metres long.",
        "The Orsay footbridge across Lake Perrin is 187 metres long.",
    )
    assert (found.left.attribute, found.right.attribute) == ("long", "long")
