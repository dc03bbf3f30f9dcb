from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.cover import LEAST, MOST
from memorybank.engines.offline.salience import keys, mentions
from memorybank.engines.offline.statements import joined, statements
from memorybank.engines.offline.structure import OfflineStructure, is_short, summarise
from memorybank.language.text import fold_space, sentences
from memorybank.memory.contracts import StructureInput
from tests.tables import tables

TABLES = tables(__file__)

ENGLISH = TABLES["english"]
CHINESE = TABLES["chinese"]


def test_a_short_text_stays_whole() -> None:
    short = "  Willow has 105 qubits. It was shown in December 2024. Google built it.\n"
    assert summarise(short) == short.strip()
    two = f"The first sentence is a very long one{', and goes on' * 50}. Only two sentences stand here."
    assert summarise(two) == two
    assert summarise(" \n ") == ""


SHORT = TABLES["short"]


@pytest.mark.parametrize(("lang", "content"), [("English", ENGLISH), ("Chinese", CHINESE)])
def test_a_text_of_a_few_sentences_stays_whole_and_from_200_han_characters_or_600_letters_on_filler_goes(
    lang: str, content: str
) -> None:
    """What it is made of or whether dogs are welcome is no number, date or name that could be told from filler."""
    assert summarise(f" {SHORT[lang]}\n") == SHORT[lang]
    assert is_short(SHORT[lang])
    assert not is_short(content)
    assert len(summarise(content)) < len(content)


def test_a_few_sentences_full_of_facts_all_stay() -> None:
    """Half of them would be half of the facts."""
    dense = (
        "Condor has 1,121 qubits and was shown by IBM in December 2023. It was built in Yorktown Heights. "
        "Its predecessor Osprey had 433 qubits. The successor, Heron, has 133 qubits and fewer errors."
    )
    assert len(dense) < 200
    dense += " Flamingo joins two Heron chips in 2024."
    assert len(dense) >= 200
    assert summarise(dense) == dense
    named = "Ann met Bob in the harbour of Kiel. " * 2 + "Nobody else was there that day, and the sea was calm. "
    assert "Nobody" in summarise(named * 2), "a statement that denies is one"


@pytest.mark.parametrize("content", [ENGLISH, CHINESE], ids=["English", "Chinese"])
def test_facts_are_kept_in_half_of_the_length(content: str) -> None:
    summary = OfflineStructure(HashedNgrams(), HashedNgrams().parse).run(StructureInput(content=content)).summary
    assert LEAST <= len(summary) / len(content) <= MOST
    facts = {mention.key for mention in mentions(content) if mention.certain}
    assert len(facts & keys(summary)) >= 0.8 * len(facts)
    # Whole sentences of the content, in its order.
    at = 0
    for start, end in sentences(summary):
        sentence = summary[start:end].strip()
        found = content.find(sentence, at)
        assert found >= at, sentence
        at = found + len(sentence)


def test_tables_code_and_headings_are_in_it_whole() -> None:
    table = "| Year | Ships |\n|------|-------|\n| 2001 | 14 |\n| 2002 | 19 |\n"
    code = "```\nfor ship in ships:\n    print(ship)\n```\n"
    content = f"# Ships\n\n{ENGLISH}\n\n{table}\n{code}\n{ENGLISH.replace('bridge', 'tunnel')}\n"
    summary = summarise(content)
    assert table.strip() in summary
    assert code.strip() in summary
    assert summary.startswith("Ships\n\n")
    assert len(summary) < 0.65 * len(content)


def test_dialogue_is_kept_by_turns() -> None:
    turns = TABLES["turns"]
    summary = summarise("\n".join(turns) + "\n")
    assert set(summary.splitlines()) <= set(turns)
    assert turns[5] in summary
    assert turns[0] in summary, "an answer comes with its question"
    assert turns[1] in summary


def test_statements_cover_what_is_written() -> None:
    text = "# Title\n\nOne fact of 1999. Another one.\n\n- item\n| a | b |\n|---|---|\n"
    found = statements(text)
    assert [statement.text for statement in found] == [
        "# Title",
        "One fact of 1999.",
        "Another one.",
        "- item",
        "| a | b |\n|---|---|",
    ]
    assert [statement.whole for statement in found] == [True, False, False, False, True]
    assert fold_space(joined(found)) == "Title One fact of 1999. Another one. item | a | b | |---|---|"


def test_a_summary_has_no_marks_of_markdown() -> None:
    text = (
        "# The *Aria*\n\n> **Ann** built it in 1999, 2*3*4 metres long.\n\n"
        "- It is `blue`.\n1. It **swims**.\n\n```\n# a * b\n```\n"
    )
    assert summarise(text) == (
        "The Aria\n\nAnn built it in 1999, 2*3*4 metres long.\nIt is blue.\nIt swims.\n```\n# a * b\n```"
    )


WRITTEN = "In 2001 Ann met Bob. |It rained. |Why? |价格是25元。|他走了。|\n\n|# Head\n|A: hi\n".split("|")
pieces = st.sampled_from([*WRITTEN, "| a | b |\n", "x" * 90])


@settings(deadline=None)
@given(st.lists(pieces, max_size=40).map("".join), st.text(max_size=80))
def test_any_text(content: str, noise: str) -> None:
    text = content + noise
    summary = summarise(text)
    assert len(summary.replace("\n\n", "\n")) <= len(text), "longer by nothing but blank lines around a heading"
    ends = {0}
    for statement in statements(text):
        ends |= {
            start + len(statement.plain)
            for end in ends
            for start in range(end, len(summary) + 1)
            if not summary[end:start].strip() and summary.startswith(statement.plain.strip(), start)
        }
    assert any(not summary[end:].strip() for end in ends), "nothing but whole statements of the text, in order"
