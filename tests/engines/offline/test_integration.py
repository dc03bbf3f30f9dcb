from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.integration import MOST_KEYWORDS, OfflineIntegration
from memorybank.engines.offline.salience import mentions
from memorybank.memory.contracts import (
    IntegrationInput,
    IntegrationOutput,
    NeighborInfo,
    NodeWithNeighbors,
    PairVerdict,
)
from memorybank.memory.types import Claim, ClaimKind, ConflictStatus, Contradiction, Lang, Side
from tests.tables import tables

TABLES = tables(__file__)

AGENT = OfflineIntegration(HashedNgrams().parse)


def node(
    summary: str, context: str = "", keywords: Sequence[str] = (), near: Sequence[NeighborInfo] = ()
) -> NodeWithNeighbors:
    topic = context or summary[:60]
    return NodeWithNeighbors(summary=summary, context=topic, keywords=tuple(keywords), neighbors=tuple(near))


def merge(*nodes: NodeWithNeighbors, lang: Lang = "en") -> IntegrationOutput:
    return AGENT.run(IntegrationInput(nodes=nodes, trigger="merge", lang=lang))


def claim(text: str, value: str, *, kind: ClaimKind = "number", subject: str = "Willow") -> Claim:
    return Claim(text=text, kind=kind, subject=subject, attribute=f"{kind} of it", value=value)


def verdict(
    pair: tuple[Claim, Claim], winner: Side = "left", status: ConflictStatus = ConflictStatus.RESOLVED, value: str = ""
) -> PairVerdict:
    point = Contradiction(left=pair[0], right=pair[1], reason="they differ", confidence=0.9)
    return PairVerdict(left=0, right=1, status=status, winner=winner, value=value, contradictions=(point,))


def resolve(*nodes: NodeWithNeighbors, verdicts: Sequence[PairVerdict], lang: Lang = "en") -> IntegrationOutput:
    return AGENT.run(IntegrationInput(nodes=nodes, trigger="conflict", verdicts=tuple(verdicts), lang=lang))


OLD = "Willow has 105 qubits. It was made in Santa Barbara by Google."
NEW = "The Willow chip was shown in December 2024. Willow, a chip of Google, has 105 qubits."


def test_a_merge_keeps_the_newer_statement_and_takes_out_only_the_same_sentence() -> None:
    old = node(
        f"{OLD} Willow, a chip of Google, has 105 qubits.", context="Willow", keywords=("Willow", "Santa Barbara")
    )
    new = node(NEW, context="The chip", keywords=("willow", "December 2024"))
    found = merge(old, new)
    assert found.summary == f"{NEW}\n{OLD}", "a sentence in other words stays"
    assert found.context == "Willow: made in Santa Barbara", "made anew from what it says of Willow alone"
    assert found.keywords == ("willow", "December 2024", "Santa Barbara")
    assert found.neighbor_updates == ()
    assert "Sentences of the others added to it: 2" in found.interaction_tree_description
    assert "left out as repeats: 1" in found.interaction_tree_description
    again = merge(node(found.summary), node(found.summary))
    assert again.summary == found.summary, "merging the same again changes nothing"


def test_other_values_order_and_negation_are_not_repetition() -> None:
    new = node("Ann beat Bob 3 to 2 in Paris. The match was watched by 400 people.")
    for sentence in (
        "Bob beat Ann 2 to 3 in Paris.",
        "Ann beat Bob 3 to 2 in Rome.",
        "The match was watched by 500 people.",
        "The match was not watched by 400 people.",
    ):
        assert sentence in merge(node(sentence), new).summary
    assert merge(node("In Paris Ann beat Bob 3 to 2."), new).summary.count("Paris") == 2, "kept when the order differs"


sentence = st.builds(
    "{} {} {} {}.".format,
    st.sampled_from(["Ann", "Professor Lee", "The bridge", "IBM", "清华大学"]),
    st.sampled_from(["sold", "was not built", "met Bob in Paris", "位于北京市"]),
    st.sampled_from(["", "in 1999", "on 4 May 2021", "for $3.5 million", "共25个"]),
    st.integers(min_value=0, max_value=12).map(str),
)


@settings(deadline=None)
@given(st.lists(st.lists(sentence, min_size=1, max_size=5).map(" ".join), min_size=2, max_size=4))
def test_a_merge_loses_no_number_name_or_date(summaries: list[str]) -> None:
    found = merge(*[node(summary) for summary in summaries])
    for summary in summaries:
        for mention in mentions(summary):
            assert summary[mention.start : mention.end] in found.summary
    assert found.summary.startswith(summaries[-1])


