"""What a third text says on a contradiction, which sources are independent, and the ruling."""

from __future__ import annotations

from memorybank.contradiction.votes import SourcePassage, near_identical
from memorybank.memory.types import ConflictStatus, Contradiction
from tests.contradiction.parsed import contradictions, ruled, stance

LEFT = "Osprey has 433 qubits. It was announced in 2022."
RIGHT = "Osprey has 412 qubits. It was made in a plant near Dresden."
LEFT_ZH, RIGHT_ZH = "鱼鹰处理器有433个量子比特。", "鱼鹰处理器共有412个量子比特。"


def dispute(left: str = LEFT, right: str = RIGHT) -> Contradiction:
    return contradictions(left, right)[0]


def sources(*texts: str) -> list[SourcePassage]:
    """The two parties, then the others."""
    parties = [
        SourcePassage(source="left.md", text=LEFT, party="left"),
        SourcePassage(source="right.md", text=RIGHT, party="right"),
    ]
    return parties + [SourcePassage(source=f"{at}.md", text=text) for at, text in enumerate(texts)]


def test_stance_of_single_passages() -> None:
    said = {
        "The 433 qubits of Osprey form a grid.": "left",
        "Inside Osprey there are 412 qubits.": "right",
        "Osprey has 390 qubits in all.": "other",
        "Osprey was announced in November.": "neither",
        "Merlin has 412 qubits.": "neither",
        "Osprey may have 412 qubits.": "neither",
    }
    assert {text: stance(text, dispute()).supports for text in said} == said
    told = stance("We visited the plant. Osprey has 390 qubits in all. It was raining.", dispute())
    assert (told.supports, told.value, told.quote) == ("other", "390", "Osprey has 390 qubits in all.")


def test_stance_in_chinese() -> None:
    found = dispute(LEFT_ZH, RIGHT_ZH)
    assert stance("鱼鹰处理器有433个量子比特，排成方阵。", found).supports == "left"
    assert stance("资料显示，鱼鹰处理器的量子比特数量为412个。", found).supports in ("right", "neither")
    assert stance("白鹭处理器有412个量子比特。", found).supports == "neither"


def test_the_majority_of_independent_sources_wins() -> None:
    ruling = ruled(dispute(), sources("Osprey has 433 qubits.", "On Osprey there are 433 qubits in rows."))
    assert (ruling.status, ruling.winner, ruling.value) == (ConflictStatus.RESOLVED, "left", "433")
    assert "“433” stands on 3 sources (left.md, 0.md, 1.md)" in ruling.reason
    assert "“412” stands on 1 source (right.md)" in ruling.reason
    counted = {one.source: one.independent for one in ruling.evidence}
    assert counted == {"left.md": False, "right.md": False, "0.md": True, "1.md": True}


def test_a_tie_is_inconclusive() -> None:
    assert ruled(dispute(), sources()).status is ConflictStatus.INCONCLUSIVE
    tied = ruled(dispute(), sources("Osprey has 433 qubits.", "Osprey has 412 qubits."))
    assert (tied.status, tied.winner, tied.value) == (ConflictStatus.INCONCLUSIVE, "", "")


def test_copies_and_parties_have_one_vote() -> None:
    passage = "Osprey has 433 qubits, which are arranged in a grid of nineteen rows and are read out one after another."
    copied = ruled(dispute(), sources(passage, passage + " So says the leaflet.", "Osprey has 412 qubits."))
    assert copied.status is ConflictStatus.INCONCLUSIVE
    again = ruled(
        dispute(), [*sources("Osprey has 412 qubits."), SourcePassage(source="left.md", text="Osprey has 433 qubits.")]
    )
    assert (again.status, again.winner) == (ConflictStatus.RESOLVED, "right")


def test_an_image_says_what_it_says_for_the_page_that_shows_it() -> None:
    def shown(name: str, text: str, page: str) -> SourcePassage:
        return SourcePassage(source=f"{name}, an image of {page}", text=text, shown_by=page)

    against = sources("Osprey has 412 qubits.")
    of_a_party = [
        shown("a.png", "Osprey has 433 qubits.", "left.md"),
        shown("b.png", "433 qubits of Osprey.", "left.md"),
    ]
    assert ruled(dispute(), [*against, *of_a_party]).winner == "right", "the left side's own page has spoken"
    together = [
        shown("a.png", "Osprey has 433 qubits.", "x.md"),
        shown("b.png", "Osprey has 433 qubits in rows.", "x.md"),
    ]
    assert ruled(dispute(), [*against, *together]).status is ConflictStatus.INCONCLUSIVE, "two images, one page"
    apart = [together[0], shown("b.png", "Osprey has 433 qubits in rows.", "y.md")]
    assert ruled(dispute(), [*against, *apart]).winner == "left"


