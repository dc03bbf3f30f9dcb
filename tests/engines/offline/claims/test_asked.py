"""What two texts answer to the session's question, and what sets their answers apart."""

from __future__ import annotations

import pytest

from memorybank.contracts import NodeInfo
from memorybank.engines.offline.analysis import contradictions_between
from memorybank.engines.offline.claims.asked import answered
from memorybank.engines.offline.claims.asked.answers import answers
from memorybank.engines.offline.claims.asked.question import read
from memorybank.engines.offline.claims.evidence import SourcePassage, stance, weigh
from memorybank.types import ConflictStatus

DIFFER = [
    (
        "When did the Harbour Dues Act come into force?",
        "The Harbour Dues Act was debated for years. It entered into force on 3 May 2011.",
        "All masters are bound by the Harbour Dues Act, which took effect on 3 July 2011.",
        {"3 May 2011", "3 July 2011"},
    ),
    (
        "What is the bust of Ada Thorne made of?",
        "A bust of Ada Thorne stands in the foyer. The figure is of marble.",
        "The sculptor gave Ada Thorne a bust of cast iron.",
        {"marble", "iron"},
    ),
    (
        "Is the ashen inkcap poisonous?",
        "The ashen inkcap grows on stumps. The species is poisonous.",
        "The ashen inkcap is perfectly harmless and good in soups.",
        {"poisonous", "perfectly harmless"},
    ),
    (
        "How many pages does the Atlas of Tides have?",
        "The Atlas of Tides is a folio. It runs to 212 pages.",
        "The Atlas of Tides has 198 pages, all of them coloured.",
        {"212", "198"},
    ),
    (
        "What was the turnout in the referendum at Merrowby?",
        "Merrowby voted in June. Turnout was 58 per cent.",
        "In the referendum at Merrowby the turnout reached 64%.",
        {"58 per cent", "64%"},
    ),
    (
        "Are dogs allowed in the orchard at Dunley?",
        "Dunley opens at nine. Dogs are not allowed in the orchard.",
        "At Dunley you may bring a picnic, and dogs are allowed in the orchard on a lead.",
        {"not allowed", "allowed"},
    ),
    (
        "岚石酿造的总部在哪里？",
        "岚石酿造主要生产酱油。公司总部位于临槐市。",
        "总部设在泊宁市的岚石酿造以米醋见长。",
        {"临槐市", "泊宁市"},
    ),
    (
        "Are dogs allowed on Tarn Beach?",
        "Tarn Beach is a mile of sand. Dogs are allowed on the beach all year.",
        "Visitors to Tarn Beach are reminded that no dogs may be brought onto the sand.",
        {"allowed", "no dogs may"},
    ),
    (
        "When was the Halvorsen lighthouse automated?",
        "The Halvorsen lighthouse stands on a skerry. It was automated in 1978.",
        "A guide says that the Halvorsen lighthouse was automated in 1984.",
        {"1978", "1984"},
    ),
    (
        "How long is the Severin tunnel?",
        "The Severin tunnel carries the coast line. It is 2.4 kilometres long.",
        "A magazine gives the length of the Severin tunnel as 3.1 kilometres.",
        {"2.4 kilometres", "3.1 kilometres"},
    ),
    (
        "When did the Tarrow ferry begin running?",
        "The Tarrow ferry began running in 1931.",
        "Take the Tarrow ferry. It has linked both shores since 1936.",
        {"1931", "1936"},
    ),
    (
        "天梭网关的默认端口是多少？",
        "天梭网关默认监听 7420 端口，直接连接即可。",
        "天梭网关的端口默认为7240，可在配置里修改。",
        {"7420", "7240"},
    ),
    (
        "石像《望潮》是用什么材料做的？",
        "《望潮》立于码头。雕像以青铜铸成，高三米。",
        "码头的《望潮》像用汉白玉雕成。",
        {"青铜", "汉白玉"},
    ),
    (
        "成人服用止渴宁片，一天最多几片？",
        "止渴宁片饭后服用，成人每日最大用量为6片。",
        "问：止渴宁片能多吃吗？答：大人一天吃三片就到顶了。",
        {"6", "三"},
    ),
    (
        "白石蘑有毒吗？",
        "白石蘑生于林缘。该种无毒，味道鲜美。",
        "【提示】白石蘑为有毒种类，不可采食。",
        {"无毒", "有毒种类"},
    ),
]


