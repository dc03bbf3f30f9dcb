from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.language.text import Piece, detect_lang
from memorybank.memory.types import Lang
from memorybank.narrative.reading.modality import Modality
from memorybank.narrative.reading.narration import read
from memorybank.narrative.reading.speech import speech


def kinds(sentence: str, lang: Lang, before: str = "") -> set[Modality]:
    """What the clauses of a sentence are; where somebody speaks in it, those of the speech."""
    text = before + sentence
    told = read(text, lang).within(Piece(len(before), len(text)))
    return {one.modality for one in [one for one in told if one.clause.spoken] or told}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("林霜推门进去，把剑放在桌上。", "happened"),
        ("林霜便要下山去。", "intended"),
        ("掌门命弟子下山买药。", "intended"),
        ("掌门命弟子送了药去，自己回房歇下了。", "happened"),
        ("林霜打算明日下山，找回那把剑，杀了仇人。", "intended"),
        ("若他早来一步，师父便不会死。", "hypothetical"),
        ("他仿佛看见师父站在门口。", "hypothetical"),
        ("她梦见师父提着灯走来，叮嘱她添油。", "hypothetical"),
        ("据说那把剑已经断了。", "told"),
        ("顾青道：“师父昨夜已经走了。”", "told"),
        ("顾青道：“等我明日去取剑来。”", "intended"),
        ("顾青问：“师父走了吗？”", "hypothetical"),
        ("这件事要紧得很，将军点了点头。", "happened"),
        ("白芷想把玉佩还给他。", "intended"),
        ("林霜恨不得立刻杀了他。", "intended"),
        ("白芷想了想，把玉佩收好。", "happened"),
        ("Mara opened the gate and walked in.", "happened"),
        ("Mara will open the gate.", "intended"),
        ("Mara planned to open the gate.", "intended"),
        ("The captain ordered his men to burn the bridge.", "intended"),
        ("If Mara opened the gate, the dogs would bark.", "hypothetical"),
        ("Perhaps Mara had opened the gate.", "hypothetical"),
        ("Mara was thinking of selling the house.", "intended"),
        ("He was on the point of drawing his sword.", "intended"),
        ("The captain told her a story.", "happened"),
        ("Mara dreamt that the gate stood open.", "hypothetical"),
        ("They said that Mara was dead.", "told"),
        ("“Mara is dead,” Tomas said.", "told"),
        ("“Is Mara dead?” Tomas asked.", "hypothetical"),
    ],
)
def test_all_clauses_of_a_sentence_are_of_its_kind(sentence: str, expected: str) -> None:
    assert kinds(sentence, detect_lang(sentence)) == {expected}


def test_speech_that_runs_over_several_sentences_is_still_speech() -> None:
    before = "老人道：“那年大水。堤坝垮了。"
    assert kinds("城里死了一半人。", "zh", before) == {Modality.REPORTED}
    assert kinds("城里死了一半人。", "zh") == {Modality.HAPPENED}


def test_what_comes_before_an_intention_in_its_clause_has_happened() -> None:
    story = read("她蒸了一碗蛋令人送去。", "zh")
    told = story.clauses[0]
    assert told.modality is Modality.INTENDED
    assert told.modality_at(0) is Modality.HAPPENED
    assert told.modality_at(told.clause.text.index("送")) is Modality.INTENDED


def test_who_promises_asks_or_says_something_does_so() -> None:
    for text, verb in (
        ("Mara asked Tomas to sit down.", "asked"),
        ("Mara said that the gate was locked.", "said"),
    ):
        (told,) = read(text, "en").clauses
        assert told.modality is not Modality.HAPPENED
        assert told.modality_at(text.index(verb)) is Modality.HAPPENED, text
        assert told.modality_at(len(told.clause.text) - 1) is told.modality


def test_a_plan_ends_where_the_narrator_turns() -> None:
    told = read("他决定明日下山，杀了仇人，不料当夜便病倒了。", "zh").clauses
    assert [one.modality for one in told] == [Modality.INTENDED, Modality.INTENDED, Modality.HAPPENED]


# -- direct speech ----------------------------------------------------------------------------------------------------


def quoted(text: str) -> list[str]:
    return [text[piece.start : piece.end] for piece in speech(text)]


def test_speech_between_its_marks() -> None:
    assert quoted("他道：“走罢。”众人都走。") == ["“走罢。”"]
    assert quoted("She said, “Go.” He went.") == ["“Go.”"]
    assert quoted('She said, "Go." He went.') == ['"Go."']
    assert quoted("‘Go,’ she said, and the carters' yard fell silent.") == ["‘Go,’"]


def test_a_term_between_marks_is_no_speech() -> None:
    assert quoted("他借“通灵”之说写书。") == []
    assert quoted("The carters' yard was empty, and Osric's place too.") == []


def test_speech_that_is_never_closed_ends_where_the_next_begins() -> None:
    assert quoted("甲道：“我不去。他转身就走。乙道：“你回来！”")[1] == "“你回来！”"
    assert "乙" not in quoted("甲道：“我不去。他转身就走。乙道：“你回来！”")[0]


def test_speech_goes_over_paragraphs_only_when_it_is_closed() -> None:
    assert quoted("他道：“头一件。\n\n第二件。”完了。") == ["“头一件。\n\n第二件。”"]
    assert quoted("他道：“头一件。\n\n众人散去。甲道：“走。”") == ["“头一件。", "“走。”"]


@given(st.text(alphabet="“”\"'‘’「」林道：。，\n a.", max_size=200))
def test_any_marks_give_ordered_stretches(text: str) -> None:
    pieces = speech(text)
    assert all(0 <= piece.start < piece.end <= len(text) for piece in pieces)
    assert all(one.end <= other.start for one, other in pairwise(pieces))
    read(text, "zh")
    read(text, "en")


def test_the_time_is_linear_in_the_text() -> None:
    def seconds(text: str) -> float:
        began = time.perf_counter()
        read(text, "zh")
        return time.perf_counter() - began

    for unit in ("“", "\n\n“", '"', "他道：“要去。\n\n", "“‘若"):
        seconds(unit * 100)
        assert seconds(unit * 40_000 if len(unit) < 3 else unit * 10_000) < 10, repr(unit)