def test_a_passage_that_explains_both_closes_a_false_alarm() -> None:
    told = "Osprey started with 412 qubits; since the upgrade of 2023 it works with 433 qubits."
    ruling = ruled(dispute(), sources(told))
    assert ruling.status is ConflictStatus.FALSE_ALARM
    assert told in ruling.reason
    disputed = "Some say that Osprey has 412 qubits since 2023, others say 433 qubits."
    assert ruled(dispute(), sources(disputed)).status is not ConflictStatus.FALSE_ALARM


def test_the_reason_is_told_in_the_language_asked_for() -> None:
    assert "”有2个来源（left.md、0.md）" in ruled(dispute(), sources("Osprey has 433 qubits."), lang="zh").reason
    assert ruled((), (), lang="en").status is ConflictStatus.INCONCLUSIVE


def test_near_identical_passages() -> None:
    text = "The bridge was opened on a rainy day in March, and the mayor spoke for an hour about the cost of steel."
    assert near_identical(text, text.replace("rainy", "sunny") + " Nobody listened.")
    assert not near_identical(text, "The bridge was opened in March. Steel had become dear, as the mayor noted.")
    long = "这座桥在三月的一个雨天通车，市长就钢材的价格讲了整整一个小时，许多人没有听完就离开了。"
    assert near_identical(long, "有人写道：" + long)
    assert not near_identical("short", "another")
    assert near_identical("short", "short")


def test_each_contradiction_of_a_pair_is_ruled_by_itself() -> None:
    old = "The Varna tunnel is 4,120 metres long. The Varna tunnel opened in 1987."
    new = "The Varna tunnel is 4,210 metres long. The Varna tunnel opened in 1989."
    found = contradictions(old, new)
    assert {(one.left.value, one.right.value) for one in found} == {("4,120 metres", "4,210 metres"), ("1987", "1989")}
    parties = [
        SourcePassage(source="guide.md", text=old, party="left"),
        SourcePassage(source="leaflet.md", text=new, party="right"),
    ]
    survey = SourcePassage(source="survey.md", text="Surveyors found the Varna tunnel to be 4,120 metres long.")
    only_length = ruled(found, [*parties, survey])
    assert (only_length.status, only_length.winner, only_length.value) == (
        ConflictStatus.RESOLVED, "left", "4,120 metres"
    )  # fmt: skip
    by_point = {one.left.value: ruling.status for one, ruling in zip(found, only_length.each, strict=True)}
    assert by_point == {"4,120 metres": ConflictStatus.RESOLVED, "1987": ConflictStatus.INCONCLUSIVE}
    assert "“1989” stands on 1 source (leaflet.md) (not settled, both stay)" in only_length.reason
    chronicle = SourcePassage(source="chronicle.md", text="To the sound of trumpets the Varna tunnel opened in 1989.")
    both = ruled(found, [*parties, survey, chronicle])
    assert {one.left.value: ruling.winner for one, ruling in zip(found, both.each, strict=True)} == {
        "4,120 metres": "left",
        "1987": "right",
    }
    assert ruled(found, parties).status is ConflictStatus.INCONCLUSIVE


def test_words_and_evidence_name_the_same_sources() -> None:
    left, right = "青云水电站总装机容量为2250万千瓦。", "青云水电站的总装机容量为2550万千瓦，夜景很美。"
    (found,) = contradictions(left, right)
    given = [
        SourcePassage(source="概况.md", text=f"# 概况\n\n{left}", party="left"),
        SourcePassage(source="手册.md", text=f"{right}门票免费。", party="right"),
        SourcePassage(source="年鉴.md", text="到年底，青云水电站的总装机容量为2250万千瓦。"),
    ]
    ruling = ruled(found, given)
    assert ruling.winner == "left"
    assert ruling.reason == "“2250万千瓦”有2个来源（概况.md、年鉴.md）；“2550万千瓦”有1个来源（手册.md）"
    told = [(one.source, one.supports, one.independent) for one in ruling.evidence]
    assert told == [("概况.md", "left", False), ("手册.md", "right", False), ("年鉴.md", "left", True)]
    assert all(
        one.quote in passage.text for one in ruling.evidence for passage in given if passage.source == one.source
    )


def test_of_statements_that_deny_each_other_the_tally_names_the_words() -> None:
    yes, no = "The mill was built to grind oats.", "The mill was not built to grind oats."
    ruling = ruled(
        dispute(yes, no),
        [
            SourcePassage(source="left.md", text=yes, party="left"),
            SourcePassage(source="right.md", text=no, party="right"),
        ],
    )
    assert all(f"“{text[:-1]}” stands on 1 source" in ruling.reason for text in (yes, no)), ruling.reason


def test_the_memory_is_no_source() -> None:
    """A side whose sentence no document has stands on nothing; one document alone settles nothing against it."""
    ruling = ruled(dispute(), [SourcePassage(source="right.md", text=RIGHT, party="right")])
    assert "“433” stands on 0 sources" in ruling.reason
    assert ruling.status is ConflictStatus.INCONCLUSIVE
    assert [one.source for one in ruling.evidence] == ["right.md"]
