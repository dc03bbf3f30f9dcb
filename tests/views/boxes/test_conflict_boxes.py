"""What is drawn of a dispute and its conflicts: one line of few words, evidence with its weight, who ruled."""

from __future__ import annotations

from typing import get_args

import pytest

from memorybank.contradiction.disputes.dispute import Dispute, Said, StatedValue, title
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ClaimVerdict, Conflict, ConflictId, ConflictStatus, Evidence, Lang, Refusal
from memorybank.session.executors.base import OFFLINE_RESEARCHER, REACT_AGENT
from memorybank.views.box import Box
from memorybank.views.boxes.conflict_evidence import evidence, verdict
from memorybank.views.boxes.conflicts import MOST_VALUES, USER, dispute_line, executor_name
from memorybank.views.i18n import t
from tests.hostile import OWNED
from tests.made_events import claim, conflict


def test_a_dispute_of_many_values_and_sources_stays_one_line_of_few_words(lang: Lang) -> None:
    values = tuple(
        StatedValue(
            text=f"{number} qubits {OWNED}" + " and more" * 60,
            said=tuple(Said(source=f"{n}.md", quote=f"It has {number} qubits.") for n in range(40)),
        )
        for number in range(9)
    )
    dispute = Dispute(
        id="c1", entity="Willow", attribute="qubits", values=values, status=ConflictStatus.RESOLVED,
        conflict_ids=(ConflictId("c1"), ConflictId("c2")), description="d",
    )  # fmt: skip
    line = dispute_line(dispute, lang)
    said = " ".join(str(line.data()).split())
    assert said.count("conflict:c1") == 2, "the whole line leads there, and so does the first of its conflicts"
    assert t("conflict.status.resolved", lang) in said
    assert said.count(t("conflicts.holds_chip", lang)) == 1
    assert said.count("'0.md'") == MOST_VALUES
    assert said.count(t("conflicts.in_words", lang, source="0.md", quote="It has 0 qubits.")) == 1, "with its words"
    assert "+37" in said
    assert t("conflicts.more_values", lang, count=9 - MOST_VALUES) in said
    assert len(said) < 4_000


def test_a_dispute_without_values_is_told_by_its_description() -> None:
    dispute = Dispute(
        id="c1", entity="", attribute="", values=(), status=ConflictStatus.OPEN,
        conflict_ids=(ConflictId("c1"),), description="They disagree.",
    )  # fmt: skip
    assert title(dispute, "en") == "They disagree."
    assert "They disagree." in str(dispute_line(dispute, "en").data())


CLAIMS = (
    ClaimVerdict(contradiction=0, status=ConflictStatus.RESOLVED, winner="left", value="18 MW"),
    ClaimVerdict(contradiction=1, status=ConflictStatus.RESOLVED, winner="right", value="2 June"),
    ClaimVerdict(contradiction=2, status=ConflictStatus.INCONCLUSIVE, value="51 GWh"),
)


def ruled(*pieces: Evidence) -> Conflict:
    """A conflict on the day on which something reopened; what was ruled of it is of three points."""
    left, right = claim("remains closed", kind="date"), claim("3 June 2023", kind="date")
    told = {"status": ConflictStatus.RESOLVED, "winner": "left", "value": "18 MW", "claims": CLAIMS}
    return conflict(left, right, evidence=pieces, **told)


def shown(*pieces: Evidence, lang: Lang = "en") -> str:
    return said(evidence(ruled(*pieces), MemoryState(), 9, lang))


@pytest.mark.parametrize("refused", [refused for refused in get_args(Refusal) if refused])
def test_what_was_refused_says_why(refused: Refusal, lang: Lang) -> None:
    piece = Evidence(source="a.md", quote="It is so.", supports="left", independent=False, refused=refused)
    drawn = shown(piece, lang=lang)
    assert "It is so." in drawn
    assert t(f"conflicts.weight.{refused}", lang) in drawn
    assert t("conflicts.weight.counted", lang) not in drawn
    assert t(f"conflicts.weight_help.{refused}", lang)


@pytest.mark.parametrize(
    ("quotes", "is_named"),
    [
        pytest.param(["It reopened on 3 June 2023."], True, id="the value itself"),
        pytest.param(["It was reopened on 2023-06-03."], True, id="in another form"),
        pytest.param(["It reopened on 3 June 2023.", "All rooms can be seen again."], False, id="in other words"),
    ],
)
def test_a_value_stands_above_those_alone_whose_passages_state_it(quotes: list[str], is_named: bool) -> None:
    named = [(f"{quote[:6]}.md", quote) for quote in quotes]
    drawn = shown(*(Evidence(source=name, quote=quote, supports="right", independent=True) for name, quote in named))
    assert all(quote in drawn for quote in quotes)
    assert ("“3 June 2023”" in drawn) is is_named


def test_what_a_passage_is_said_to_state_it_states() -> None:
    for quote, is_said in (("It has 600 kW.", True), ("It is strong.", False)):
        drawn = shown(Evidence(source="a.md", quote=quote, supports="neither", value="0.6 MW"))
        assert ("says “0.6 MW”" in drawn) is is_said


def test_what_holds_is_said_of_each_point_that_was_decided(lang: Lang) -> None:
    drawn = said(verdict(ruled(), (), MemoryState(), None, lang))
    assert f"18 MW{t('punctuation.semicolon', lang)}2 June" in drawn
    assert "51 GWh" not in drawn


def said(boxes: list[Box]) -> str:
    return str([one.data() for one in boxes])


@pytest.mark.parametrize(
    ("name", "lang", "words"),
    [
        (OFFLINE_RESEARCHER, "zh", "离线研究员"),
        (REACT_AGENT, "zh", "ReAct 智能体"),
        (USER, "en", "you"),
        (USER, "zh", "你"),
        ("my own agent", "zh", "my own agent"),
    ],
)
def test_whoever_gave_a_verdict_is_named_in_the_reader_s_language(name: str, lang: Lang, words: str) -> None:
    assert executor_name(name, lang) == words
