"""The offline researcher: what its answers quote, what its verdicts settle, and what it searches for."""

from __future__ import annotations

from pathlib import Path

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import ConflictStatus, NodeId
from memorybank.prompts import say
from memorybank.session.checks import standing_summary
from memorybank.session.executors.researcher import search_words
from tests.contradiction.parsed import contradictions
from tests.engines.offline.outcomes import work


def test_raw_text_that_the_summary_left_out_is_quoted(tmp_path: Path) -> None:
    said = [f"Merrow Hall has {at + 20} windows of {at + 3} colours on floor {at}." for at in range(14)]
    said.insert(9, "The organ of Merrow Hall is played by nobody now.")
    text = f"# Merrow Hall\n\nMerrow Hall stands in Lund. {' '.join(said)}"
    bank = work(
        tmp_path / "run", {"hall.md": text}, "en", HashedNgrams(), goal="Who plays the organ of Merrow Hall?"
    ).bank
    assert "played by nobody" in bank.progress.answer
    rounds = [entry.text for entry in bank.tree.entries.values() if entry.kind == "transcript"]
    assert say("thought_deep", "en", node="n1") in rounds[0], "the search opens what the summary left out"
    assert "played by nobody" in rounds[0].rpartition("<answer>")[2]


def test_a_value_of_a_part_is_not_told_as_that_of_the_whole(tmp_path: Path) -> None:
    text = "Harlow Mill was built in 1804. Its chimney is 31 metres tall."
    goal = "When was Harlow Mill built, and how tall is its chimney?"
    bank = work(tmp_path / "run", {"mill.md": text}, "en", HashedNgrams(), goal=goal).bank
    assert "chimney: 31 metres" in bank.progress.answer
    assert "Harlow Mill: 31 metres" not in bank.progress.answer


def test_a_verdict_on_one_matter_leaves_the_other_as_it_was(tmp_path: Path) -> None:
    documents = {
        "guide.md": "The Varna tunnel is 4,120 metres long. The Varna tunnel opened in 1987. Lamps light each bend.",
        "leaflet.md": "The Varna tunnel is 4,210 metres long. The Varna tunnel opened in 1989. Dogs must be led.",
        "survey.md": "Surveyors with lasers found that the Varna tunnel is 4,120 metres long, from portal to portal.",
    }
    bank = work(tmp_path / "run", documents, "en", HashedNgrams(), goal="How long is the Varna tunnel?").bank
    by_nodes = {one.node_ids: one for one in bank.conflicts.all.values()}
    first = by_nodes[NodeId("n1"), NodeId("n2")]
    assert first.status is ConflictStatus.RESOLVED
    assert first.value == "4,120 metres"
    assert "not settled, both stay" in first.reason
    summaries = "\n".join(map(standing_summary, bank.graph.nodes.values()))
    assert "4,210" not in summaries
    assert "opened in 1987" in summaries
    assert "opened in 1989" in summaries


def test_words_to_search_for_are_neutral() -> None:
    (found,) = contradictions("Lake Orrin is 148 metres deep.", "Lake Orrin is 184 metres deep.")
    words = search_words(found).split()
    assert {"Lake", "Orrin", "deep"} <= {*words}
    assert not {"148", "184"} & {*words}
    (found,) = contradictions("云顶塔高468米。", "云顶塔高486米。")
    assert "云顶塔" in search_words(found)
    (denied,) = contradictions("The mill was built for oats.", "The mill was not built for oats.")
    assert "built" in search_words(denied), "a statement without a value is searched for by all its words"
