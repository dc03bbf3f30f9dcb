"""A plan's words, told as past once its step is completed."""

from __future__ import annotations

import pytest

from memorybank.narrative.extraction.happened import as_happened, event_name
from memorybank.types import Lang

NAMES = ("Kael", "Mira", "Tomas", "Northgate", "凯尔", "狱长", "米拉", "托马斯", "铜戒", "北门")


@pytest.mark.parametrize(
    ("lang", "words", "told"),
    [
        ("en", "Kael will kill Mira", "Kael killed Mira"),
        (
            "en",
            "Mira will finally give it to Tomas and leave Northgate by chapter 9",
            "Mira finally gave it to Tomas and left Northgate",
        ),
        ("en", "Kael is going to be killed", "Kael was killed"),
        ("en", "Kael to kill Mira", "Kael killed Mira"),
        ("en", "Later Kael must steal it, murder Mira and flee", "Kael stole it, murdered Mira and fled"),
        ("en", "In chapter 12, Kael will not kill Mira", "Kael did not kill Mira"),
        ("en", "Kael'll stab Tomas", "Kael stabbed Tomas"),
        ("en", "Kael plans to kill Mira", "Kael plans to kill Mira"),
        ("en", "Mira reads the will of Tomas", "Mira reads the will of Tomas"),
        ("zh", "凯尔将杀死狱长", "凯尔杀死狱长"),
        ("zh", "凯尔将在第九章之前杀狱长", "凯尔杀了狱长"),
        ("zh", "米拉要把铜戒交给托马斯", "米拉把铜戒交给托马斯"),
        ("zh", "米拉将铜戒交给托马斯", "米拉将铜戒交给托马斯"),
        ("zh", "第十二章，托马斯死", "托马斯死了"),
        ("zh", "凯尔打算杀死狱长", "凯尔打算杀死狱长"),
        ("zh", "凯尔学会剑法", "凯尔学会剑法"),
        ("zh", "大将军将来", "大将军将来"),
    ],
)
def test_auxiliaries_and_the_chapter_go_and_nothing_else(lang: Lang, words: str, told: str) -> None:
    assert as_happened(words, lang, NAMES) == told


@pytest.mark.parametrize(
    ("lang", "title", "named"),
    [
        ("en", "Kael will kill the warden", "Kael kills the warden"),
        ("en", "Kael will kill the warden and take the key by chapter 9.", "Kael kills the warden and takes the key"),
        ("en", "Kael and Mira will leave Northgate", "Kael and Mira leave Northgate"),
        ("en", "The guards of Northgate are going to seize Mira", "The guards of Northgate seize Mira"),
        ("en", "Kael meets Mira and he will kill Tomas", "Kael meets Mira and he kills Tomas"),
        ("en", "The witness will flee", "The witness flees"),
        ("en", "Kael is going to be killed", "Kael is killed"),
        ("en", "Then Kael must carry it to Tomas", "Kael carries it to Tomas"),
        ("en", "Kael will not kill Mira", "Kael does not kill Mira"),
        ("en", "Kael to kill Mira", "Kael kills Mira"),
        ("en", "Kael kills the warden", "Kael kills the warden"),
        ("en", "Kael killed the warden", "Kael killed the warden"),
        ("en", "Mira reads the will of Tomas", "Mira reads the will of Tomas"),
        ("en", "Kael plans to kill Mira", "Kael plans to kill Mira"),
        ("en", "The fall of Northgate", "The fall of Northgate"),
        ("zh", "凯尔将杀死狱长", "凯尔杀死狱长"),
        ("zh", "凯尔会在第九章之前杀死狱长。", "凯尔杀死狱长"),
        ("zh", "米拉将铜戒交给托马斯", "米拉将铜戒交给托马斯"),
        ("zh", "凯尔杀死狱长", "凯尔杀死狱长"),
        ("zh", "凯尔打算杀死狱长", "凯尔打算杀死狱长"),
        ("zh", "北门之围", "北门之围"),
    ],
)
def test_an_event_is_named_by_what_happened(lang: Lang, title: str, named: str) -> None:
    assert event_name(title, lang, NAMES) == named
