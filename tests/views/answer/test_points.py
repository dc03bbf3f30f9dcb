"""What an answer says, value by value: where each stands, how far it was checked, and that nothing is guessed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from memorybank.language.text import sha256
from memorybank.memory.bank import MemoryBank
from memorybank.memory.layers.conflicts import Conflicts
from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.layers.progress import Progress
from memorybank.memory.layers.query_graph import QueryGraph
from memorybank.memory.types import (
    Claim,
    Conflict,
    ConflictId,
    ConflictStatus,
    Contradiction,
    Entry,
    EntryId,
    Evidence,
    Lang,
    Node,
    NodeId,
    Span,
)
from memorybank.runs.run_folder import load, state_at
from memorybank.views.answer.points import AnswerPoint, points_of
from memorybank.views.box import Box, Piece
from memorybank.views.boxes.answer_card import answer_card
from memorybank.views.run.playback import Playback
from tests.recorded import recorded_run

TOWER = "The Orla tower is 324 metres tall and stands in the old town. It was opened in May 1932 by the mayor."
DOCUMENTS = {
    "tower.md": TOWER,
    "guide.md": "Visitors love the view. From far away one sees the Orla tower, 324 m high, above the roofs.",
    "copy.md": TOWER,
    "poster.md": "Come and see the Orla tower, 300 metres of steel, open every day but Monday until nine.",
    "ship.md": "The ship was 324 metres long.",
    "塔.md": "奥尔拉塔高324米，1932年5月落成。",
}


def bank_of(answer: str, *conflicts: Conflict, documents: Mapping[str, str] = DOCUMENTS) -> MemoryBank:
    entries = {
        EntryId(f"e{at}"): Entry(id=EntryId(f"e{at}"), kind="document", text=text, source=name, sha256=sha256(text))
        for at, (name, text) in enumerate(documents.items(), start=1)
    }
    nodes = {
        NodeId(f"n{at}"): Node(id=NodeId(f"n{at}"), summary=entry.text, context=entry.source, keywords=(), seq=at)
        for at, entry in enumerate(entries.values(), start=1)
    }
    spans: dict[NodeId, tuple[Span, ...]] = {
        NodeId(f"n{at}"): (Span(entry_id=entry.id, start=0, end=len(entry.text)),)
        for at, entry in enumerate(entries.values(), start=1)
    }
    return MemoryBank(
        graph=QueryGraph(nodes=nodes),
        tree=InteractionTree(entries=entries, spans=spans),
        conflicts=Conflicts(all={conflict.id: conflict for conflict in conflicts}),
        progress=Progress(answer=answer),
    )


def told(points: tuple[AnswerPoint, ...]) -> list[tuple[str, str, str]]:
    return [
        (value.text, point.state, " ".join(source.name for source in value.sources))
        for point in points
        for value in point.values
    ]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The Orla tower is 324 m tall (tower.md, guide.md).", ("324 m", "agreed", "tower.md guide.md")),
        ("The Orla tower is 324 metres tall (tower.md, copy.md).", ("324 metres", "single", "tower.md copy.md")),
        ("The Orla tower is 330 metres tall (tower.md).", ("330 metres", "silent", "tower.md")),
        ("The Orla tower is 324 metres tall (gone.md).", ("324 metres", "found", "tower.md guide.md copy.md")),
        ("The Orla tower is 324 metres tall.", ("324 metres", "found", "tower.md guide.md copy.md")),
        ("The Blue bridge is 324 metres long.", ("324 metres", "unknown", "")),
        ("It was opened in May 1932 [n1: tower.md].", ("May 1932", "single", "tower.md")),
        ("It was opened in May 1932 [n1].", ("May 1932", "single", "tower.md")),
        ("奥尔拉塔高三百二十四米（塔.md）。", ("三百二十四米", "single", "塔.md")),
        ("“奥尔拉塔”：一九三二年五月 [n6: 塔.md]", ("一九三二年五月", "single", "塔.md")),
        ("“Orla tower” (place): the old town [n1: tower.md]", ("the old town", "single", "tower.md")),
    ],
)
def test_a_value_has_the_sources_that_say_it(answer: str, expected: tuple[str, str, str]) -> None:
    assert told(points_of(bank_of(answer))) == [expected]


def test_the_trail_leads_to_the_sentence_of_the_source_and_to_its_memory() -> None:
    (point,) = points_of(bank_of("In short, the Orla tower is 324 metres tall (tower.md)."))
    (source,) = point.values[0].sources
    assert source.entry is not None
    assert source.place is not None
    assert source.entry.text[source.place.start : source.place.end].startswith("The Orla tower is 324 metres tall")
    assert (point.values[0].nodes, point.sentence) == (
        ("n1",),
        "In short, the Orla tower is 324 metres tall (tower.md).",
    )


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("- The Orla tower is 324 metres tall and stands in the old town. [n1: tower.md]", "single"),
        ("Its place is in the old town (tower.md).", "silent"),
        ("Nobody knows why.", "unknown"),
    ],
)
def test_an_answer_without_a_value_shows_its_key_sentence(answer: str, state: str) -> None:
    (point,) = points_of(bank_of(answer))
    assert (point.is_sentence, point.state) == (True, state)


def test_no_answer_has_no_points() -> None:
    assert points_of(bank_of("  \n")) == ()


def claim(value: str, text: str) -> Claim:
    return Claim(text=text, kind="number", subject="the Orla tower", attribute="height", value=value)


DISPUTED = Conflict(
    id=ConflictId("c1"),
    node_ids=(NodeId("n1"), NodeId("n4")),
    description="height",
    contradictions=(
        Contradiction(
            left=claim("324 metres", "The Orla tower is 324 metres tall and stands in the old town."),
            right=claim("300 metres", DOCUMENTS["poster.md"]),
            reason="",
            confidence=1.0,
        ),
    ),
    evidence=(
        Evidence(
            source="guide.md",
            quote="From far away one sees the Orla tower, 324 m high",
            supports="left",
            entry_id=EntryId("e2"),
        ),
        Evidence(
            source="tower.md",
            quote="The Orla tower is 324 metres tall and stands in the old town.",
            supports="left",
            entry_id=EntryId("e1"),
            independent=False,
        ),
        Evidence(
            source="poster.md",
            quote=DOCUMENTS["poster.md"],
            supports="right",
            entry_id=EntryId("e4"),
            independent=False,
        ),
    ),
)
HELD = replace(
    DISPUTED, status=ConflictStatus.CHECKED, winner="left", value="324 metres", closed_by="offline researcher"
)


@pytest.mark.parametrize(
    ("conflict", "answer", "expected"),
    [
        (HELD, "The Orla tower is 324 m tall (guide.md), not 300 metres (poster.md).", [("324 m", "checked")]),
        (
            HELD,
            "“the Orla tower”: 324 metres [n1: tower.md, guide.md]. Checked; sources for it: 2",
            [("324 metres", "checked")],
        ),
        (HELD, "The Orla tower is 300 metres tall.", [("300 metres", "refuted")]),
        (replace(HELD, closed_by="user"), "The Orla tower is 324 metres tall.", [("324 metres", "decided")]),
        (
            DISPUTED,
            "The Orla tower is 324 metres tall or 300 metres.",
            [("324 metres", "open"), ("300 metres", "open")],
        ),
        (
            replace(DISPUTED, status=ConflictStatus.FALSE_ALARM),
            "The Orla tower is 324 metres tall.",
            [("324 metres", "both_hold")],
        ),
        (HELD, "The ship was 324 metres long (ship.md).", [("324 metres", "single")]),
    ],
)
def test_a_disputed_value_says_how_its_dispute_stands(
    conflict: Conflict, answer: str, expected: list[tuple[str, str]]
) -> None:
    points = points_of(bank_of(answer, conflict))
    assert [(value, state) for value, state, _ in told(points)] == expected


def test_a_checked_value_names_its_rival_and_counts_who_is_independent() -> None:
    (point,) = points_of(bank_of("The Orla tower is 324 m tall.", HELD))
    assert [rival.text for rival in point.rivals] == ["300 metres"]
    assert [source.name for source in point.values[0].sources] == ["guide.md", "tower.md"]
    assert point.independent == 1
    assert all(source.place is not None for source in point.values[0].sources)


def words_of(piece: Piece) -> str:
    return piece if isinstance(piece, str) else " ".join(map(words_of, piece.inside))


def chosen_in(piece: Piece) -> set[str]:
    inner = piece.inside if isinstance(piece, Box) else ()
    return {piece.choose} | {each for part in inner for each in chosen_in(part)} if isinstance(piece, Box) else set()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_card_of_a_recorded_run_leads_from_each_value_to_check_memory_and_raw_text(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    moment = Playback().at(records)
    points = points_of(moment.bank)
    card = answer_card(moment, lang)
    assert card is not None
    assert any(point.state == "checked" for point in points)
    for point in points:
        assert all(source.place is not None for value in point.values for source in value.sources), point
        assert all(value.text in words_of(card) for value in point.values)
    kinds = {target.partition(":")[0] for target in chosen_in(card)}
    assert {"node", "conflict", "entry"} <= kinds
    assert answer_card(Playback().at(records, 3), lang) is None
    assert state_at(records, len(records)).progress.answer
