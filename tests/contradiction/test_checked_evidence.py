"""What counts of the evidence that a verdict states, and whether the verdict stands on it."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.contradiction.votes import SourcePassage, checked, unproven
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import ConflictId, Evidence, Lang

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
    before = tuple(Evidence(**{**vars_of(one), "contradictions": (0,)}) for one in (REGISTER, NOTICE))
    if evidence.source in ("mirror.html", "chart.png"):
        *_, last = checked([*before, evidence], SOURCES)
    else:
        (last,) = checked([evidence], SOURCES)
    assert (last.source, last.refused) == (source, refused)
    assert last.independent is (evidence.independent and not refused)
    assert last.quote == evidence.quote, "what does not count is kept"


def vars_of(evidence: Evidence) -> dict[str, Any]:
    return {name: getattr(evidence, name) for name in ("source", "quote", "supports", "independent")}


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


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_why_it_does_not_stand_is_said_in_the_session_s_language(lang: Lang) -> None:
    (lacking,) = unproven(verdict("resolved", "left", *checked([piece("n3", "19 MW")], SOURCES)), lang)
    assert ("记忆中也没有" if lang == "zh" else "is in memory") in lacking[1]
