"""The library's own sentences in both languages, excerpts that bear on a question, and names of disputes."""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest

from memorybank import prompts
from memorybank.contradiction.reading import read
from memorybank.embedding.hashed import HashedNgrams
from memorybank.language.text import cjk_share, detect_lang
from memorybank.memory.types import Claim, ClaimKind, Lang
from memorybank.prompts import say
from memorybank.prompts.claim_words import alternatives, listed, matter, opened, quoted, shown
from memorybank.prompts.excerpts import excerpt

PACKAGE = Path(__file__).parents[2] / "memorybank"
MADE = ("agent_", "evidence_", "status_", "integration_", "ruling_", "relation_", "force_")
"""Beginnings of keys that are put together where they are asked for."""


def _all(sentence: str) -> list[tuple[str, object]]:
    """The places of a sentence, each with a value: a number where it is written as one."""
    return [(name, 0.5 if form else "{x} <b>") for _, name, form, _ in Formatter().parse(sentence) if name]


def places(sentence: str) -> dict[str, object]:
    return dict(_all(sentence))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_sentence_is_rendered_with_its_values_as_they_are(lang: Lang) -> None:
    for key, sentence in prompts._catalogue(lang).items():
        rendered = say(key, lang, **places(sentence))
        assert rendered.strip() == rendered or key.endswith(("_context", "_between")), key
        assert rendered.count("{x} <b>") == sum(value == "{x} <b>" for _, value in _all(sentence)), key
        with pytest.raises(KeyError) if places(sentence) else nullcontext():
            say(key, lang)
    assert cjk_share(" ".join(prompts._catalogue(lang).values())) > 0.4 if lang == "zh" else True
    with pytest.raises(KeyError):
        say("no such sentence", lang)


def test_both_languages_say_the_same_and_nothing_is_left_over() -> None:
    english, chinese = prompts._catalogue("en"), prompts._catalogue("zh")
    assert list(english) == list(chinese)
    for key in english:
        assert places(english[key]).keys() == places(chinese[key]).keys(), key
        assert len(_all(english[key])) == len(_all(chinese[key])), key
    asked = {
        key for path in PACKAGE.rglob("*.py") for key in re.findall(r"[\"']([a-z_]+)[\"']", path.read_text("utf-8"))
    }
    unasked = [key for key in english if key not in asked and not key.startswith(MADE)]
    assert unasked == []


# -- Of a long text the sentences that bear on a question stay, word for word and in their order -----------------------

HARBOUR = (
    "The old harbour of Vellmouth was dug in 1790. Its quays were built of granite from the Toll quarry. "
    "Fishing boats used it until the railway came. The lighthouse on the mole is 31 metres tall. "
    "A fire destroyed the customs house in 1904. Today a market is held there on Saturdays."
)
PORT_ZH = (
    "维尔茅斯旧港开凿于1790年。码头用托尔采石场的花岗岩砌成。铁路通车以前渔船一直在此停靠。"
    "防波堤上的灯塔高31米。1904年一场大火烧毁了海关大楼。如今每逢周六这里有集市。"
)


@pytest.mark.parametrize(
    ("text", "question", "first", "answer"),
    [
        (HARBOUR, "How tall is the lighthouse?", "dug in 1790", "31 metres tall"),
        (HARBOUR, "When did the customs house burn?", "dug in 1790", "in 1904"),
        (PORT_ZH, "灯塔有多高？", "开凿于1790年", "高31米"),
        (PORT_ZH, "海关大楼是哪一年烧毁的？", "开凿于1790年", "1904年一场大火"),
    ],
)
def test_what_answers_stays_with_the_sentence_that_names_the_subject(
    text: str, question: str, first: str, answer: str
) -> None:
    short = excerpt(text, question, len(text) * 4 // 9, len)
    assert first in short.text
    assert answer in short.text
    assert len(short.text) < 0.6 * len(text)
    for part in short.text.split("…"):
        assert part.strip() in text, "word for word"
    assert 0 < short.left_out < 5


def test_a_text_that_fits_is_left_and_one_without_a_choice_is_cut_at_its_end() -> None:
    assert excerpt(HARBOUR, "anything", 10_000, len) == (HARBOUR, 0)
    single = excerpt("granite " * 200, "granite", 80, len)
    assert (len(single.text) <= 82, single.left_out) == (True, 1)
    unasked = excerpt(HARBOUR, "Quantum processors", 160, len)
    assert HARBOUR.startswith(unasked.text.removesuffix("…").rstrip()[:90])
    assert unasked.left_out > 0


# -- what is disputed is named in the words of its claims, whoever took them apart ------------------------------------


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