@pytest.mark.parametrize(("question", "left", "right", "values"), DIFFER, ids=[one[0] for one in DIFFER])
def test_two_answers_to_one_question(question: str, left: str, right: str, values: set[str]) -> None:
    for one, other in ((left, right), (right, left)):
        (found,) = answered(one, other, question)
        assert {found.left.value, found.right.value} == values
        assert found.left.value in found.left.text
        assert found.left.text in one
        assert found.left.attribute
    assert answered(left, left, question) == ()
    assert answered(left, right, "") == ()


APART = [
    ("When did the Harbour Dues Act come into force?", "It passed the Harbour Dues Act on 1 March 2010."),
    ("What is the bust of Ada Thorne made of?", "The plinth under the bust of Ada Thorne is of granite."),
    ("Is the ashen inkcap poisonous?", "The pale inkcap is harmless."),
    ("How many pages does the Atlas of Tides have?", "The second edition of the Atlas of Tides has 340 pages."),
    ("What was the turnout in the referendum at Merrowby?", "At Merrowby turnout in the run-off was 41 per cent."),
    ("How long does the Fenlite 300 run on one charge?", "The Fenlite 300 Pro lasts 22 hours on one charge."),
    ("How much did the Sorrel Tunnel cost?", "The estimate puts the cost of the Sorrel Tunnel at 240 million dollars."),
    (
        "Where was the painter Isa Penhale born?",
        "Luc Penhale was a brother of the painter Isa Penhale. He was born in Vael.",
    ),
    ("How much does the Brisk K7 kettle weigh?", "The gross weight of the Brisk K7 in its carton is 2.3 kg."),
    ("What is the bell at Sand Point made of?", "The clapper of the bell at Sand Point is of iron."),
    ("临溪水库的总库容是多少？", "临溪水库下游的石门水库总库容只有450万立方米。"),
    ("岚石酿造的总部在哪里？", "岚石酿造的研发中心设在绍川市。"),
    ("天梭网关的默认端口是多少？", "天梭网关自带控制台。控制台默认端口为9085。"),
    ("石像《望潮》是用什么材料做的？", "《望潮》的基座用花岗岩砌成。"),
    ("成人服用止渴宁片，一天最多几片？", "止渴宁片用于儿童时，每日最大用量为2片。"),
    ("白石蘑有毒吗？", "拟白石蘑多见于阔叶林下。该种有毒。"),
    ("乌石煤矿还在生产吗？", "乌石洗煤厂与乌石煤矿隔河相望。该厂仍在生产。"),
]


@pytest.mark.parametrize(("question", "near_miss"), APART, ids=[one[1] for one in APART])
def test_what_is_told_of_another_thing_is_no_answer(question: str, near_miss: str) -> None:
    firsts = {one[0]: (one[1], one[2]) for one in DIFFER}
    for text in firsts.get(question, ()):
        assert answered(text, near_miss, question) == ()
    for asked in read(question):
        assert answers(near_miss, asked) == ()


@pytest.mark.parametrize(("question", "left", "right", "values"), DIFFER, ids=[one[0] for one in DIFFER])
def test_a_third_text_stands_on_one_side(question: str, left: str, right: str, values: set[str]) -> None:
    (found,) = answered(left, right, question)
    assert stance(left, found).supports == "left"
    assert stance(right, found).supports == "right"
    assert stance("Nothing of the kind is told here.", found).supports == "neither"
    sources = [
        SourcePassage(source="a", text=left, party="left"),
        SourcePassage(source="b", text=right, party="right"),
        SourcePassage(source="c", text=f"{right} More is not known.", party=None),
    ]
    assert weigh(found, sources).status in (ConflictStatus.RESOLVED, ConflictStatus.INCONCLUSIVE)


SET_APART = [
    ("11 people were killed by the Orm avalanche.", "17 people were injured by the Orm avalanche."),
    (
        "The Pellmore Courier has been owned by the Aldis Trust since 2016.",
        "The Pellmore Courier was owned by the Venns until 2016.",
    ),
    ("In 2022 the Fellbird weighs 2.4 kg complete with pegs.", "In 2022 the Fellbird weighs 1.3 kg without pegs."),
    ("旺季（4月至10月）成人门票65元。", "11月至次年3月为淡季，成人门票40元。"),
]


