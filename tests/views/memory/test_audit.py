"""What a summary leaves out of its raw text, counted and placed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.engines.offline.structure import summarise
from memorybank.language.text import sha256
from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.types import Entry, EntryId, EntryKind, Lang, Node, NodeId, Span
from memorybank.runs.run_folder import load, state_at
from memorybank.views.memory.audit import Audit, Count, audit
from tests.recorded import recorded_run

N1, E1, E2 = NodeId("n1"), EntryId("e1"), EntryId("e2")
RAW = (
    "The Orla tunnel was opened on 4 May 1932. It is 5,200 metres long. Marta Lind designed the Orla tunnel. "
    "Weather was fine that day. In 1987 Marta Lind was given the Golden Compass."
)


def entry(text: str, id_: EntryId = E1, kind: EntryKind = "document") -> Entry:
    return Entry(id=id_, kind=kind, text=text, source=f"{id_}.md", sha256=sha256(text))


def tree(*entries: Entry) -> InteractionTree:
    spans = tuple(Span(entry_id=one.id, start=0, end=len(one.text)) for one in entries)
    return InteractionTree(entries={one.id: one for one in entries}, spans={N1: spans})


def node(summary: str) -> Node:
    return Node(id=N1, summary=summary, context="The Orla tunnel.", keywords=())


def audited(summary: str, *entries: Entry) -> Audit:
    found = audit(node(summary), tree(*entries))
    assert found is not None
    return found


def test_numbers_and_dates_are_compared_as_values() -> None:
    found = audited("Opened 1932-05-04, 5.2 km long, by 300 workers.", entry(RAW))
    assert [lost.text for lost in found.lost if lost.kind != "name"] == ["1987"]
    assert found.added == ("300",)


def test_names_and_numbers_are_read_in_one_form_and_told_with_their_place() -> None:
    raw = "The Lud\u00adwen Quay by Bran\u200bnoc Works cost 1,9\u206077 crowns. It has 12 cranes."
    found = audited("The Ludwen Quay cost 1977 crowns.", entry(raw))
    assert not found.added
    assert {(lost.text, raw[lost.start : lost.end]) for lost in found.lost} == {
        ("Brannoc Works", "Bran\u200bnoc Works"),
        ("12", "12"),
    }


def test_what_is_lost_is_told_with_its_place() -> None:
    found = audited("It is 5200 metres long. Marta Lind designed the Orla tunnel.", entry(RAW))
    assert found.counts["number"] == Count(kept=1, total=1)
    assert found.counts["date"] == Count(kept=0, total=2)
    assert [(lost.kind, lost.text) for lost in found.lost] == [
        ("date", "4 May 1932"),
        ("date", "1987"),
        ("name", "Golden Compass"),
    ]
    for lost in found.lost:
        assert RAW[lost.start : lost.end] == lost.text
        assert (lost.entry_id, lost.times) == (E1, 1)
    assert found.added == ()
    assert found.share == pytest.approx(len("It is 5200 metres long. Marta Lind designed the Orla tunnel.") / len(RAW))
    assert found.kept.total == found.kept.kept + len(found.lost)


def test_of_several_sources_a_fact_is_counted_once() -> None:
    twice = audited("Nothing.", entry(RAW), entry(RAW, E2))
    assert twice.kept.total == audited("Nothing.", entry(RAW)).kept.total
    assert {lost.entry_id for lost in twice.lost} == {E1}
    assert {lost.text: lost.times for lost in twice.lost}["4 May 1932"] == 2
    assert audit(node("Nothing."), InteractionTree()) is None


def test_chinese() -> None:
    raw = "“九章”于2020年12月4日由中国科学技术大学发布，探测到76个光子。"
    found = audited("“九章”探测到76个光子。", entry(raw))
    assert found.counts["number"].kept == found.counts["number"].total >= 1
    assert "2020年12月4日" in [lost.text for lost in found.lost]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_node_of_a_recorded_run_can_be_audited(lang: Lang) -> None:
    bank = state_at(load(recorded_run(lang).path))
    for one in bank.graph.nodes.values():
        found = audit(one, bank.tree)
        if found is not None:
            assert found.kept.total - found.kept.kept == len(found.lost)
            for lost in found.lost:
                assert " ".join(bank.tree.entries[lost.entry_id].text[lost.start : lost.end].split()) == lost.text


@given(st.text(max_size=300))
def test_a_text_kept_whole_loses_nothing(text: str) -> None:
    found = audit(node(text), tree(entry(text)))
    assert found is not None
    assert found.lost == ()
    assert found.added == ()
    extract = audit(node(summarise(text)), tree(entry(text)))
    assert extract is not None
    assert len(extract.lost) <= extract.kept.total
