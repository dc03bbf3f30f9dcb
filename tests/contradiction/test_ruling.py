"""What other texts say on a contradiction, which of them are independent, and the ruling that follows; their votes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memorybank.contradiction.votes import SourcePassage, checked, near_identical, unproven
from memorybank.engines.offline.ruling import Hearing, Ruling
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import ConflictId, ConflictStatus, Contradiction, Evidence
from tests.contradiction.parsed import PARSE, contradictions, ruled, sources
from tests.tables import tables

TABLES = tables(__file__)

LEFT = "Osprey has 433 qubits. It was announced in 2022."
RIGHT = "Osprey has 412 qubits. It was made in a plant near Dresden."
RESOLVED, UNDECIDED = ConflictStatus.RESOLVED, ConflictStatus.INCONCLUSIVE


def dispute(left: str = LEFT, right: str = RIGHT) -> Contradiction:
    return contradictions(left, right)[0]


def stance(passage: str, contradiction: Contradiction) -> str:
    return Hearing(contradiction, PARSE).stance(passage).supports


def ruling(*others: str, left: str = LEFT, right: str = RIGHT) -> Ruling:
    """The ruling on what two texts contradict each other in, by the others."""
    return ruled(contradictions(left, right), sources(left, right, *others))


def osprey(*others: str | SourcePassage) -> Ruling:
    texts = [text for text in others if isinstance(text, str)]
    passages = [passage for passage in others if isinstance(passage, SourcePassage)]
    return ruled(dispute(), [*sources(LEFT, RIGHT, *texts), *passages])


# -- who wins ---------------------------------------------------------------------------------------------------------


def test_the_majority_of_independent_sources_wins_and_the_reason_names_them() -> None:
    won = osprey("Osprey has 433 qubits.", "Osprey has 433 qubits in rows.")
    assert (won.status, won.winner, won.value) == (RESOLVED, "left", "433")
    assert "“433” stands on 3 sources (left.md, 0.md, 1.md)" in won.reason
    assert "“412” stands on 1 source (right.md)" in won.reason
    counted = {piece.source: piece.independent for piece in won.evidence}
    assert counted == {"left.md": False, "right.md": False, "0.md": True, "1.md": True}
    chinese = ruled(dispute(), sources(LEFT, RIGHT, "Osprey has 433 qubits."), lang="zh")
    assert "”有2个来源（left.md、0.md）" in chinese.reason


def test_a_tie_is_inconclusive_and_copies_and_parties_have_one_vote() -> None:
    assert ruled((), (), lang="en").status is osprey().status is UNDECIDED
    tied = osprey("Osprey has 433 qubits.", "Osprey has 412 qubits.")
    assert (tied.status, tied.winner, tied.value) == (UNDECIDED, "", "")
    passage = "Osprey has 433 qubits, which are arranged in a grid of nineteen rows and are read out one after another."
    assert osprey(passage, passage + " So says the leaflet.", "Osprey has 412 qubits.").status is UNDECIDED
    party = SourcePassage(source="left.md", text="Osprey has 433 qubits.")
    assert osprey("Osprey has 412 qubits.", party).winner == "right"


def test_an_image_says_what_it_says_for_the_page_that_shows_it() -> None:
    def shown(name: str, text: str, page: str) -> SourcePassage:
        return SourcePassage(source=f"{name}, an image of {page}", text=text, shown_by=page)

    against, says = "Osprey has 412 qubits.", "Osprey has 433 qubits."
    of_a_party = [shown("a.png", says, "left.md"), shown("b.png", "433 qubits of Osprey.", "left.md")]
    assert osprey(against, *of_a_party).winner == "right", "the left side's own page has spoken"
    first, again = shown("a.png", says, "x.md"), "Osprey has 433 qubits in rows."
    assert osprey(against, first, shown("b.png", again, "x.md")).status is UNDECIDED, "two images, one page"
    assert osprey(against, first, shown("b.png", again, "y.md")).winner == "left"


def test_a_passage_that_explains_both_closes_a_false_alarm() -> None:
    told = "Osprey started with 412 qubits; since the upgrade of 2023 it works with 433 qubits."
    closed = osprey(told)
    assert closed.status is ConflictStatus.FALSE_ALARM
    assert told in closed.reason


def test_near_identical_passages() -> None:
    text = "The bridge was opened on a rainy day in March, and the mayor spoke for an hour about the cost of steel."
    assert near_identical(text, text.replace("rainy", "sunny") + " Nobody listened.")
    assert not near_identical(text, "The bridge was opened in March. Steel had become dear, as the mayor noted.")
    long = "这座桥在三月的一个雨天通车，市长就钢材的价格讲了整整一个小时，许多人没有听完就离开了。"
    assert near_identical(long, "有人写道：" + long)
    assert [near_identical("short", other) for other in ("another", "short")] == [False, True]


def test_each_contradiction_of_a_pair_is_ruled_by_itself() -> None:
    old = "The Varna tunnel is 4,120 metres long. The Varna tunnel opened in 1987."
    new = "The Varna tunnel is 4,210 metres long. The Varna tunnel opened in 1989."
    pairs = contradictions(old, new)
    length, opening = ("4,120 metres", "4,210 metres"), ("1987", "1989")
    assert {(pair.left.value, pair.right.value) for pair in pairs} == {length, opening}
    survey = "Surveyors found the Varna tunnel to be 4,120 metres long."
    only_length = ruling(survey, left=old, right=new)
    assert (only_length.status, only_length.winner, only_length.value) == (RESOLVED, "left", length[0])
    by_point = {pair.left.value: point.status for pair, point in zip(pairs, only_length.each, strict=True)}
    assert by_point == {length[0]: RESOLVED, opening[0]: UNDECIDED}
    assert "“1989” stands on 1 source (right.md) (not settled, both stay)" in only_length.reason
    both = ruling(survey, "To the sound of trumpets the Varna tunnel opened in 1989.", left=old, right=new)
    winners = {pair.left.value: point.winner for pair, point in zip(pairs, both.each, strict=True)}
    assert winners == {length[0]: "left", opening[0]: "right"}
    assert ruling(left=old, right=new).status is UNDECIDED


def test_words_and_evidence_name_the_same_sources() -> None:
    left, right = "青云水电站总装机容量为2250万千瓦。", "青云水电站的总装机容量为2550万千瓦，夜景很美。"
    passages = sources(f"# 概况\n\n{left}", f"{right}门票免费。", "到年底，青云水电站的总装机容量为2250万千瓦。")
    won = ruled(contradictions(left, right), passages)
    assert won.reason == "“2250万千瓦”有2个来源（left.md、0.md）；“2550万千瓦”有1个来源（right.md）"
    told = [(piece.source, piece.supports, piece.independent) for piece in won.evidence]
    assert told == [("left.md", "left", False), ("right.md", "right", False), ("0.md", "left", True)]
    texts = {passage.source: passage.text for passage in passages}
    assert all(piece.quote in texts[piece.source] for piece in won.evidence)


def test_of_statements_that_deny_each_other_the_tally_names_the_words() -> None:
    yes, no = "The mill was built to grind oats.", "The mill was not built to grind oats."
    reason = ruling(left=yes, right=no).reason
    assert all(f"“{text[:-1]}” stands on 1 source" in reason for text in (yes, no)), reason


def test_the_memory_is_no_source() -> None:
    """A side whose sentence no document has stands on nothing; one document alone settles nothing against it."""
    alone = ruled(dispute(), [SourcePassage(source="right.md", text=RIGHT, party="right")])
    assert "“433” stands on 0 sources" in alone.reason
    assert (alone.status, [piece.source for piece in alone.evidence]) == (UNDECIDED, ["right.md"])


# -- who speaks -------------------------------------------------------------------------------------------------------

QUIET = "Tom Reade grew up on an island and likes to sail. 赵青年轻时爱好登山。"


@pytest.mark.parametrize(("left", "right", "third", "silent"), TABLES["silent"].values(), ids=TABLES["silent"])
def test_only_a_sentence_that_names_what_is_disputed_speaks(left: str, right: str, third: str, silent: str) -> None:
    assert stance(silent, dispute(left, right)) == "neither"
    for others, winner in (((), ""), ((silent,), ""), ((third,), "left"), ((third, QUIET), "left")):
        assert ruling(*others, left=left, right=right).winner == winner
    assert not ruling(third, silent, left=left, right=right).winner, "a vote may be missing: it has the other value"


WEIR = "The Almer weir was built in {}."


@pytest.mark.parametrize(("left", "right", "third", "fourth", "elsewhere", "value"), TABLES["three"])
def test_a_third_value_needs_two_sources_that_name_what_is_disputed(
    left: str, right: str, third: str, fourth: str, elsewhere: str, value: str
) -> None:
    settled = ruling(third, fourth, left=left, right=right)
    assert settled.status is ConflictStatus.BOTH_WRONG
    assert value in settled.value
    assert ruling(third, left=left, right=right).status is UNDECIDED
    assert ruling(third, elsewhere, left=left, right=right).status is UNDECIDED


def test_a_pronoun_speaks_for_what_the_sentence_before_it_names() -> None:
    weir = dispute(WEIR.format(1871), WEIR.format(1884))
    assert stance("The Almer weir is old. It was built in 1871.", weir) == "left"
    assert stance("The Alder weir is old. It was built in 1871.", weir) == "neither"
    assert stance("The Almer weir is old. It was built in 1879.", weir) == "other"


@pytest.mark.parametrize(("left", "right", "coarse", "fine"), TABLES["a_date_that_holds_both_counts_for_neither"])
def test_a_date_that_holds_both_counts_for_neither(left: str, right: str, coarse: str, fine: str) -> None:
    assert stance(coarse, dispute(left, right)) == "neither"
    assert stance(fine, dispute(left, right)) == "right"
    assert ruling(coarse, left=left, right=right).status is UNDECIDED


# -- what counts of the evidence that a verdict states, and whether the verdict stands on it ---------------------------


LONG = (
    "The marine licence of 2019 allows sixteen units of which four have not been built and for which no connection has"
    " been applied for by the owner so far."
)
SOURCES = (
    SourcePassage(source="overview.md", text="Twelve turbines give 18 megawatts.", party="left"),
    SourcePassage(source="herald.md", text="Its 24 megawatts make it the largest.", party="right"),
    SourcePassage(source="overview.md", text="Twelve turbines give 18 megawatts. It cost 96 million."),
    SourcePassage(source="register.md", text=f"Registered capacity: 18.0 MW. {LONG}"),
    SourcePassage(source="mirror.html", text=f"We read: registered capacity: 18.0 MW. {LONG}"),
    SourcePassage(source="notice.md", text="The Directorate recorded 18 megawatts."),
    SourcePassage(source="chart.png", text="Capacity 18 megawatts as drawn.", shown_by="notice.md"),
)


def piece(source: str, quote: str, supports: Any = "left", **more: Any) -> Evidence:
    return Evidence(source=source, quote=quote, supports=supports, **more)


REGISTER, NOTICE = piece("register.md", "registered capacity: 18.0 MW."), piece("notice.md", "recorded 18 megawatts")


@pytest.mark.parametrize(
    ("evidence", "source", "refused"),
    [
        (REGISTER, "register.md", ""),
        (piece("Register.md (the network's)", "Registered capacity: 18.0 MW"), "register.md", ""),
        (piece("the Directorate", "The Directorate recorded 18 megawatts"), "notice.md", ""),
        (piece("n3", "Its capacity is 18.0 MW"), "n3", "no_source"),
        (piece("register.md", "Registered capacity: 18.5 MW."), "register.md", "not_there"),
        (piece("overview.md", "It cost 96 million."), "overview.md", "party"),
        (piece("overview.md", "It cost 96 million.", independent=False), "overview.md", ""),
        (piece("mirror.html", "registered capacity: 18.0 MW"), "mirror.html", "copy"),
        (piece("chart.png", "18 megawatts as drawn"), "chart.png", "copy"),
        (piece("mirror.html", "registered capacity: 18.0 MW", contradictions=(1,)), "mirror.html", ""),
    ],
)
def test_a_vote_is_a_quote_that_stands_in_a_source_of_its_own(evidence: Evidence, source: str, refused: str) -> None:
    before = tuple(replace(one, contradictions=(0,)) for one in (REGISTER, NOTICE))
    if evidence.source in ("mirror.html", "chart.png"):
        *_, last = checked([*before, evidence], SOURCES)
    else:
        (last,) = checked([evidence], SOURCES)
    assert (last.source, last.refused) == (source, refused)
    assert last.independent is (evidence.independent and not refused)
    assert last.quote == evidence.quote, "what does not count is kept"


def verdict(status: str, winner: str, *evidence: Evidence) -> StatedVerdict:
    claims = ({"contradiction": 0, "status": status, "winner": winner, "value": "v"}, {"contradiction": 1, "status": "inconclusive"})  # fmt: skip
    return StatedVerdict.model_validate({"conflict": ConflictId("c1"), "claims": claims, "evidence": evidence})


@pytest.mark.parametrize(
    ("status", "winner", "evidence", "lacks"),
    [
        ("resolved", "left", [REGISTER], None),
        ("resolved", "left", [], "0 independent sources"),
        ("resolved", "right", [REGISTER], "0 independent sources"),
        ("resolved", "left", [piece("register.md", "18.5 MW")], "“18.5 MW” does not stand word for word in register.md"),
        ("resolved", "left", [REGISTER, piece("notice.md", "18 megawatts", "right")], None),
        ("resolved", "left", [REGISTER, piece("notice.md", "18 megawatts", "right", contradictions=(0,))], "as many"),
        ("resolved", "left", [REGISTER, piece("notice.md", "18 megawatts", "other", contradictions=(0,))], None),
        ("resolved", "left", [REGISTER, piece("notice.md", "18 megawatts", "right", contradictions=(1,))], None),
        ("resolved", "left", [REGISTER, piece("notice.md", "18 megawatts", "right", independent=False)], None),
        ("both_wrong", "", [piece("register.md", "18.0 MW", "other")], "1 independent sources of at least 2"),
        ("both_wrong", "", [piece("register.md", "18.0 MW", "other"), piece("register.md", "2019", "other")], "1 indep"),
        ("both_wrong", "", [piece("register.md", "18.0 MW", "other"), piece("notice.md", "18 mega…", "other")], "1 indep"),
        ("both_wrong", "", [piece("register.md", "18.0 MW", "other"), piece("notice.md", "18 megawatts", "other")], None),
        ("false_alarm", "", [], None),
        ("inconclusive", "", [], None),
    ],
)  # fmt: skip
def test_a_verdict_stands_on_more_sources_than_any_other_value_has(
    status: str, winner: str, evidence: list[Evidence], lacks: str | None
) -> None:
    stated = verdict(status, winner, *checked(evidence, SOURCES))
    lacking = [lack for _, lack in unproven(stated, "en")]
    assert len(lacking) == (lacks is not None)
    assert lacks is None or lacks in lacking[0]