@pytest.mark.parametrize(("left", "right"), SET_APART)
def test_what_sets_claims_apart_that_were_found_without_a_question(left: str, right: str) -> None:
    nodes = [NodeInfo(summary=text, context="", keywords=()) for text in (left, right)]
    assert contradictions_between(*nodes) == ()


def test_a_claim_of_another_year_than_the_question_asks_of_is_none() -> None:
    one = NodeInfo(summary="In 1912 a strike at the Pennock works lasted eleven weeks.", context="", keywords=())
    other = NodeInfo(summary="In 1926 a strike at the Pennock works lasted three weeks.", context="", keywords=())
    assert contradictions_between(one, other, "How long did the 1912 strike at the Pennock works last?") == ()


def test_a_text_that_is_headed_by_another_year_tells_of_that_year() -> None:
    one = NodeInfo(summary="Revenue of Lund Marine for 2022 came to 318 million crowns.", context="", keywords=())
    report = "Lund Marine, report of the board for {}. Revenue amounted to 254 million crowns."
    question = "What was the revenue of Lund Marine in 2022?"
    before, same = (NodeInfo(summary=report.format(year), context="", keywords=()) for year in (2021, 2022))
    assert contradictions_between(one, before, question) == ()
    assert len(contradictions_between(one, same, question)) == 1


def test_a_name_that_only_says_what_is_done_there_is_not_what_a_sentence_is_about() -> None:
    one = NodeInfo(summary="The Westlode Courier is owned by the Garrity family.", context="", keywords=())
    works = "The printing works, where the Westlode Courier is produced, is owned by Penfold and Sons."
    other = NodeInfo(summary=works, context="", keywords=())
    assert contradictions_between(one, other, "Who owns the Westlode Courier?") == ()


def test_a_stone_by_its_other_name_is_the_same() -> None:
    question = "听潮亭的柱子是用什么材料做的？"
    one, other = "听潮亭的柱子用花岗岩凿成。", "听潮亭的柱子是花岗石的。"
    assert answered(one, other, question) == ()
    assert answered(one, "听潮亭的柱子用汉白玉雕成。", question) != ()


def test_what_lies_on_a_thing_is_not_the_thing() -> None:
    one = "The Halvorsen lighthouse stands on a skerry. It was automated in 1978, and the last keeper left."
    other = "The fog station on Halvorsen was automated in 1991. Its compressor is kept in the museum."
    nodes = [NodeInfo(summary=text, context="", keywords=()) for text in (one, other)]
    assert contradictions_between(*nodes, "When was the Halvorsen lighthouse automated?") == ()


def test_a_newer_thing_that_lies_downstream_is_another() -> None:
    texts = "一本地方志记载，白鹭桥于1992年通车，由省里投资修建。", "白鹭桥下游的新白鹭桥2009年通车，双向六车道。"
    nodes = [NodeInfo(summary=text, context="", keywords=()) for text in texts]
    assert contradictions_between(*nodes, "白鹭桥是哪一年通车的？") == ()


def test_a_sentence_that_repeats_the_question_needs_no_word_of_the_attribute() -> None:
    question = "At what temperature is the glaze on Saltmere celadon fired?"
    one = "Saltmere celadon is stoneware. The glaze is fired at 1,240 °C in a gas kiln."
    other = "Saltmere potters use ash. Their celadon glaze is taken to 1,180 °C."
    (found,) = answered(one, other, question)
    assert {found.left.value, found.right.value} == {"1,240 °C", "1,180 °C"}
    assert answered(one, "Saltmere celadon is stoneware. The first firing goes to 980 °C.", question) == ()
    assert answered(one, "In 1950 the glaze of Saltmere celadon was fired at 1,100 °C.", question) == ()


def test_what_else_a_sentence_names_sets_its_claim_not_apart() -> None:
    """长征二号 is a rocket, and no second 爱因斯坦探针."""
    one = NodeInfo(
        summary="2024年1月9日，爱因斯坦探针卫星从西昌卫星发射中心发射，由长征二号丙火箭送入轨道。",
        context="",
        keywords=(),
    )
    other = NodeInfo(summary="2024年1月9日，爱因斯坦探针从酒泉卫星发射中心发射。", context="", keywords=())
    (found,) = contradictions_between(one, other, "爱因斯坦探针是从哪里发射的？")
    assert {found.left.value, found.right.value} == {"西昌卫星发射中心", "酒泉卫星发射中心"}
