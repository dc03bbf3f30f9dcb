from __future__ import annotations

import pytest

from memorybank.narrative.extraction.kin_terms import kin_of_word
from memorybank.narrative.extraction.mentions import Named, Names
from memorybank.narrative.extraction.narration import Telling, read
from memorybank.narrative.extraction.numerals import number
from memorybank.narrative.extraction.statements import Statement, statements
from memorybank.narrative.types import EntityKind, entity_key
from memorybank.types import Lang

KINDS = {
    "林霜": EntityKind.CHARACTER, "顾青": EntityKind.CHARACTER, "照夜": EntityKind.ITEM, "断雁谷": EntityKind.LOCATION,
    "青云门": EntityKind.FACTION, "燃灯术": EntityKind.ABILITY, "Mara": EntityKind.CHARACTER,
    "Tomas": EntityKind.CHARACTER, "Needle": EntityKind.ITEM, "the Old Mill": EntityKind.LOCATION,
    "the Grey Guild": EntityKind.FACTION, "stone-singing": EntityKind.ABILITY,
}  # fmt: skip
NAMES = Names([Named(entity_key(kind, name), kind, name) for name, kind in KINDS.items()])


def found(text: str, lang: Lang) -> list[Statement]:
    return list(statements(read(text, lang), NAMES))


def told(text: str, lang: Lang) -> set[tuple[str, str, str]]:
    return {
        (
            one.event,
            one.subject.name if one.subject else "",
            (one.to or one.object).name if one.to or one.object else "",
        )  # type: ignore[union-attr]
        for one in found(text, lang)
        if not one.denied
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("林霜得到了照夜。", ("gain", "林霜", "照夜")),
        ("林霜把照夜交给了顾青。", ("give", "林霜", "顾青")),
        ("照夜被顾青夺走了。", ("gain", "顾青", "照夜")),
        ("林霜弄丢了照夜。", ("lose", "林霜", "照夜")),
        ("顾青死了。", ("die", "顾青", "")),
        ("林霜杀死了顾青。", ("kill", "林霜", "顾青")),
        ("顾青被林霜杀死了。", ("kill", "林霜", "顾青")),
        ("顾青是林霜的师父。", ("kin_of", "顾青", "林霜")),
        ("林霜的哥哥顾青走了进来。", ("kin_named", "顾青", "林霜")),
        ("林霜来到断雁谷。", ("arrive", "林霜", "断雁谷")),
        ("林霜加入了青云门。", ("join", "林霜", "青云门")),
        ("青云门掌门顾青没有说话。", ("head_named", "顾青", "青云门")),
        ("林霜学会了燃灯术。", ("learn", "林霜", "燃灯术")),
        ("林霜推开门，走到桌边，拔出照夜。", ("use", "林霜", "照夜")),
        ("林霜恨透了顾青。", ("hate", "林霜", "顾青")),
    ],
)
def test_chinese(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in told(text, "zh")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mara stole Needle.", ("gain", "Mara", "Needle")),
        ("Mara gave Needle to Tomas.", ("give", "Mara", "Tomas")),
        ("Mara lost Needle.", ("lose", "Mara", "Needle")),
        ("Tomas died that night.", ("die", "Tomas", "")),
        ("Tomas was Mara's brother.", ("kin_of", "Tomas", "Mara")),
        ("Mara's brother Tomas came in.", ("kin_named", "Tomas", "Mara")),
        ("Mara returned to the Old Mill.", ("arrive", "Mara", "the Old Mill")),
        ("Mara joined the Grey Guild.", ("join", "Mara", "the Grey Guild")),
        ("Tomas, the leader of the Grey Guild, said nothing.", ("head_named", "Tomas", "the Grey Guild")),
        ("Mara crossed the hall and drew Needle.", ("use", "Mara", "Needle")),
        ("Mara came in. She raised Needle.", ("use", "Mara", "Needle")),
    ],
)
def test_english(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in told(text, "en")


def test_who_kills_does_not_die() -> None:
    assert ("die", "林霜", "") not in told("林霜杀死了顾青。", "zh")
    assert ("die", "Mara", "") not in told("Mara killed Tomas.", "en")


def test_a_denied_or_intended_deed_is_told_as_such() -> None:
    assert not {one for one in told("林霜没有得到照夜。", "zh") if one[0] == "gain"}
    assert [one.telling for one in found("林霜打算夺回照夜。", "zh") if one.event == "gain"] == [Telling.INTENDED]
    refused = [one for one in found("Mara never stole Needle.", "en") if one.event == "gain"]
    assert [one.denied for one in refused] == [True]
    told_by = [one.telling for one in found("顾青道：“林霜得到了照夜。”", "zh") if one.event == "gain"]
    assert told_by == [Telling.TOLD]


def test_a_pronoun_stands_for_one_person_or_for_nobody() -> None:
    assert ("use", "Tomas", "Needle") not in told("Mara met Tomas. He raised Needle.", "en")
    assert ("use", "Mara", "Needle") not in told("Mara met Tomas. He raised Needle.", "en")
    assert ("age", "林霜", "") in told("她叫林霜，今年十七岁。", "zh")


@pytest.mark.parametrize(
    "text", ["林霜\ue000\ue801得到了照夜。", "林霜" * 2_000 + "得到照夜。", "(?P<s>林霜)得到[照夜]{2}。", ""]
)
def test_author_text_is_never_part_of_a_pattern(text: str) -> None:
    for one in found(text, "zh"):
        assert 0 <= one.start < one.end <= len(text)


@pytest.mark.parametrize(
    ("written", "value"),
    [("十九", 19), ("二十", 20), ("一百零二", 102), ("七", 7), ("19", 19), ("twenty-three", 23), ("nineteen", 19)],
)
def test_numbers(written: str, value: int) -> None:
    assert number(written) == value


@pytest.mark.parametrize("written", ["", "many", "twenty-twenty", "百", "12345", "三人"])
def test_what_is_no_number(written: str) -> None:
    assert number(written) is None


def test_kinship_terms() -> None:
    sister = kin_of_word("姐姐", "zh")
    assert sister is not None
    assert (sister.relation, sister.gender, sister.order) == ("sibling", "female", "elder")
    uncle = kin_of_word("叔父", "zh")
    assert uncle is not None
    assert uncle.relation == "uncle"
    younger = kin_of_word("younger brother", "en")
    assert younger is not None
    assert (younger.relation, younger.gender, younger.order) == ("sibling", "male", "younger")
    assert kin_of_word("剑客", "zh") is None
