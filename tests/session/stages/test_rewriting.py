"""Rewrites of a stage: a list of keywords is the whole one, several lists are brought together, and none ends empty."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.bank import Draft, MemoryBank
from memorybank.memory.events import NodeCreated, NodeDescribed
from memorybank.memory.types import NodeId
from memorybank.session.stages.rewriting import MAX_KEYWORDS, Rewrites

CORPUS = Path("assets/corpus")

OWN = ("a", "b", "c")
MANY = tuple(f"w{n}" for n in range(30))

KEYWORDS: list[tuple[str, Sequence[Sequence[str]], Sequence[str]]] = [
    ("an empty list leaves them", [()], OWN),
    ("blanks are no words", [(" ", "")], OWN),
    ("words come and go, in the order given", [("c", "d", "a")], ("c", "d", "a")),
    ("each once", [("a", "a", " b ")], ("a", "b")),
    ("what any list adds comes", [(*OWN, "d"), (*OWN, "e")], (*OWN, "d", "e")),
    ("what any list drops goes", [("a", "b", "d"), ("a", "c")], ("a", "d")),
    ("and some are left", [("d",), ("e",)], ("d", "e")),
    ("a list that drops all the others kept", [("a",), ("b",)], ("a",)),
    ("bounded", [MANY], MANY[:MAX_KEYWORDS]),
    ("bounded together", [(*OWN, *MANY), (*OWN, "x")], (*OWN, *MANY[: MAX_KEYWORDS - 3])),
]


def test_the_last_word_on_keywords_and_topic() -> None:
    for why, lists, expected in KEYWORDS:
        described = _described([("", words) for words in lists])
        assert (described.keywords if described else OWN) == tuple(expected), why
    lines = [("new line", ()), ("line", ()), ("", ())]
    described = _described(lines)
    assert (described.context_before, described.context) == ("line", "new line"), "the old line again changes nothing"
    assert _described([("line", OWN)]) is None


def _described(rewrites: Sequence[tuple[str, Sequence[str]]]) -> NodeDescribed | None:
    bank = MemoryBank()
    for node_id in (NodeId("n1"), NodeId("n2")):
        made = NodeCreated(node_id=node_id, summary="s", context="line", keywords=OWN, vector=b"", spans=())
        bank.apply(made, 1.0)
    draft = Draft.of(bank, 0.0)
    collected = Rewrites(draft)
    for context, keywords in rewrites:
        collected.add(NodeId("n1"), context, keywords, NodeId("n2"))
    collected.emit(HashedNgrams())
    found = [fact for fact in draft.facts if isinstance(fact, NodeDescribed)]
    assert len(found) <= 1, "embedded once"
    return found[0] if found else None
