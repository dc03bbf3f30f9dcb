"""The offline researcher's answers: what is quoted stands in the document it is quoted from, whatever was corrected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.language.text import fold_space
from memorybank.memory.types import ConflictStatus, Lang, NodeId
from memorybank.prompts import say
from memorybank.session.checks import standing_summary
from memorybank.session.executors.researcher import search_words
from tests.contradiction.parsed import contradictions
from tests.engines.offline.outcomes import work

LAKE = {
    "survey.md": "# Lake Orrin\n\nLake Orrin lies in the north of the province. It is fed by two rivers. "
    "Lake Orrin is 148 metres deep, as soundings with a plumb line showed.",
    "hydrology.md": "# Water of the province\n\nOf all lakes in the province, Lake Orrin is 148 metres deep and the "
    "deepest. Its water is clear in winter.",
    "diary.md": "# A week in the north\n\nWe rented a boat. Lake Orrin is 184 metres deep. We had fish for dinner.",
}
TOWER = {
    "概况.md": "# 云顶塔概况\n\n云顶塔位于江城市中心。云顶塔高468米，共有97层。塔内设有一座图书馆。",
    "统计.md": "# 江城高楼统计\n\n据统计，云顶塔高468米，是江城最高的建筑。",
    "游记.md": "# 江城游记\n\n我们傍晚到了江边。云顶塔高486米，夜景很美。晚饭吃的是面。",
}
CASES: list[tuple[Lang, dict[str, str], str, str, str, str]] = [
    ("en", LAKE, "How deep is Lake Orrin?", "diary.md", "184", "148"),
    ("zh", TOWER, "云顶塔有多高？", "游记.md", "486", "468"),
]


@pytest.mark.parametrize(("lang", "documents", "goal", "loser", "wrong", "right"), CASES)
def test_quotes_are_verbatim_and_the_loser_is_not_made_to_say_the_winning_value(
    lang: Lang, documents: dict[str, str], goal: str, loser: str, wrong: str, right: str, tmp_path: Path
) -> None:
    bank = work(tmp_path / "run", documents, lang, HashedNgrams(), goal=goal).bank
    assert any(one.status.decides for one in bank.conflicts.all.values())
    answer = bank.progress.answer
    quoted = re.findall(r"^- (.+) \[(n\d+): ([^\]]+)\]$", answer, re.MULTILINE)
    assert quoted
    assert any(right in text for text, _, _ in quoted)
    for text, _, source in quoted:
        if source in documents:
            assert fold_space(text) in fold_space(documents[source]), (text, source)
        if right in text:
            assert loser not in source
        assert wrong not in text


MILL = {
    "guide.md": "# Walks\n\nThe Sorrel mill was built in 1931. The path is steep.",
    "register.md": "# Register\n\nThe Sorrel mill was built in 1912. The mill ground rye.",
    "survey.md": "# Survey\n\nAccording to the survey the Sorrel mill was built in 1912. It has two wheels.",
    "barn.md": "# The Sorrel barn\n\nThe Sorrel barn was built in 1950 near the mill. It holds hay.",
}


def test_the_verdict_comes_first_and_the_near_miss_is_not_quoted(tmp_path: Path) -> None:
    bank = work(tmp_path / "run", MILL, "en", HashedNgrams(), goal="When was the Sorrel mill built?").bank
    answer = bank.progress.answer
    question, first, *rest = answer.splitlines()
    assert question == "On “When was the Sorrel mill built”:"
    assert first.startswith("The Sorrel mill"), first
    assert ": 1912 [" in first
    assert "1931" in first
    assert "Checked" in first
    assert "Checked" not in "".join(rest), "one dispute, however many pairs of memories it was found in"
    quoted = re.findall(r"^- (.+) \[", answer, re.MULTILINE)
    assert quoted
    assert all("1912" in text for text in quoted), quoted
    assert "guide" not in "".join(quoted)
    standing = "\n".join(map(standing_summary, bank.graph.nodes.values()))
    assert "1931" not in standing


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


PAPER = {
    "deed.md": "# Deeds\n\nThe Marlow mill was built in 1936. The roof is of slate.",
    "gazette.md": "# Gazette\n\nThe Marlow mill was built in 1942, when paper was short. It had eighty workers.",
    "register.md": "# Works\n\nAmong the works by the river, the Marlow mill was built in 1936. It has two gates.",
    "memoir.md": "# Memoir\n\nThe Marlow mill was built in 1942. He worked there all his life.",
    "leaflet.md": "# Leaflet\n\nVisitors like the place. The Marlow mill was built in 1950. Entry is free.",
}


def test_of_two_values_that_are_tied_neither_wins_against_a_third(tmp_path: Path) -> None:
    bank = work(tmp_path / "run", PAPER, "en", HashedNgrams(), goal="When was the Marlow mill built?").bank
    conflicts = bank.conflicts.all.values()
    values = {frozenset((one.contradictions[0].left.value, one.contradictions[0].right.value)) for one in conflicts}
    assert {frozenset(("1936", "1942")), frozenset(("1936", "1950"))} <= values
    assert not [one for one in conflicts if one.status is ConflictStatus.RESOLVED]


def test_words_to_search_for_are_neutral() -> None:
    (found,) = contradictions("Lake Orrin is 148 metres deep.", "Lake Orrin is 184 metres deep.")
    words = search_words(found).split()
    assert {"Lake", "Orrin", "deep"} <= {*words}
    assert not {"148", "184"} & {*words}
    (found,) = contradictions("云顶塔高468米。", "云顶塔高486米。")
    assert "云顶塔" in search_words(found)
    (denied,) = contradictions("The mill was built for oats.", "The mill was not built for oats.")
    assert "built" in search_words(denied), "a statement without a value is searched for by all its words"