def test_what_was_refuted_stays_word_for_word_and_does_not_lead() -> None:
    right = "With its 98 qubits, Willow looks modest. Its 98 qubits are cold. Route 98 is a road."
    told = NeighborInfo(ref=0, context="Willow with its 98 qubits", keywords=("Willow", "98 qubits"))
    found = resolve(
        node("Willow has 105 qubits.", keywords=("105 qubits",), near=[told]),
        node(right, context="Willow: With its 98 qubits it looks modest", keywords=("Willow", "98 qubits")),
        verdicts=[verdict((claim("Willow has 105 qubits.", "105"), claim(right.partition(" Its")[0], "98")))],
    )
    assert found.summary == f"Willow has 105 qubits.\n{right}", "the check on the node marks it"
    assert found.context == "Willow: 105 qubits", "the topic is told by the node that lost nothing"
    assert found.keywords == ("105 qubits", "Willow")
    assert "“105” holds, not “98”" in found.interaction_tree_description
    assert [(one.context, one.keywords) for one in found.neighbor_updates] == [(told.context, told.keywords)]


def test_a_denied_sentence_is_told_of_and_its_node_does_not_lead() -> None:
    denied = "Webb was designed to be serviced by astronauts, and spare parts are ready."
    held = "Webb was not designed to be serviced by astronauts."
    pair = (
        claim(held, "Webb was not designed", kind="negation", subject="Webb"),
        claim(denied, "", kind="text", subject="Webb"),
    )
    found = resolve(
        node(f"{held} It circles far out.", context="Webb cannot be repaired"),
        node(f"{denied} Its mirror is gold.", context="Care: Webb was designed to be serviced by astronauts…"),
        verdicts=[verdict(pair)],
    )
    assert found.summary == f"{held} It circles far out.\n{denied} Its mirror is gold."
    assert "designed to be serviced" not in found.context
    assert "was withdrawn" in found.interaction_tree_description


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_third_value_is_told_of_and_both_statements_stay(lang: Lang) -> None:
    left, right = {"en": ("It is 28 m.", "It is 31 m."), "zh": ("望江楼高28米。", "望江楼高31米，共四层。")}[lang]
    pair = claim(left, "28"), claim(right, "31")
    ruled = verdict(pair, "", ConflictStatus.BOTH_WRONG, "33")
    found = resolve(node(left), node(right), verdicts=[ruled], lang=lang)
    assert set(found.summary.splitlines()) == {left, right}
    assert found.context
    assert "33" in found.interaction_tree_description


def test_a_neighbour_learns_of_a_merge_what_its_own_text_has() -> None:
    summary = "Visitors see the Osprey chip made in Dresden. The tour takes one hour."
    near = NeighborInfo(ref=0, context="Visitors see Osprey chip", keywords=("Osprey",), summary=summary)
    other = near.model_copy(update={"ref": 1, "context": "Osprey: 412 qubits cooled with helium"})
    old = node("Osprey has 433 qubits.", context="Osprey: 433 qubits", keywords=("Osprey",), near=[near, other])
    new = node("Osprey has 433 qubits.", context="Osprey", keywords=("Dresden", "helium"))
    kept, renamed = merge(old, new).neighbor_updates
    assert kept.keywords == ("Osprey", "Dresden"), "helium does not stand in it"
    assert kept.context == near.context
    assert "412" not in renamed.context, "a line that its own text does not say is made anew"
    assert "helium" not in renamed.context


def test_a_merged_memory_is_named_by_what_most_of_its_sentences_are_about() -> None:
    for (older_line, older), (newer_line, newer), subject in TABLES["fitting"]:
        found = merge(node(older, context=older_line), node(newer, context=newer_line))
        assert subject in found.context.partition(":")[0].partition("：")[0]


def test_keywords_are_bounded_and_each_once() -> None:
    found = merge(
        node("One.", keywords=[f"old {n}" for n in range(8)]), node("Two.", keywords=[f"new {n}" for n in range(8)])
    )
    assert len(found.keywords) == MOST_KEYWORDS
    assert found.keywords[0] == "new 0"


def test_verdicts_that_change_nothing_keep_every_statement() -> None:
    pair = (claim("It has 5 parts.", "5"), claim("It has 6 parts.", "6"))
    found = resolve(
        node("It has 5 parts."),
        node("It has 6 parts."),
        verdicts=[verdict(pair, "", ConflictStatus.INCONCLUSIVE)],
        lang="zh",
    )
    assert "It has 5 parts." in found.summary
    assert "It has 6 parts." in found.summary
    assert "各表述均保留" in found.interaction_tree_description


def test_a_heading_keeps_its_line_when_the_sentence_after_it_goes() -> None:
    old = node("# A note\nWillow has 105 qubits, in a grid. The grid is cooled with helium.")
    new = node("Willow has 105 qubits, in a grid. It was shown in Berlin.")
    assert "A note\n\nThe grid is cooled with helium." in merge(old, new).summary
