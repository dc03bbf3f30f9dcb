from __future__ import annotations

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.lab.evaluation import copies, duplicates
from memorybank.lab.evaluation.duplicates import DuplicateTruth, Merged, plant, planted_scores, truth_of
from memorybank.lab.evaluation.texts import DEMO
from memorybank.memory.types import Lang
from memorybank.tools.corpus import Corpus

TUNNEL = (
    "# The Orla tunnel\n\n"
    "The Orla tunnel was built in 1932 by the engineer Marta Lind. It is 5,200 metres long and has 48 lamps. "
    "Many people use the Orla tunnel because the pass is closed in winter. A bell at the gate warns of snow."
)
LAKE = (
    "Lake Venna lies in the north of the county and is 31 metres deep. Its water comes from two glaciers. "
    "Boats may be hired from May to September at the pier of Sund."
)
VENTURE = "“长风”号卫星由青禾公司建成。它有48块电池，重620千克。因为电池很轻，卫星可以多带仪器。"


def pair(one: str, other: str) -> frozenset[str]:
    return frozenset((one, other))


def test_a_paraphrase_says_the_same_in_other_words() -> None:
    said = copies.paraphrase(TUNNEL, "en")
    assert said == copies.paraphrase(TUNNEL, "en")
    for kept in ("Orla tunnel", "1932", "Marta Lind", "snow"):
        assert kept in said
    for changed in ("built", "because", "# The"):
        assert changed not in said
    chinese = copies.paraphrase(VENTURE, "zh")
    assert "长风" in chinese
    assert "建成" not in chinese
    assert "能够" in chinese


def test_an_overlap_has_two_thirds_as_they_are() -> None:
    said = copies.overlap(TUNNEL, "en")
    kept = [sentence for sentence in copies.statements(TUNNEL) if sentence in said]
    assert kept == copies.statements(TUNNEL)[:3]
    assert len(copies.statements(TUNNEL)) == 4
    others = [copies.overlap(text, "en").split("\n\n")[1] for text in (TUNNEL, LAKE)]
    assert others[0] != others[1]


def test_a_near_miss_is_about_a_sibling_with_other_numbers() -> None:
    said = copies.near_miss("orla tunnel.md", TUNNEL, "en")
    assert said is not None
    assert "Orla II tunnel" in said
    assert "7,280 metres" in said
    assert "48 lamps" not in said
    assert copies.near_miss("chip.md", "The 105-qubit Chip ran in 2024.", "en") == "The 147-qubit Chip II ran in 2024."
    assert copies.near_miss("something.md", TUNNEL, "en") is None
    assert copies.near_miss("venna.md", "Venna is a lake. Venna is cold. Venna is clear.", "en") is None
    chinese = copies.near_miss("长风.md", VENTURE, "zh")
    assert chinese is not None
    assert "长风二号" in chinese
    assert "67块" in chinese


def test_copies_are_planted_beside_their_documents() -> None:
    base = {"orla.md": TUNNEL, "venna.md": LAKE, "short.md": "One line."}
    planted, pairs = plant(base, duplicates.PLANTED["overlaps"], "en")
    assert set(planted) == {*base, "copy of orla.md", "copy of venna.md"}
    assert pairs == {pair("orla.md", "copy of orla.md"), pair("venna.md", "copy of venna.md")}


def test_a_session_merges_a_copy_and_leaves_another_subject_alone() -> None:
    documents = {"orla.md": TUNNEL, "venna.md": LAKE, "copy of venna.md": copies.overlap(LAKE, "en")}
    found = duplicates.merged(documents, "en", HashedNgrams())
    assert found.pairs == {pair("venna.md", "copy of venna.md")}
    assert "Lake Venna" in found.reasons[pair("venna.md", "copy of venna.md")]


def test_scores_as_by_hand() -> None:
    planted = frozenset((pair("a", "copy of a"), pair("b", "copy of b")))
    merged_ = frozenset((pair("a", "copy of a"), pair("a", "c")))
    found = Merged(pairs=merged_, reasons=dict.fromkeys(merged_, "a node"))
    recall, precision = planted_scores("set", "overlaps", planted, found, planted)
    assert (recall.measure, recall.value, recall.n) == ("found", 0.5, 2)
    assert (precision.value, precision.n, precision.holds) == (0.5, 2, False)
    (apart,) = planted_scores("set", duplicates.SIBLINGS, planted, found, planted)
    assert (apart.value, apart.goal, apart.holds) == (0.5, 1.0, False)


def test_what_is_the_same_through_others_is_right() -> None:
    joined = duplicates._families([pair("a", "copy of a"), pair("a", "b"), pair("b", "copy of b"), pair("x", "y")])
    assert pair("copy of a", "copy of b") in joined
    assert pair("a", "x") not in joined
    assert len(joined) == 7


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_corpus_lists_what_is_the_same_what_is_near_and_what_is_wrong(lang: Lang) -> None:
    truth = truth_of(lang)
    names = set(Corpus.open(DEMO / lang).names)
    assert isinstance(truth, DuplicateTruth)
    assert len(truth.same) == 4
    assert len(truth.apart) >= 6
    assert truth.wrong
    assert {name for listed in (*truth.same, *truth.apart) for name in listed} | truth.wrong <= names
    assert not truth.same & truth.apart
