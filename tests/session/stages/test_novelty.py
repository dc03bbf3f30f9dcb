"""What an answer retells is no memory of its own; what it concludes, with a value or a name nobody had, is."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import ContextIntercepted
from memorybank.memory.types import ConflictId, ConflictStatus, Lang
from memorybank.session.executors.base import Assignment
from memorybank.session.stages.novelty import is_new, new_sentences
from tests.scripted import WorldExecutor, finished, write_verdict

PARSE = HashedNgrams().parse
KNOWN: dict[Lang, str] = {
    "en": (
        "The Skerra Sound array of Skerra Tidal Ltd has twelve turbines of 1.5 MW. It first exported electricity on "
        "14 March 2023. The Norwick Herald printed 24 megawatts, which is what the licence of the Marine Directorate "
        "allows."
    ),
    "zh": (
        "云溪市博物馆藏有一面鹿纹铜镜，1986年4月17日出土于青岩村三号墓，直径21.3厘米，镜背饰八只奔鹿。"
        "《云溪晚报》所说的23.1厘米是双凤纹铜镜的直径。"
    ),
}
RETOLD = [
    pytest.param(
        "en",
        "**Turbines: 12**, at 1,500 kW each (n3, overview.md). Power first went to the grid on 2023-03-14, says the "
        "operator.\n- The 24 MW in the Herald (c1) are merely the licensed maximum.",
        id="en",
    ),
    pytest.param(
        "zh",
        "**直径：21.3厘米**（n3）。铜镜于一九八六年四月十七日在青岩村的3号墓出土，背面有8只鹿。\n"
        "- 晚报的“23.1厘米”（c1）其实出自另一面铜镜，云溪博物馆的说法成立。",
        id="zh",
    ),
]
CONCLUDED = [
    pytest.param(
        "en",
        "All twelve run.\nSo the paper overstated the capacity by 33 percent. It was misled by the licence.",
        "So the paper overstated the capacity by 33 percent.",
        id="en value",
    ),
    pytest.param(
        "en", "The twelve were built by Orkla Marine.", "The twelve were built by Orkla Marine.", id="en name"
    ),
    pytest.param(
        "zh",
        "直径是21.3厘米。\n- 两面铜镜的直径因此相差1.8厘米。报纸把它们弄混了。",
        "两面铜镜的直径因此相差1.8厘米。",
        id="zh value",
    ),
    pytest.param("zh", "铜镜后来送到江北博物馆展出。", "铜镜后来送到江北博物馆展出。", id="zh name"),
]


@pytest.mark.parametrize(("lang", "answer"), RETOLD)
def test_known_values_and_names_in_other_words_are_no_news(lang: Lang, answer: str) -> None:
    assert new_sentences(answer, [KNOWN[lang]], PARSE) == []
    assert not is_new(answer, ["", KNOWN[lang]], PARSE), "whichever text it is that knows them"


@pytest.mark.parametrize(("lang", "answer", "sentence"), CONCLUDED)
def test_a_sentence_with_a_new_value_or_name_is_news(lang: Lang, answer: str, sentence: str) -> None:
    assert new_sentences(answer, [KNOWN[lang]], PARSE) == [sentence]
    assert not is_new(answer, [KNOWN[lang], sentence], PARSE)


def test_a_document_that_is_cited_is_no_news() -> None:
    answer = "这只见于铜镜参观记.md，没有别的来源。"
    assert new_sentences(answer, [KNOWN["zh"]], PARSE, ["铜镜参观记.md"]) == []


def test_a_negative_number_keeps_its_sign_when_its_list_mark_goes() -> None:
    answer = "- -40 °C was measured at Vostok Station.\n-38.5 °C was measured at Concordia Station."
    assert new_sentences(answer, [KNOWN["en"]], PARSE) == [
        "-40 °C was measured at Vostok Station.",
        "-38.5 °C was measured at Concordia Station.",
    ]


@pytest.mark.parametrize(("lang", "answer"), RETOLD)
def test_a_round_that_retells_memory_files_nothing_and_is_barren(lang: Lang, answer: str, run_dir: Path) -> None:
    session = finished(run_dir, KNOWN[lang], goal="Which?", lang=lang, executor=WorldExecutor(say=lambda _: answer))
    assert all(entry.kind != "answer" for entry in session.bank.tree.entries.values())
    assert session.bank.progress.barren_rounds == 1


@pytest.mark.parametrize(("lang", "answer", "sentence"), CONCLUDED)
def test_a_round_that_concludes_something_is_filed(lang: Lang, answer: str, sentence: str, run_dir: Path) -> None:
    session = finished(run_dir, KNOWN[lang], goal="Which?", lang=lang, executor=WorldExecutor(say=lambda _: answer))
    (conclusions,) = (entry for entry in session.bank.tree.entries.values() if entry.kind == "answer")
    assert conclusions.text == sentence
    assert session.bank.progress.barren_rounds == 0
    taken = [record.event for record in session.records if isinstance(record.event, ContextIntercepted)]
    assert [event.brings_new for event in taken] == [True, None]


def test_of_a_validation_that_is_filed_which_the_verdict_does_not_say(run_dir: Path) -> None:
    verdict = StatedVerdict(
        conflict=ConflictId("c1"),
        status=ConflictStatus.RESOLVED,
        winner="left",
        value="105",
        reasoning="counted 3077 times",
    )

    def check(given: Assignment) -> str:
        said = "Willow has 105 qubits, counted 3077 times.\nOn the way: its cryostat weighs 4,211 kg."
        return f"{said}\n{write_verdict(verdict)}" if given.briefs else "105"

    session = finished(
        run_dir, "willow qubits: 105\n", "willow qubits: 98\n", goal="How many?", executor=WorldExecutor(say=check)
    )
    (beside,) = (entry.text for entry in session.bank.tree.entries.values() if entry.kind == "answer")
    assert beside == "On the way: its cryostat weighs 4,211 kg."
    assert any(beside in node.summary for node in session.bank.graph.nodes.values())
