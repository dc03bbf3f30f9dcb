"""Rewordings by hand, and small samples of what the robustness evaluation runs at length."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline import OfflineEngine
from memorybank.lab.evaluation.contradiction import Judge
from memorybank.lab.evaluation.rewording import in_han, in_words, rewordings
from memorybank.lab.evaluation.robustness import decided, is_filed_whole, random_texts, stayed, verdicts
from memorybank.lab.evaluation.settlement import majorities
from tests.lab.evaluation.test_settlement import QUESTION

ENGINE = OfflineEngine(HashedNgrams())
SENTENCES = (
    ("en", "The tunnel below Orla was opened for cyclists on December 4, 2023 by the county."),
    ("en", "The county archive in Orla holds 1,121 maps of the harbour and its two lighthouses."),
    ("en", "From the harbour the old railway of Orla runs 5.5 km along the river."),
    ("zh", "青岚档案馆建在老城的河边，收藏1121幅地图和许多旧照片。"),
    ("zh", "连接青岚老城和港口的隧道于2023年12月4日建成开通。"),
    ("zh", "连接青岚老城和港口的隧道全长5公里，供自行车通行。"),
)  # fmt: skip


def test_numbers_in_words() -> None:
    assert in_words(1_121) == "one thousand one hundred and twenty-one"
    assert in_words(20_005) == "twenty thousand and five"
    assert in_words(3_000_040) == "three million forty"
    assert [in_han(number) for number in (1_121, 15, 120, 1_005, 10_005, 20_000, 0)] == [
        "一千一百二十一", "十五", "一百二十", "一千零五", "一万零五", "二万", "零",
    ]  # fmt: skip


def test_a_value_is_written_otherwise_and_changed() -> None:
    (dated,) = rewordings(SENTENCES[0][1], "en")
    assert (dated.form, "2023-12-04" in dated.restated, "December 4, 2026" in dated.changed) == (
        "date format",
        True,
        True,
    )
    assert "2026-12-04" in dated.changed_restated
    forms = {one.form: one for one in rewordings(SENTENCES[1][1], "en")}
    assert "one thousand one hundred and twenty-one maps" in forms["digits to words"].restated
    assert "1121 maps" in forms["thousands separator"].restated
    (measured,) = rewordings(SENTENCES[5][1], "zh")
    assert "5000米" in measured.restated


@pytest.mark.parametrize(
    "sentence",
    [
        "In spring the Heinkel HD 35 fighter was shown to the public.",
        "More than 1,000 maps are kept in the archive of Orla.",
        "The way is 12 km (7.5 mi) long and leads along the river.",
        "The team of Orla won the second leg 4 -- 0 at home.",
    ],
)
def test_values_that_cannot_be_changed_alone_are_left(sentence: str) -> None:
    assert not list(rewordings(sentence, "en"))


@pytest.mark.parametrize(("lang", "sentence"), SENTENCES)
def test_another_form_keeps_the_verdict_and_another_value_does_not(lang: str, sentence: str) -> None:
    judge = Judge(HashedNgrams())
    found = list(rewordings(sentence, "zh" if lang == "zh" else "en"))
    assert found
    for one in found:
        assert decided(one, judge) == (True, True), one


def test_an_order_of_documents_changes_no_verdict() -> None:
    case = next(majorities([QUESTION]))
    sources = case.sources()
    before = verdicts(case, sources, HashedNgrams())
    assert {(status, value) for _, status, value in before} == {("resolved", "5.2 km")}
    assert all(stayed(before, verdicts(case, sources[::-1], HashedNgrams())))
    assert stayed(frozenset(), frozenset()) == [True]
    assert stayed(before, frozenset()) == [False] * len(before)


def test_texts_that_nobody_would_write_are_filed_whole() -> None:
    texts = list(random_texts(60))
    assert texts == list(random_texts(60))
    assert all(is_filed_whole(text, ENGINE) for text in texts)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_text_is_filed_whole(text: str) -> None:
    assert is_filed_whole(text, ENGINE)
